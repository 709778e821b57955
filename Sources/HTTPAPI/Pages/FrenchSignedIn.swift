import Operations

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
        ],
        approval: Texts.ApprovalText(
            title: "Approuvez-vous ceci ?",
            body: "Continuez seulement si vous venez de le demander vous-même. Personne ne vous "
                + "demandera jamais d’approuver quelque chose à sa place.",
            amount: "Montant",
            payee: "À",
            client: "Demandé par",
            button: "Approuver par le visage"
        )
    )
}
