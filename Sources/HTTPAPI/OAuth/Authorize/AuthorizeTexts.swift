extension Texts {
    /// The words of the pages of the authorization endpoint itself.
    struct AuthorizeText: Sendable {
        let refused: PageText
        /// Beside the code of the error, and beside the sentence for whoever made the app.
        let code: String
        let reason: String
        /// Of the page that posts the answer to the client by itself.
        let goingBack: PageText
    }
}

extension Texts.AuthorizeText {
    static let english = Self(
        refused: .init(
            title: "This sign-in can't go on",
            body:
                "The app or site that sent you here asked in a way that is not accepted, so you were not sent back to it. "
                + "Nothing was signed in. Go back and try again; if it stays so, tell whoever runs it.",
            button: nil
        ),
        code: "Code",
        reason: "Reason",
        goingBack: .init(
            title: "Going back to the app",
            body: "You are being sent back. If nothing happens, go on with the button.",
            button: "Go on"
        )
    )

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

    static let spanish = Self(
        refused: .init(
            title: "Este inicio de sesión no puede continuar",
            body:
                "La aplicación o el sitio que te envió aquí hizo una petición que no se acepta, así que no se te envió de "
                + "vuelta. No se inició ninguna sesión. Vuelve atrás e inténtalo otra vez; si sigue igual, avisa a quien "
                + "lo gestiona.",
            button: nil
        ),
        code: "Código",
        reason: "Motivo",
        goingBack: .init(
            title: "De vuelta a la aplicación",
            body: "Te enviamos de vuelta. Si no pasa nada, sigue con el botón.",
            button: "Continuar"
        )
    )

    static let swedish = Self(
        refused: .init(
            title: "Den här inloggningen kan inte fortsätta",
            body:
                "Appen eller webbplatsen som skickade dig hit frågade på ett sätt som inte godtas, så du skickades inte "
                + "tillbaka. Ingenting loggades in. Gå tillbaka och försök igen; om det fortsätter, säg till den som "
                + "driver den.",
            button: nil
        ),
        code: "Kod",
        reason: "Orsak",
        goingBack: .init(
            title: "Tillbaka till appen",
            body: "Du skickas tillbaka. Om inget händer, gå vidare med knappen.",
            button: "Gå vidare"
        )
    )
}
