extension Texts.MailPageText {
    static let spanish = Texts.MailPageText(
        code: .init(
            title: "Tu código de acceso",
            body: "Escríbelo en el dispositivo en el que inicias sesión. Solo sirve allí.",
            button: nil
        ),
        codeNote: "Sirve # min más. No se lo des a nadie: nunca lo pedimos.",
        codeOver: .init(
            title: "Este código ya no es válido",
            body: "Se ha usado, se ha enviado otro más reciente o se ha acabado su tiempo. Pide uno nuevo en la "
                + "aplicación.",
            button: nil
        ),
        proof: .init(
            title: "Confirma tu dirección de correo",
            body:
                "Se ha abierto una cuenta con esta dirección. Si es tuya, confírmala. Todo lo que antes tenía acceso a "
                + "la cuenta se elimina entonces: vuelve a iniciar sesión después.",
            button: "Confirmar esta dirección"
        ),
        proven: .init(
            title: "Tu dirección está confirmada",
            body: "Puedes cerrar esta página e iniciar sesión.",
            button: nil
        ),
        proofOver: .init(
            title: "Este enlace ya no es válido",
            body: "Ha caducado, o la cuenta ya no tiene esta dirección. Inicia sesión con un código por correo.",
            button: nil
        ),
        busy: .init(
            title: "Demasiadas peticiones a la vez",
            body: "Han llegado demasiadas peticiones desde tu red. Inténtalo de nuevo dentro de un momento.",
            button: nil
        ),
        serverDown: .init(
            title: "Ahora mismo no podemos seguir",
            body: "El servidor tiene un problema. Vuelve a abrir el enlace dentro de un momento.",
            button: nil
        )
    )
}
