import Operations

extension Texts {
    static let french = Texts(
        language: "fr",
        failures: [
            .declined: "La connexion a été refusée.",
            .deniedNotMe: "La connexion a été arrêtée : quelqu’un a indiqué qu’elle n’était pas la sienne.",
            .notMatched: "Le visage ne correspond pas. Réessayez avec un meilleur éclairage.",
            .livenessFailed:
                "Le contrôle n’a pas vu de visage vivant. Réessayez avec un meilleur éclairage, sans masque.",
            .tooManyAttempts: "Il y a eu trop de tentatives. Réessayez plus tard.",
            .expired: "La connexion n’a pas été terminée à temps. Recommencez.",
            .canceled: "La connexion a été annulée.",
            .superseded: "Une connexion plus récente a été lancée.",
            .providerError: "Le contrôle du visage a échoué chez le prestataire. Recommencez.",
            .providerUnavailable: "Le service de contrôle du visage est injoignable. Réessayez dans quelques "
                + "minutes.",
            .accountBlocked: "Ce compte ne peut pas se connecter pour le moment. Adressez-vous à votre "
                + "administrateur.",
        ],
        pages: [
            .landing: PageText(
                title: "Passer au contrôle du visage",
                body:
                    "Vous allez être dirigé vers le contrôle du visage. Gardez ouverte l’application qui vous a "
                    + "envoyé ici.",
                button: "Commencer le contrôle"
            ),
            .starting: PageText(
                title: "Un instant",
                body: "Le contrôle du visage est en cours de lancement. Si rien ne se passe, continuez ci-dessous.",
                button: "Continuer"
            ),
            .providerDown: PageText(
                title: "Le contrôle du visage ne répond pas",
                body: "Le service est injoignable pour le moment. Votre connexion reste ouverte : réessayez.",
                button: "Réessayer"
            ),
            .notOnThisDevice: PageText(
                title: "Impossible de lancer le contrôle sur cet appareil",
                body: "Connectez-vous d’abord d’une autre façon ; le contrôle du visage fonctionnera ensuite ici.",
                button: nil
            ),
            .tooManyRestarts: PageText(
                title: "Lancé trop souvent",
                body:
                    "Cette connexion a été lancée depuis trop d’endroits. Commencez-en une nouvelle dans "
                    + "l’application.",
                button: nil
            ),
            .tooManyNumbers: PageText(
                title: "Le nombre était faux trois fois",
                body:
                    "Cette connexion a été arrêtée. Si elle est de vous, commencez-en une nouvelle dans "
                    + "l’application.",
                button: nil
            ),
            .denied: PageText(
                title: "La connexion a été arrêtée",
                body:
                    "Personne n’a été connecté. Vous n’avez rien d’autre à faire. Si cela se reproduit, "
                    + "prévenez votre "
                    + "administrateur.",
                button: nil
            ),
            .over: PageText(
                title: "Ce lien n’est plus valable",
                body:
                    "La connexion est terminée ou son délai est écoulé. Commencez-en une nouvelle dans "
                    + "l’application.",
                button: nil
            ),
            .signInAgain: PageText(
                title: "Reconnectez-vous d’abord",
                body: "Pour enregistrer un visage, votre connexion doit dater de moins de dix minutes. Fermez "
                    + "cette page, "
                    + "déconnectez-vous dans l’application et reconnectez-vous. Puis enregistrez votre visage.",
                button: nil
            ),
            .addressFirst: PageText(
                title: "Montrez d’abord que l’adresse est la vôtre",
                body:
                    "Pour enregistrer un visage, votre adresse e-mail doit être vérifiée. Fermez cette page et suivez "
                    + "le lien du message que nous vous avons envoyé. Puis enregistrez votre visage dans "
                    + "l’application.",
                button: nil
            ),
            .tryLater: PageText(
                title: "Impossible pour le moment",
                body: "Votre visage ne peut pas être enregistré pour l’instant. Fermez cette page, attendez une minute "
                    + "et réessayez dans l’application.",
                button: nil
            ),
            .acceptedForService: PageText(
                title: "Votre contrôle est accepté",
                body: "Le service qui vous l’a demandé continue. Vous pouvez fermer cette page.",
                button: nil
            ),
            .crossSite: PageText(
                title: "Non lancé",
                body:
                    "Un autre site a demandé ce contrôle du visage. Si vous êtes en train de vous connecter, "
                    + "revenez à "
                    + "l’application et ouvrez le lien depuis là.",
                button: nil
            ),
            .accepted: PageText(
                title: "Le contrôle est accepté",
                body: "Revenez à l’application : elle vous connecte. Vous pouvez fermer cette page.",
                button: nil
            ),
            .failed: PageText(
                title: "Vous n’avez pas été connecté",
                body: "Revenez à l’application.",
                button: nil
            ),
            .comingBack: PageText(
                title: "De retour du contrôle",
                body: "Le contrôle est en cours de vérification. Si rien ne se passe, continuez ci-dessous.",
                button: "Continuer"
            ),
            .underWay: PageText(
                title: "Vérification du contrôle",
                body: "Le contrôle est en cours de vérification. Si rien ne se passe, continuez ci-dessous.",
                button: "Continuer"
            ),
            .elsewhere: PageText(
                title: "Retour à l’application",
                body: "Revenez à l’application : elle prend la suite. Vous pouvez fermer cette page.",
                button: nil
            ),
            .serverDown: PageText(
                title: "Impossible de continuer pour l’instant",
                body: "Le serveur rencontre une panne. Votre connexion reste ouverte : réessayez dans un instant.",
                button: "Réessayer"
            ),
            .busy: PageText(
                title: "Trop de demandes à la fois",
                body: "Trop de contrôles du visage ont été demandés depuis votre réseau. Votre connexion "
                    + "reste ouverte : réessayez dans un instant.",
                button: "Réessayer"
            ),
            .serverFault: PageText(
                title: "Un problème est survenu ici",
                body: "Ce n’est pas de votre faute. Commencez une nouvelle connexion dans l’application.",
                button: nil
            ),
            .passkeyNeeded: PageText(
                title: "Il faut une clé d’accès",
                body: "Revenez en arrière et utilisez une clé d’accès du compte. Si vous n’en avez pas ici, "
                    + "connectez-vous d’abord d’une autre façon.",
                button: "Revenir en arrière"
            ),
            .passkeyRefused: PageText(
                title: "La clé d’accès n’a pas été acceptée",
                body: "Elle n’est pas de ce compte, ou cela a pris trop de temps. Revenez en arrière et utilisez une "
                    + "clé d’accès du compte ; si vous n’en avez pas ici, connectez-vous d’abord d’une autre façon.",
                button: "Revenir en arrière"
            ),
        ],
        confirm: ConfirmText(
            title: "Est-ce bien vous ?",
            body: "Continuez seulement si vous venez de lancer cette connexion vous-même. Personne ne vous demandera "
                + "jamais d’ouvrir cette page à sa place.",
            asked:
                "Un service vous demande de vous identifier. Continuez seulement si vous êtes en contact avec "
                + "lui en ce "
                + "moment et si vous attendez cette demande.",
            askedInWords:
                "Un service vous demande de vous identifier. Continuez seulement si vous êtes en contact avec lui en "
                + "ce moment et s’il vous montre ou vous dit exactement les mots ci-dessous.",
            client: "Connexion à",
            account: "Pour",
            address: "Lancée depuis",
            agent: "Avec",
            started: "Quand",
            unknown: "inconnu",
            justNow: "il y a moins d’une minute",
            minutesAgo: "il y a % min",
            number: "Nombre affiché par l’application",
            numberHint: "Saisissez les deux chiffres que l’application vous montre.",
            numberMissing: "Saisissez les deux chiffres que l’application vous montre.",
            numberWrong: "Ce n’est pas le nombre affiché par l’application. Essais restants : %.",
            button: "Continuer",
            denial: "Ce n’était pas moi",
            passkey: Texts.PasskeyText(
                hint: "Si le compte a une clé d’accès, elle seule permet de continuer ici.",
                with: "Continuer avec une clé d’accès",
                without: "Continuer sans clé d’accès",
                needsScript: "Les clés d’accès ont besoin de JavaScript, qui ne fonctionne pas ici. Sans lui, vous "
                    + "ne pouvez continuer que si le compte n’a pas de clé d’accès."
            )
        ),
        signedIn: .french,
        mail: .french,
        logout: .french,
        authorize: .french,
        site: .french,
        authorization: frenchSignIn
    )
}

