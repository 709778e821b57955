import Accounts

extension MailTexts {
    static let spanish = MailTexts(
        language: "es",
        code: LinkText(
            subject: "Su código de acceso para %",
            body: "Escriba este código en el dispositivo con el que está entrando en %:",
            link: "Mostrar el código en una página",
            validity: "El código sirve una sola vez, durante #.",
            unasked: "Si no está entrando, no haga caso de este mensaje y no dé el código a nadie. Nunca lo pedimos."
        ),
        proof: LinkText(
            subject: "Confirme su dirección de correo para %",
            body: "Alguien ha usado esta dirección para una cuenta en %. Si ha sido usted, confirme que es suya:",
            link: "Confirmar esta dirección",
            validity: "El enlace vale #.",
            unasked: "Si no ha sido usted, no haga caso de este mensaje: la dirección queda sin confirmar."
        ),
        proofCode: CodeText(
            lead: "El enlace cierra la sesión en todas las aplicaciones. Para seguir con la sesión iniciada, "
                + "escriba mejor "
                + "este código en la aplicación de %:",
            warning: "Escríbalo solo en una aplicación en la que usted mismo abrió la cuenta o pidió esta "
                + "dirección, y no "
                + "se lo dé a nadie."
        ),
        provenInApp: NoticeText(
            subject: "Su dirección de correo para % está confirmada",
            body: "Su dirección se ha confirmado con un código escrito en este dispositivo: #. Sigue con la "
                + "sesión iniciada. "
                + "Todo lo demás que antes había entrado o se había configurado en su cuenta de % se ha retirado."
        ),
        namelessDevice: "un dispositivo sin nombre",
        notices: [
            .passkeyAdded: NoticeText(
                subject: "Se ha añadido una llave de acceso a su cuenta de %",
                body: "Desde ahora esa llave de acceso permite entrar en su cuenta de %."
            ),
            .passkeyRemoved: NoticeText(
                subject: "Se ha quitado una llave de acceso de su cuenta de %",
                body: "Esa llave de acceso ya no permite entrar en su cuenta de %. "
                    + "Las demás llaves de la cuenta siguen valiendo. "
                    + "Las sesiones que la retirada abrió en otros lugares han terminado."
            ),
            .deviceKeyAdded: NoticeText(
                subject: "Se ha configurado un dispositivo para su cuenta de %",
                body: "Desde ahora ese dispositivo puede entrar en su cuenta de % con su propia clave."
            ),
            .deviceKeyReplaced: NoticeText(
                subject: "Se ha cambiado la clave de un dispositivo en su cuenta de %",
                body: "Un dispositivo que entra en su cuenta de % tiene una clave nueva. La anterior ya no sirve."
            ),
            .deviceAdded: NoticeText(
                subject: "Se ha añadido un dispositivo a su cuenta de %",
                body: "Se ha añadido un dispositivo a su cuenta de % y desde ahora se reconoce. "
                    + "Puede iniciar sesión, y lo que comience cuenta como suyo."
            ),
            .deviceCredentialReplaced: NoticeText(
                subject: "Se ha registrado de nuevo un dispositivo en su cuenta de %",
                body: "Un dispositivo de su cuenta de % se ha registrado de nuevo y desde ahora se reconoce. "
                    + "Lo que servía antes para reconocerlo ya no sirve."
            ),
            .faceEnrolled: NoticeText(
                subject: "Se ha registrado un rostro para su cuenta de %",
                body: "Desde ahora un control del rostro permite entrar en su cuenta de %."
            ),
            .passwordChanged: NoticeText(
                subject: "Se ha cambiado la contraseña de su cuenta de %",
                body: "La contraseña de su cuenta de % se ha puesto o cambiado. La anterior ya no sirve."
            ),
            .emailChanged: NoticeText(
                subject: "Se ha cambiado la dirección de correo de su cuenta de %",
                body: "Su cuenta de % tiene ahora otra dirección de correo. Con esta ya no se puede entrar."
            ),
            .earlierAccessRemoved: NoticeText(
                subject: "Se han retirado los accesos anteriores a su cuenta de %",
                body: "Su dirección se ha confirmado desde un dispositivo nuevo. Todo lo que antes había "
                    + "entrado o se "
                    + "había configurado en su cuenta de % se ha retirado."
            ),
        ],
        alarm: "Si ha sido usted, no tiene que hacer nada. Si no, puede que otra persona tenga acceso a su cuenta: "
            + "avise enseguida a los responsables de %.",
        test: NoticeText(
            subject: "Un mensaje de prueba de %",
            body: "Si puede leer esto, el correo de % llega. Un administrador ha pedido este mensaje."
        ),
        footer: "% ha enviado este mensaje automáticamente. Puede que nadie lea las respuestas.",
        units: Units(minute: "minuto", minutes: "minutos", hours: "horas")
    )
}
