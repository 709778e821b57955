extension Texts {
    static let spanishDevice: [DeviceWord: String] = [
        .signInTitle: "Dar acceso a un dispositivo",
        .signInLead: "Un dispositivo en el que se escribe mal, como un televisor, muestra un código y te pide que "
            + "vengas aquí. Primero demuestra que eres tú.",
        .signInGoOn: "Iniciar sesión y continuar",
        .askTitle: "Dar acceso a un dispositivo",
        .askLead: "Escribe el código que tu dispositivo muestra en su pantalla.",
        .code: "Código del dispositivo",
        .codeHint: "Ocho letras. Las mayúsculas y el guion no importan.",
        .codeWrong: "Ningún dispositivo espera con este código. Mira otra vez su pantalla: quizá ya muestre otro.",
        .questionTitle: "¿Permitir que % use tu cuenta?",
        .compare: "¿Muestra el dispositivo que tienes delante exactamente este código, ahora mismo?",
        .warning: "Usa solo un código que leas en la pantalla de tu propio dispositivo.",
        .fraud: "Si alguien te envió el código o el enlace a esta página, o te lo lee por teléfono, quiere entrar en "
            + "tu cuenta. Nadie con buenas intenciones lo pide, y nosotros nunca lo hacemos.",
        .sameNetwork: "%, la red en la que estás",
        .otherNetwork: "%, una red distinta de la tuya",
        .allowedTitle: "El dispositivo tiene acceso",
        .allowedLead: "% sigue por sí solo en un momento. Puedes cerrar esta página.",
        .deniedTitle: "El dispositivo no tiene acceso",
        .deniedLead: "% no obtiene nada. Si alguien te lo pidió, no hagas nada más de lo que pida.",
        .triesTitle: "Demasiados códigos",
        .triesLead: "Has probado demasiados códigos. Espera unos minutos y escribe el que tu dispositivo "
            + "muestre entonces.",
    ]
}
