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
}
