import Accounts

extension MailTexts {
    static let french = MailTexts(
        language: "fr",
        code: LinkText(
            subject: "Votre code de connexion pour %",
            body: "Saisissez ce code sur l’appareil avec lequel vous vous connectez à % :",
            link: "Afficher le code sur une page",
            validity: "Le code sert une seule fois, pendant #.",
            unasked:
                "Si vous n’êtes pas en train de vous connecter, ignorez ce message et ne donnez le code à personne. "
                + "Nous ne le demandons jamais."
        ),
        proof: LinkText(
            subject: "Confirmez votre adresse e-mail pour %",
            body:
                "Quelqu’un a utilisé cette adresse pour un compte chez %. Si c’était vous, confirmez qu’elle "
                + "est à vous :",
            link: "Confirmer cette adresse",
            validity: "Le lien est valable #.",
            unasked: "Si ce n’était pas vous, ignorez ce message : l’adresse reste non confirmée."
        ),
        proofCode: CodeText(
            lead: "Le lien déconnecte toutes les applications. Pour rester connecté, saisissez plutôt ce code dans "
                + "l’application de % :",
            warning: "Ne le saisissez que dans une application où vous avez vous-même ouvert le compte ou "
                + "demandé cette "
                + "adresse, et ne le donnez à personne."
        ),
        provenInApp: NoticeText(
            subject: "Votre adresse e-mail pour % est confirmée",
            body: "Votre adresse a été confirmée par un code saisi sur cet appareil : #. Il reste connecté. "
                + "Tout le reste "
                + "qui était connecté ou configuré auparavant pour votre compte chez % a été supprimé."
        ),
        namelessDevice: "un appareil sans nom",
        notices: [
            .passkeyAdded: NoticeText(
                subject: "Une clé d’accès a été ajoutée à votre compte %",
                body: "Désormais, cette clé d’accès permet de se connecter à votre compte chez %."
            ),
            .passkeyRemoved: NoticeText(
                subject: "Une clé d’accès a été retirée de votre compte %",
                body: "Cette clé d’accès ne permet plus de se connecter à votre compte chez %. "
                    + "Les autres clés du compte restent valables. "
                    + "Les sessions que la clé retirée avait ouvertes ailleurs ont pris fin."
            ),
            .deviceKeyAdded: NoticeText(
                subject: "Un appareil a été configuré pour votre compte %",
                body: "Désormais, cet appareil peut se connecter à votre compte chez % avec sa propre clé."
            ),
            .deviceKeyReplaced: NoticeText(
                subject: "La clé d’un appareil a été remplacée dans votre compte %",
                body: "Un appareil qui se connecte à votre compte chez % a une nouvelle clé. L’ancienne ne sert plus."
            ),
            .deviceAdded: NoticeText(
                subject: "Un appareil a été ajouté à votre compte %",
                body: "Un appareil a été ajouté à votre compte chez % et est désormais reconnu. "
                    + "Il peut se connecter, et ce qu’il commence compte comme venant de vous."
            ),
            .deviceCredentialReplaced: NoticeText(
                subject: "Un appareil a été enregistré à nouveau dans votre compte %",
                body: "Un appareil de votre compte chez % a été enregistré à nouveau et est désormais reconnu. "
                    + "Ce qui le faisait reconnaître avant ne sert plus."
            ),
            .faceEnrolled: NoticeText(
                subject: "Un visage a été enregistré pour votre compte %",
                body: "Désormais, un contrôle du visage permet de se connecter à votre compte chez %."
            ),
            .passwordChanged: NoticeText(
                subject: "Le mot de passe de votre compte % a été changé",
                body: "Le mot de passe de votre compte chez % a été défini ou changé. Un ancien ne sert plus."
            ),
            .emailChanged: NoticeText(
                subject: "L’adresse e-mail de votre compte % a été changée",
                body:
                    "Votre compte chez % a maintenant une autre adresse e-mail. Celle-ci ne permet plus de se "
                    + "connecter."
            ),
            .earlierAccessRemoved: NoticeText(
                subject: "Les accès antérieurs à votre compte % ont été supprimés",
                body:
                    "Votre adresse a été confirmée depuis un nouvel appareil. Tout ce qui était connecté ou "
                    + "configuré "
                    + "auparavant pour votre compte chez % a été supprimé."
            ),
        ],
        alarm: "Si c’était vous, il n’y a rien à faire. Sinon, quelqu’un d’autre a peut-être accès à votre compte : "
            + "prévenez tout de suite les responsables de %.",
        test: NoticeText(
            subject: "Un message d’essai de %",
            body: "Si vous lisez ceci, le courrier de % arrive. Un administrateur a demandé ce message."
        ),
        footer: "% a envoyé ce message automatiquement. Les réponses ne sont peut-être pas lues.",
        units: Units(minute: "minute", minutes: "minutes", hours: "heures")
    )
}
