import Operations

extension Texts {
    static let spanish = Texts(
        language: "es",
        failures: [
            .declined: "Se rechazó el inicio de sesión.",
            .deniedNotMe: "Se detuvo el inicio de sesión: alguien indicó que no era suyo.",
            .notMatched: "El rostro no coincide. Inténtalo de nuevo con mejor luz.",
            .livenessFailed: "El control no vio un rostro vivo. Inténtalo de nuevo con mejor luz y sin mascarilla.",
            .tooManyAttempts: "Hubo demasiados intentos. Inténtalo más tarde.",
            .expired: "El inicio de sesión no terminó a tiempo. Empieza de nuevo.",
            .canceled: "Se canceló el inicio de sesión.",
            .superseded: "Se empezó un inicio de sesión más reciente.",
            .providerError: "El control facial falló en el proveedor. Empieza de nuevo.",
            .providerUnavailable: "No se pudo contactar con el servicio de control facial. Inténtalo en unos "
                + "minutos.",
            .accountBlocked: "Esta cuenta no puede iniciar sesión por ahora. Consulta a tu administrador.",
        ],
        pages: [
            .landing: PageText(
                title: "Continuar al control facial",
                body: "Vas a pasar al control facial. Deja abierta la aplicación que te trajo aquí.",
                button: "Empezar el control"
            ),
            .starting: PageText(
                title: "Un momento",
                body: "Se está iniciando el control facial. Si no ocurre nada, continúa abajo.",
                button: "Continuar"
            ),
            .providerDown: PageText(
                title: "El control facial no responde",
                body:
                    "Ahora no se puede contactar con el servicio. Tu inicio de sesión sigue abierto: inténtalo "
                    + "otra vez.",
                button: "Reintentar"
            ),
            .notOnThisDevice: PageText(
                title: "No pudimos iniciar el control en este dispositivo",
                body: "Inicia sesión primero de otra manera; después el control facial funcionará aquí.",
                button: nil
            ),
            .tooManyRestarts: PageText(
                title: "Iniciado demasiadas veces",
                body: "Este inicio de sesión se abrió desde demasiados lugares. Empieza uno nuevo en la aplicación.",
                button: nil
            ),
            .tooManyNumbers: PageText(
                title: "El número fue incorrecto tres veces",
                body: "Este inicio de sesión se ha detenido. Si es tuyo, empieza uno nuevo en la aplicación.",
                button: nil
            ),
            .denied: PageText(
                title: "El inicio de sesión se ha detenido",
                body: "Nadie ha iniciado sesión. No tienes que hacer nada más. Si vuelve a pasar, avisa a tu "
                    + "administrador.",
                button: nil
            ),
            .over: PageText(
                title: "Este enlace ya no es válido",
                body: "El inicio de sesión terminó o se agotó su tiempo. Empieza uno nuevo en la aplicación.",
                button: nil
            ),
            .signInAgain: PageText(
                title: "Vuelve a iniciar sesión primero",
                body: "Para registrar un rostro, tu inicio de sesión debe tener menos de diez minutos. Cierra "
                    + "esta página, "
                    + "cierra la sesión en la aplicación e iníciala de nuevo. Después registra tu rostro.",
                button: nil
            ),
            .addressFirst: PageText(
                title: "Demuestra primero que la dirección es tuya",
                body:
                    "Para registrar un rostro, tu dirección de correo tiene que estar verificada. Cierra esta página y "
                    + "sigue el enlace del mensaje que te enviamos. Después registra tu rostro en la aplicación.",
                button: nil
            ),
            .tryLater: PageText(
                title: "Ahora no es posible",
                body:
                    "Tu rostro no se puede registrar en este momento. Cierra esta página, espera un minuto e inténtalo "
                    + "de nuevo en la aplicación.",
                button: nil
            ),
            .acceptedForService: PageText(
                title: "Se aceptó tu control",
                body: "El servicio que te lo pidió continúa. Puedes cerrar esta página.",
                button: nil
            ),
            .crossSite: PageText(
                title: "No iniciado",
                body:
                    "Otro sitio web pidió este control facial. Si estás iniciando sesión, vuelve a la "
                    + "aplicación y abre "
                    + "el enlace desde allí.",
                button: nil
            ),
            .accepted: PageText(
                title: "Se aceptó el control",
                body: "Vuelve a la aplicación: ella inicia tu sesión. Puedes cerrar esta página.",
                button: nil
            ),
            .failed: PageText(
                title: "No se inició tu sesión",
                body: "Vuelve a la aplicación.",
                button: nil
            ),
            .comingBack: PageText(
                title: "De vuelta del control",
                body: "Se está comprobando el control. Si no ocurre nada, continúa abajo.",
                button: "Continuar"
            ),
            .underWay: PageText(
                title: "Comprobando el control",
                body: "Se está comprobando el control. Si no ocurre nada, continúa abajo.",
                button: "Continuar"
            ),
            .elsewhere: PageText(
                title: "Vuelve a la aplicación",
                body: "Vuelve a la aplicación: sigue desde allí. Puedes cerrar esta página.",
                button: nil
            ),
            .serverDown: PageText(
                title: "Ahora no podemos continuar",
                body:
                    "El servidor tiene un fallo. Tu inicio de sesión sigue abierto: inténtalo de nuevo en un "
                    + "momento.",
                button: "Reintentar"
            ),
            .busy: PageText(
                title: "Demasiadas solicitudes a la vez",
                body: "Se han pedido demasiados controles faciales desde tu red. Tu inicio de sesión sigue "
                    + "abierto: inténtalo de nuevo en un momento.",
                button: "Reintentar"
            ),
            .serverFault: PageText(
                title: "Algo salió mal aquí",
                body: "No es culpa tuya. Empieza un nuevo inicio de sesión en la aplicación.",
                button: nil
            ),
            .passkeyNeeded: PageText(
                title: "Hace falta una llave de acceso",
                body: "Vuelve atrás y usa una llave de acceso de la cuenta. Si no tienes ninguna aquí, inicia sesión "
                    + "primero de otra manera.",
                button: "Volver atrás"
            ),
            .passkeyRefused: PageText(
                title: "No se aceptó la llave de acceso",
                body: "No es de esta cuenta, o tardó demasiado. Vuelve atrás y usa una llave de acceso de la cuenta; "
                    + "si no tienes ninguna aquí, inicia sesión primero de otra manera.",
                button: "Volver atrás"
            ),
        ],
        confirm: ConfirmText(
            title: "¿Eres tú?",
            body:
                "Continúa solo si acabas de empezar este inicio de sesión. Nadie te pedirá nunca que abras esta "
                + "página "
                + "en su lugar.",
            asked:
                "Un servicio te pide que te identifiques. Continúa solo si estás tratando con él en este "
                + "momento y esperas "
                + "esta petición.",
            askedInWords:
                "Un servicio te pide que te identifiques. Continúa solo si estás tratando con él en este "
                + "momento y te "
                + "muestra o te dice exactamente las palabras de abajo.",
            client: "Iniciar sesión en",
            account: "Para",
            address: "Desde",
            agent: "Con",
            started: "Cuándo",
            unknown: "desconocido",
            justNow: "hace menos de un minuto",
            minutesAgo: "hace % min",
            number: "Número en la aplicación",
            numberHint: "Escribe las dos cifras que te muestra la aplicación.",
            numberMissing: "Escribe las dos cifras que te muestra la aplicación.",
            numberWrong: "Ese no es el número que muestra la aplicación. Intentos restantes: %.",
            button: "Continuar",
            denial: "No fui yo",
            passkey: Texts.PasskeyText(
                hint: "Si la cuenta tiene una llave de acceso, solo con ella se continúa aquí.",
                with: "Continuar con una llave de acceso",
                without: "Continuar sin llave de acceso",
                needsScript: "Las llaves de acceso necesitan JavaScript, que aquí no funciona. Sin él solo puedes "
                    + "continuar si la cuenta no tiene ninguna llave de acceso."
            )
        ),
        signedIn: .spanish,
        mail: .spanish,
        logout: .spanish,
        authorize: .spanish,
        site: .spanish,
        authorization: spanishSignIn
    )
}

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
            .passkeyNeeded: Texts.PageText(
                title: "Hace falta una llave de acceso",
                body: "Vuelve atrás y usa una llave de acceso de la cuenta.",
                button: "Volver atrás"
            ),
            .passkeyRefused: Texts.PageText(
                title: "No se aceptó la llave de acceso",
                body: "No es de esta cuenta, o tardó demasiado. Vuelve atrás y usa una llave de acceso de la cuenta.",
                button: "Volver atrás"
            ),
        ],
        approval: Texts.ApprovalText(
            title: "¿Apruebas esto?",
            body: "Continúa solo si acabas de pedirlo tú. Nadie te pedirá nunca que apruebes algo en "
                + "su lugar.",
            amount: "Importe",
            payee: "Para quién",
            client: "Pedido por",
            button: "Aprobar con el rostro",
            payment: "Pago con la tarjeta terminada en %"
        )
    )
}

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
            body: "Tu cuenta de % va a tener esta dirección. Si lo has pedido, confírmala. Aquí sigues con la sesión "
                + "iniciada.",
            button: "Confirmar esta dirección"
        ),
        proofElsewhere: .init(
            title: "Confirma tu dirección de correo",
            body:
                "Una cuenta de % va a tener esta dirección. Si lo has pedido en una aplicación, escribe allí el "
                + "código del "
                + "mensaje: la aplicación sigue con la sesión iniciada. Este botón cierra la sesión en todas las "
                + "aplicaciones y navegadores, también en este dispositivo, y elimina lo que se configuró "
                + "antes. Vuelve a "
                + "iniciar sesión después, con un código por correo.",
            button: "Confirmar y cerrar todas las sesiones"
        ),
        password: .init(
            label: "La contraseña de la cuenta",
            hint: "Con ella no se elimina nada. Deja el campo vacío si no abriste tú la cuenta.",
            wrong:
                "Esa no es la contraseña de la cuenta. No se ha cambiado nada: inténtalo de nuevo o deja el "
                + "campo vacío."
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

extension Texts.LogoutText {
    static let spanish = Self(
        ask: .init(
            title: "¿Cerrar la sesión?",
            body: "Una aplicación pide cerrar la sesión de este navegador. "
                + "Las demás aplicaciones y dispositivos siguen como están.",
            button: "Cerrar la sesión"
        ),
        client: "La aplicación",
        done: .init(title: "La sesión está cerrada", body: "Puedes cerrar esta página.", button: nil),
        refused: .init(
            title: "Este enlace no se puede seguir",
            body: "La aplicación ha pedido algo para lo que no está registrada. No se ha cerrado ninguna sesión.",
            button: nil
        )
    )
}
