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
            title: "Confirmez votre adresse e-mail",
            body:
                "Un compte a été ouvert avec cette adresse. Si elle est à vous, confirmez-la. Tout ce qui a été connecté "
                + "ou installé auparavant pour ce compte est alors retiré : reconnectez-vous ensuite.",
            button: "Confirmer cette adresse"
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
