extension Texts.AuthorizeText {
    static let french = Self(
        refused: .init(
            title: "Cette connexion ne peut pas continuer",
            body:
                "L’application ou le site qui vous a envoyé ici a fait une demande qui n’est pas acceptée ; vous n’y avez "
                + "donc pas été renvoyé. Rien n’a été connecté. Revenez en arrière et réessayez ; si cela persiste, "
                + "prévenez son responsable.",
            button: nil
        ),
        code: "Code",
        reason: "Raison",
        goingBack: .init(
            title: "Retour à l’application",
            body: "Vous allez être renvoyé à l’application. Si rien ne se passe, continuez avec le bouton.",
            button: "Continuer"
        )
    )
}