extension Texts.SignedInText {
    static let french = Texts.SignedInText(
        failures: [
            .declined: "La demande a été refusée.",
            .deniedNotMe: "La demande a été arrêtée : quelqu’un a indiqué qu’elle n’était pas la sienne.",
            .expired: "La demande n’a pas été terminée à temps. Recommencez.",
            .canceled: "La demande a été annulée.",
            .superseded: "Une demande plus récente a été lancée.",
            .accountBlocked: "Ce compte ne peut pas être utilisé d’ici pour le moment. Adressez-vous à votre "
                + "administrateur.",
        ],
        pages: [
            .providerDown: Texts.PageText(
                title: "Le contrôle du visage ne répond pas",
                body: "Le service est injoignable pour le moment. Rien n’est perdu : réessayez.",
                button: "Réessayer"
            ),
            .tooManyRestarts: Texts.PageText(
                title: "Lancé trop souvent",
                body: "Cette demande a été lancée depuis trop d’endroits. Recommencez dans l’application.",
                button: nil
            ),
            .tooManyNumbers: Texts.PageText(
                title: "Le nombre était faux trois fois",
                body: "Cette demande a été arrêtée. Si elle est de vous, recommencez dans l’application.",
                button: nil
            ),
            .denied: Texts.PageText(
                title: "La demande a été arrêtée",
                body: "Rien n’a été approuvé ni modifié. Vous n’avez rien d’autre à faire. Si cela se "
                    + "reproduit, prévenez votre administrateur.",
                button: nil
            ),
            .over: Texts.PageText(
                title: "Ce lien n’est plus valable",
                body: "La demande est terminée ou son délai est écoulé. Recommencez dans l’application.",
                button: nil
            ),
            .crossSite: Texts.PageText(
                title: "Non lancé",
                body: "Un autre site a demandé ce contrôle du visage. Si la demande vient de vous, revenez "
                    + "à l’application et ouvrez le lien depuis là.",
                button: nil
            ),
            .accepted: Texts.PageText(
                title: "Le contrôle est accepté",
                body: "Revenez à l’application. Vous pouvez fermer cette page.",
                button: nil
            ),
            .failed: Texts.PageText(
                title: "Cela n’a pas fonctionné",
                body: "Revenez à l’application.",
                button: nil
            ),
            .serverDown: Texts.PageText(
                title: "Impossible de continuer pour l’instant",
                body: "Le serveur rencontre une panne. Rien n’est perdu : réessayez dans un instant.",
                button: "Réessayer"
            ),
            .busy: Texts.PageText(
                title: "Trop de demandes à la fois",
                body: "Trop de contrôles du visage ont été demandés depuis votre réseau. Rien n’est perdu "
                    + ": réessayez dans un instant.",
                button: "Réessayer"
            ),
            .serverFault: Texts.PageText(
                title: "Un problème est survenu ici",
                body: "Ce n’est pas de votre faute. Recommencez dans l’application.",
                button: nil
            ),
            .passkeyNeeded: Texts.PageText(
                title: "Il faut une clé d’accès",
                body: "Revenez en arrière et utilisez une clé d’accès du compte.",
                button: "Revenir en arrière"
            ),
            .passkeyRefused: Texts.PageText(
                title: "La clé d’accès n’a pas été acceptée",
                body: "Elle n’est pas de ce compte, ou cela a pris trop de temps. Revenez en arrière et utilisez une "
                    + "clé d’accès du compte.",
                button: "Revenir en arrière"
            ),
        ],
        approval: Texts.ApprovalText(
            title: "Approuvez-vous ceci ?",
            body: "Continuez seulement si vous venez de le demander vous-même. Personne ne vous "
                + "demandera jamais d’approuver quelque chose à sa place.",
            amount: "Montant",
            payee: "À",
            client: "Demandé par",
            button: "Approuver par le visage",
            payment: "Paiement avec la carte terminée par %"
        )
    )
}

