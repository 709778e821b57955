extension Texts.AuthorizeText {
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
