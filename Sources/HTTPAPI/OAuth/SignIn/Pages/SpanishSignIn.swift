extension Texts {
    static let spanishSignIn: [SignInWord: String] = [
        .title: "Iniciar sesión en %",
        .lead: "Con una llave de acceso o con tu cara. No hay contraseña.",
        .oneMoreTitle: "Un paso más",
        .oneMoreFace: "% pide también un escaneo de la cara.",
        .oneMorePasskey: "% pide también una llave de acceso.",
        .usePasskey: "Usar una llave de acceso",
        .orFace: "O con un escaneo de la cara, si la tuya está registrada:",
        .passkeysNeedScript:
            "Las llaves de acceso necesitan JavaScript, que aquí no funciona. El escaneo de la cara va sin él.",
        .emailWrong: "Escribe tu correo electrónico, por ejemplo ada@example.com.",
        .cancel: "Cancelar y volver a %",

        .hereLead: "Abre el escaneo; aparece en una pestaña propia. Después vuelve: esta página sigue por sí sola.",
        .looksAgain: "Esta página mira cada pocos segundos si el escaneo ha terminado.",
        .lookAgain: "Mirar ahora",
        .otherWay: "Iniciar sesión de otra forma",

        .consentTitle: "¿Permitir que % use tu cuenta?",
        .consentLead: "Si lo permites, % puede:",
        .continueTitle: "¿Continuar a %?",
        .continueLead: "Ya has iniciado sesión. % lo ha pedido en este dispositivo.",
        .account: "Sesión iniciada como",
        .goesTo: "Vuelves a",
        .strange: "% no es del operador de este sitio. Permite solo lo que acabas de pedir tú.",
        .allow: "Permitir",
        .goOn: "Continuar",
        .refuse: "No permitir",
        .scopeOpenID: "saber que eres tú cuando vuelvas",
        .scopeProfile: "ver tu nombre",
        .scopeEmail: "ver tu correo electrónico",
        .scopeOffline: "mantener este acceso mientras no estás, hasta que lo retires",
        .scopeOther: "usar «#»",
        .resource: "actuar por ti en #",

        .onwardTitle: "Un momento",
        .onwardLead: "Te llevamos adelante. Si no pasa nada, continúa abajo.",
        .onward: "Continuar",
        .overTitle: "Este inicio de sesión ha terminado",
        .overLead:
            "Ha acabado, se ha agotado su tiempo o se empezó en otro navegador. Empieza de nuevo en la aplicación.",
        .busyTitle: "Demasiadas a la vez",
        .busyLead: "Se han pedido demasiados inicios de sesión. Inténtalo de nuevo en un momento.",
        .crossSiteTitle: "Esto no venía de nuestra página",
        .crossSiteLead:
            "Otro sitio te ha enviado aquí con esta petición, y no se ha hecho nada. Empieza de nuevo en la aplicación.",
        .serverDownTitle: "Ahora mismo no podemos seguir",
        .serverDownLead: "El servidor tiene un fallo propio. Vuelve a cargar la página en un momento.",
        .serverFaultTitle: "Algo ha fallado aquí",
        .serverFaultLead: "Vuelve a cargar la página. Si no ayuda, empieza de nuevo en la aplicación.",
    ]
}
