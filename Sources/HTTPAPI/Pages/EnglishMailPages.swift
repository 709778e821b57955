extension Texts.MailPageText {
    static let english = Texts.MailPageText(
        code: .init(
            title: "Your sign-in code",
            body: "Type it on the device where you are signing in. It works there alone.",
            button: nil
        ),
        codeNote: "It works for # more minutes. Give it to nobody: we never ask for it.",
        codeOver: .init(
            title: "This code is no longer valid",
            body: "It was used, a newer one was sent, or its time has run out. Ask for a new one in the app.",
            button: nil
        ),
        proof: .init(
            title: "Confirm your e-mail address",
            body:
                "An account was opened with this address. If it is yours, confirm it. Whatever was signed in or set up "
                + "for the account before is removed then: sign in again afterwards.",
            button: "Confirm this address"
        ),
        proven: .init(
            title: "Your address is confirmed",
            body: "You can close this page, and sign in.",
            button: nil
        ),
        proofOver: .init(
            title: "This link is no longer valid",
            body: "It has expired, or the account no longer has this address. Sign in with a code by mail instead.",
            button: nil
        ),
        busy: .init(
            title: "Too many at once",
            body: "Too much was asked for from your network. Try again in a moment.",
            button: nil
        ),
        serverDown: .init(
            title: "We can't go on just now",
            body: "The server is busy with a fault of its own. Open the link again in a moment.",
            button: nil
        )
    )
}
