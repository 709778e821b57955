extension Texts {
    static let spanishEnrollment: [EnrollmentWord: String] = [
        .wallet: "Cartera de",
        .bank: "Banco",
        .cardCount: "Número de tarjetas",
        .card: "Tarjeta",
        .questionTitle: "¿Añadir las tarjetas de % a esta cartera?",
        .questionLead: "Has iniciado sesión en %. Mira bien de quién es la cartera a la que van sus tarjetas.",
        .questionNoCards: "Has iniciado sesión en %, que no tiene ninguna tarjeta tuya. Mira bien de quién es la "
            + "cartera a la que se va a añadir.",
        .fraud: "Sigue solo si es tu propia cartera y acabas de empezar esto en tu propia aplicación. Si alguien te "
            + "envió aquí, tus tarjetas acabarían en la suya: cancela.",
        .add: "Añadir a esta cartera",
        .cancel: "Cancelar",
        .addedTitle: "El banco se ha añadido",
        .addedLead: "Las tarjetas de % están en tu cartera. Puedes cerrar esta página.",
        .addedNoCards: "% se ha añadido, pero aún no tiene ninguna tarjeta tuya. Actualiza el banco en tu cartera "
            + "cuando tengas una.",
        .cancelledTitle: "El banco no se ha añadido",
        .cancelledLead: "Has cancelado, y en tu cartera no hay nada de %. Puedes empezar otra vez cuando quieras.",
        .unavailableTitle: "El banco no responde",
        .unavailableLead: "No se puede contactar con % ahora mismo, así que no se añadió ninguna tarjeta. Espera "
            + "unos minutos y empieza otra vez en tu cartera.",
        .refusedTitle: "El banco lo ha rechazado",
        .refusedLead: "% no ha dado acceso a tu cartera, así que no se añadió ninguna tarjeta. Empieza otra vez en "
            + "tu cartera; si sigue igual, pregunta al banco.",
        .expiredTitle: "Ha tardado demasiado",
        .expiredLead: "Hay diez minutos para ir a % y volver. Empieza otra vez en tu cartera.",
        .usedTitle: "Eso ya había terminado",
        .usedLead: "Esta respuesta de % se tomó una vez y no sirve de nuevo. Mira en tu cartera si las tarjetas "
            + "están; si no, empieza otra vez.",
        .accountTitle: "Tu sesión está cerrada",
        .accountLead: "No se añadió nada de %, porque la sesión que empezó esto ha terminado. Inicia sesión y "
            + "empieza otra vez.",
        .strangeTitle: "Esto no lleva a ninguna parte",
        .unknownLead: "Nadie espera aquí esta respuesta de un banco; quizá terminó hace tiempo. No se añadió nada. "
            + "Empieza otra vez en tu cartera.",
        .otherBankLead: "Responde otro banco que el preguntado, así que no se añadió nada. Empieza otra vez en tu "
            + "cartera; si sigue igual, avisa a quien gestiona este sitio.",
        .otherBrowserLead: "Esto empezó en otro navegador, así que no se añadió nada. Si alguien te envió este "
            + "enlace, quiere tus tarjetas en su cartera. Empieza tú, en la tuya.",
        .otherAccountLead: "Aquí has iniciado sesión con otra cuenta que la que empezó esto, así que no se añadió "
            + "nada. Si alguien te envió este enlace, quiere tus tarjetas en su cartera.",
        .crossSiteTitle: "Esto no viene de nuestra página",
        .crossSiteLead: "Otro sitio te envió aquí, y no se hizo nada. Para añadir un banco, empieza en tu cartera.",
    ]
}