extension Texts.MailPageText {
    static let french = Texts.MailPageText(
        code: .init(
            title: "Votre code de connexion",
            body: "Saisissez-le sur l’appareil où vous vous connectez. Il ne fonctionne que là.",
            button: nil
        ),
        codeNote: "Il est valable encore # min. Ne le donnez à personne : nous ne le demandons jamais.",
        codeOver: .init(
            title: "Ce code n’est plus valable",
            body: "Il a servi, un plus récent a été envoyé, ou son délai est passé. Demandez-en un nouveau dans "
                + "l’application.",
            button: nil
        ),
        proof: .init(
            // A no-break hyphen: a narrow page would break the line after the e.
            title: "Confirmez votre adresse e\u{2011}mail",
            body: "Votre compte chez % doit recevoir cette adresse. Si vous l’avez demandé, confirmez-la. Vous "
                + "restez "
                + "connecté ici.",
            button: "Confirmer cette adresse"
        ),
        proofElsewhere: .init(
            title: "Confirmez votre adresse e\u{2011}mail",
            body:
                "Un compte chez % doit recevoir cette adresse. Si vous l’avez demandé dans une application, "
                + "saisissez-y "
                + "plutôt le code du message : elle reste connectée. Ce bouton déconnecte toutes les "
                + "applications et tous "
                + "les navigateurs, aussi sur cet appareil, et retire ce qui a été installé auparavant. "
                + "Reconnectez-vous "
                + "ensuite, avec un code par e-mail.",
            button: "Confirmer et déconnecter partout"
        ),
        password: .init(
            label: "Le mot de passe du compte",
            hint: "Avec lui, rien n’est retiré. Laissez vide si ce n’est pas vous qui avez ouvert le compte.",
            wrong: "Ce n’est pas le mot de passe du compte. Rien n’a changé : réessayez, ou laissez vide."
        ),
        proven: .init(
            title: "Votre adresse est confirmée",
            body: "Vous pouvez fermer cette page et vous connecter.",
            button: nil
        ),
        proofOver: .init(
            title: "Ce lien n’est plus valable",
            body: "Il a expiré, ou le compte n’a plus cette adresse. Connectez-vous plutôt avec un code par e-mail.",
            button: nil
        ),
        busy: .init(
            title: "Trop de demandes à la fois",
            body: "Trop de demandes sont venues de votre réseau. Réessayez dans un instant.",
            button: nil
        ),
        serverDown: .init(
            title: "Impossible de continuer pour le moment",
            body: "Le serveur a un problème. Rouvrez le lien dans un instant.",
            button: nil
        )
    )
}

extension Texts.LogoutText {
    static let french = Self(
        ask: .init(
            title: "Se déconnecter ?",
            body: "Une application demande de déconnecter ce navigateur. "
                + "Les autres applications et appareils restent connectés.",
            button: "Se déconnecter"
        ),
        client: "L’application",
        done: .init(title: "Vous êtes déconnecté", body: "Vous pouvez fermer cette page.", button: nil),
        refused: .init(
            title: "Ce lien ne peut pas être suivi",
            body: "L’application a demandé ce pour quoi elle n’est pas enregistrée. Personne n’a été déconnecté.",
            button: nil
        )
    )
}
