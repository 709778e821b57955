extension Texts.SiteText {
    static let spanish = Texts.SiteText(
        words: [
            .skip: "Ir al contenido",
            .pages: "Páginas",
            .needsScript: "Esta página necesita JavaScript: el navegador lo usa para las llaves de acceso.",
            .optional: "(opcional)",
            .settings: "Todos los ajustes",
            .signUp: "Crear una llave de acceso",
            .signIn: "Iniciar sesión",
            .signOut: "Cerrar sesión",
            .myPasskeys: "Mis llaves de acceso",
            .signedIn: "Sesión iniciada",
            .tryAgain: "Intentar de nuevo",

            .homeTitle: "Inicia sesión sin contraseña",
            .homeLead: "Con una llave de acceso o con tu rostro: nada que recordar y nada que escribir en una página "
                + "falsa.",
            .signUpLink: "Crear",
            .passkeysLink: "Llaves",
            .signUpWay: "Elige un nombre; tu dispositivo guarda la llave.",
            .signInWay: "Con una llave de acceso que tienes.",
            .passkeysWay: "Verlas, cambiarles el nombre, quitarlas.",
            .faceLink: "Rostro",
            .faceWay: "Un control facial, aquí o en tu teléfono.",
            .usersTitle: "Quién está registrado",
            .usersHint: "Todos pueden ver esta lista. Quien administra el servidor la ha activado para hacer "
                + "pruebas.",

            .signUpLead: "Tu dispositivo pide luego tu rostro, tu dedo o su PIN, y guarda la llave de acceso.",
            .username: "Nombre",
            .signUpHint: "Cómo te llamas aquí; si parece un correo, es solo un nombre y no recibe nada. Para "
                + "añadir una llave de acceso a un nombre que ya tienes, inicia "
                + "sesión antes.",
            .havePasskey: "¿Ya tienes una llave de acceso?",
            .created: "Tu llave de acceso está lista",
            .kind: "Guardada",
            .credentialID: "Su id",
            .signInNow: "Probar: iniciar sesión",

            .attestationType: "Atestación",
            .userVerification: "Verificación del usuario",
            .residentKey: "Llave residente",
            .authenticatorAttachment: "Autenticador",
            .preferredAuthenticatorType: "Tipo preferido",
            .timeout: "Límite de tiempo en milisegundos",
            .algorithms: "Algoritmos",
            .customRpName: "Nombre del sitio (RP)",
            .customRpID: "Dominio de la llave (RP ID)",
            .customRpHint: "Solo un dominio que el servidor permita y al que pertenezca esta página.",

            .signInTitle: "Iniciar sesión con una llave de acceso",
            .signInLead: "Tu dispositivo pide tu rostro, tu dedo o su PIN.",
            .signInHint: "Déjalo vacío para elegir entre todas tus llaves de acceso.",
            .signInButton: "Usar una llave de acceso",
            .noPasskeyYet: "¿Aún no tienes una llave de acceso?",
            .byMail: "Recibir un código por correo",
            .mailTitle: "Iniciar sesión con un código por correo",
            .mailLead: "Para una cuenta que tiene un correo electrónico: el camino hacia una primera llave de "
                + "acceso, "
                + "o hacia una nueva cuando no queda ninguna.",
            .sendCode: "Enviar un código",
            .code: "Código del correo",

            .addPasskey: "Añadir una llave de acceso",
            .addHint: "Una segunda llave de acceso, en otro dispositivo o en una llave de seguridad, te sirve si "
                + "pierdes esta.",
            .strangerTitle: "Inicia sesión para ver tus llaves de acceso",
            .strangerLead: "Solo se te muestran a ti.",
            .removalTitle: "¿Quitar esta llave de acceso?",
            .removalLead: "Ya no servirá para iniciar sesión, y se cerrarán las demás sesiones abiertas con ella. "
                + "Quita también lo que tu dispositivo guarda de ella.",
            .remove: "Quitar",
            .keep: "Conservarla",

            .faceTitle: "Iniciar sesión con el rostro",
            .faceLead: "Para quien tiene una cuenta con un rostro registrado.",
            .email: "Correo electrónico",
            .where: "¿Dónde quieres hacer el control?",
            .here: "En este dispositivo",
            .elsewhere: "En mi teléfono",
            .withPasskey: "Iniciar sesión con una llave de acceso",
            .waitingTitle: "Esperando tu control facial",
            .hereLead: "El control se ha abierto en otra pestaña. Cuando termine, esta página sigue por sí sola.",
            .elsewhereLead: "Abre este código con la cámara de tu teléfono.",
            .codeLabel: "Código QR con la dirección del control facial",
            .numberLead: "Después escribe allí este número:",
            .openScan: "Abrir el control facial",
            .stepOpen: "Abre el control",
            .stepStart: "El control se está iniciando",
            .stepScan: "Muestra tu rostro",
            .stepJudge: "El control se está comprobando",
            .giveUp: "Cancelar",
            .notSignedIn: "No se inició la sesión",
            .faceDone: "Con una llave de acceso en este dispositivo, la próxima vez no hay control.",
        ],
        scriptWords: [
            .starting: "Un momento …",
            .followTheDevice: "Sigue lo que pide tu dispositivo.",
            .checking: "Comprobando …",
            .signedInAs: "Sesión de {name}",
            .signedOut: "Has cerrado la sesión.",

            .synced: "Sincronizada",
            .syncable: "Aún sin sincronizar",
            .onOneDevice: "En un solo dispositivo",
            .createdAt: "Creada el {day}",
            .lastUsed: "Usada por última vez el {day}",
            .neverUsed: "Aún sin usar",
            .unnamed: "Llave de acceso del {day}",
            .onePasskey: "1 llave de acceso",
            .passkeys: "{n} llaves de acceso",
            .nobody: "Nadie todavía. Crea la primera llave de acceso.",
            .noneYet: "Aún no hay ninguna. Añade una.",
            .rename: "Cambiar nombre",
            .renameNamed: "Cambiar el nombre de {name}",
            .nameOfPasskey: "Nombre de esta llave de acceso",
            .save: "Guardar",
            .cancel: "Cancelar",
            .remove: "Quitar",
            .removeNamed: "Quitar {name}",
            .renamed: "Ahora se llama «{name}».",
            .removed: "Se quitó «{name}».",
            .added: "Se añadió la llave de acceso.",

            .faceCreated: "Abre el control: te esperamos.",
            .faceOpened: "El control se ha abierto y se está iniciando.",
            .faceScanning: "El control está en marcha. Mira allí a la cámara.",
            .faceJudged: "El control se está comprobando.",
            .providerDegraded: "El servicio de control facial responde despacio. Tu inicio de sesión continúa.",
            .timeLeft: "Quedan {time}",
            .faceCancelled: "Se canceló el inicio de sesión.",
            .faceOver: "Este inicio de sesión ha terminado. Empieza de nuevo.",

            .cancelledConfirm: "Se canceló, o este dispositivo no tiene una llave de acceso para ello. Inténtalo de "
                + "nuevo; si la cuenta no tiene ninguna, continúa sin ella.",
            .confirmOver: "Esto ha terminado. Empieza de nuevo en la aplicación.",
            .codeSent: "Si una cuenta tiene esta dirección, un código está en camino. Escribe aquí sus seis cifras.",
            .codeWrong: "Este código es incorrecto o ya no sirve. Escribe las seis cifras del último correo, o envía "
                + "otro código.",

            .noPasskeys: "Este navegador no puede usar llaves de acceso aquí. Actualízalo, o abre la página por "
                + "https "
                + "en otro.",
            .needsHTTPS: "Un navegador no puede hacerlo por http sin cifrar. Abre esta página por https.",
            .nameMissing: "Escribe primero un nombre.",
            .algorithmMissing: "Elige al menos un algoritmo.",
            .emailWrong: "Escribe tu correo electrónico, como ada@example.com.",
            .nameTaken: "Alguien tiene ese nombre. Si eres tú, inicia sesión antes; si no, elige otro.",
            .lastPasskey: "Es tu única llave de acceso. Añade otra antes de quitarla.",
            .passkeyGone: "Esta llave de acceso ya no existe. Recarga la página.",

            .cancelled: "No se creó nada: se canceló o no se permitió. Inténtalo de nuevo cuando quieras.",
            .cancelledSignIn: "No se inició la sesión: se canceló, o este dispositivo no tiene una llave de acceso "
                + "para ello. Inténtalo de nuevo, elige otro dispositivo o crea una llave de acceso.",
            .tookTooLong: "Tardó demasiado. Inténtalo de nuevo y responde a tu dispositivo mientras pregunta.",
            .alreadyRegistered: "Este dispositivo ya tiene una llave de acceso para ese nombre. Inicia sesión con "
                + "ella o usa otro.",
            .alreadyOnThisDevice: "Este dispositivo ya tiene una llave de acceso tuya. Usa otro o una llave de "
                + "seguridad.",
            .wrongAddress: "Las llaves de acceso de «{rp}» no sirven en «{host}». Abre esta página en {rp}, o pide a "
                + "quien administra el servidor que revise el RP ID.",
            .notSupported: "Tu dispositivo no conoce ninguno de estos algoritmos. Elige más, o usa otro dispositivo.",
            .notCapable: "Tu dispositivo no puede lo que piden los ajustes. Cámbialos, o usa otro dispositivo.",
            .deviceFault: "Tu dispositivo informó de un fallo. Inténtalo de nuevo o usa otro.",

            .notVerified: "El servidor no lo aceptó. Inténtalo de nuevo.",
            .unknownPasskey: "El servidor no conoce esta llave de acceso; quizá se quitó. Usa otra o crea una.",
            .challengeOver: "Tardó más de lo que espera el servidor. Inténtalo de nuevo.",
            .notAccepted: "El servidor no lo aceptó: {reason}",
            .registrationClosed: "Aquí nadie puede registrarse por su cuenta. Pide una cuenta a quien administra el "
                + "servidor.",
            .notListed: "El servidor no crea llaves de acceso para ese dominio o nombre (RP). Deja vacíos los dos "
                + "campos.",
            .badName: "Ese nombre no sirve. Elige uno más corto, en una línea y sin caracteres ocultos.",
            .badUsername: "Aquí un nombre tiene como máximo 64 letras, cifras, espacios y . _ - + ', o la forma "
                + "de un "
                + "correo electrónico.",
            .tooManyPasskeys: "Tienes todas las llaves de acceso posibles. Quita una y añade después esta.",
            .signInFirst: "Inicia sesión antes.",
            .signInAgain: "Tu inicio de sesión es demasiado antiguo para esto. Inicia sesión otra vez y vuelve.",
            .signInByIt: "Para quitarla, inicia sesión con esa llave de acceso, o con otra que tenga más de un día.",
            .tooMany: "Demasiados intentos. Espera {seconds} s e inténtalo de nuevo.",
            .serverDown: "El servidor tiene un fallo. Inténtalo de nuevo en un momento.",
            .noAnswer: "El servidor no responde. Inténtalo de nuevo.",
            .offline: "No se puede contactar con el servidor. Revisa la conexión e inténtalo de nuevo.",
            .somethingWrong: "Algo salió mal. Recarga la página.",
        ]
    )
}
