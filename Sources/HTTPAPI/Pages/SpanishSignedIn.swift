import Operations

extension Texts.SignedInText {
    static let spanish = Texts.SignedInText(
        failures: [
            .declined: "Se rechazó la solicitud.",
            .deniedNotMe: "Se detuvo la solicitud: alguien indicó que no era suya.",
            .expired: "La solicitud no terminó a tiempo. Empieza de nuevo.",
            .canceled: "Se canceló la solicitud.",
            .superseded: "Se empezó una solicitud más reciente.",
            .accountBlocked: "Esta cuenta no se puede usar desde aquí por ahora. Consulta a tu administrador.",
        ],
        pages: [
            .providerDown: Texts.PageText(
                title: "El control facial no responde",
                body: "Ahora no se puede contactar con el servicio. No se ha perdido nada: inténtalo otra "
                    + "vez.",
                button: "Reintentar"
            ),
            .tooManyRestarts: Texts.PageText(
                title: "Iniciado demasiadas veces",
                body: "Esta solicitud se abrió desde demasiados lugares. Empieza de nuevo en la aplicación.",
                button: nil
            ),
            .tooManyNumbers: Texts.PageText(
                title: "El número fue incorrecto tres veces",
                body: "Esta solicitud se ha detenido. Si es tuya, empieza de nuevo en la aplicación.",
                button: nil
            ),
            .denied: Texts.PageText(
                title: "La solicitud se ha detenido",
                body: "No se ha aprobado ni cambiado nada. No tienes que hacer nada más. Si vuelve a "
                    + "pasar, avisa a tu administrador.",
                button: nil
            ),
            .over: Texts.PageText(
                title: "Este enlace ya no es válido",
                body: "La solicitud terminó o se agotó su tiempo. Empieza de nuevo en la aplicación.",
                button: nil
            ),
            .crossSite: Texts.PageText(
                title: "No iniciado",
                body: "Otro sitio web pidió este control facial. Si lo has pedido tú, vuelve a la "
                    + "aplicación y abre el enlace desde allí.",
                button: nil
            ),
            .accepted: Texts.PageText(
                title: "Se aceptó el control",
                body: "Vuelve a la aplicación. Puedes cerrar esta página.",
                button: nil
            ),
            .failed: Texts.PageText(
                title: "No ha funcionado",
                body: "Vuelve a la aplicación.",
                button: nil
            ),
            .serverDown: Texts.PageText(
                title: "Ahora no podemos continuar",
                body: "El servidor tiene un fallo. No se ha perdido nada: inténtalo de nuevo en un momento.",
                button: "Reintentar"
            ),
            .busy: Texts.PageText(
                title: "Demasiadas solicitudes a la vez",
                body: "Se han pedido demasiados controles faciales desde tu red. No se ha perdido nada: "
                    + "inténtalo de nuevo en un momento.",
                button: "Reintentar"
            ),
            .serverFault: Texts.PageText(
                title: "Algo salió mal aquí",
                body: "No es culpa tuya. Empieza de nuevo en la aplicación.",
                button: nil
            ),
        ],
        approval: Texts.ApprovalText(
            title: "¿Apruebas esto?",
            body: "Continúa solo si acabas de pedirlo tú. Nadie te pedirá nunca que apruebes algo en "
                + "su lugar.",
            amount: "Importe",
            payee: "Para quién",
            client: "Pedido por",
            button: "Aprobar con el rostro"
        )
    )
}
