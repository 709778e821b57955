import Operations

extension Texts.SignedInText {
    static let english = Texts.SignedInText(
        failures: [
            .declined: "It was declined.",
            .deniedNotMe: "It was stopped: somebody said that it was not theirs.",
            .expired: "It was not finished in time. Start again.",
            .canceled: "It was cancelled.",
            .superseded: "A newer one was started.",
            .accountBlocked: "This account can't be used from here at the moment. Ask your administrator.",
        ],
        pages: [
            .providerDown: Texts.PageText(
                title: "The face scan is not answering",
                body: "The face scan service can't be reached at the moment. Nothing is lost: try again.",
                button: "Try again"
            ),
            .tooManyRestarts: Texts.PageText(
                title: "Started too often",
                body: "This was started from too many places. Start again in the app.",
                button: nil
            ),
            .tooManyNumbers: Texts.PageText(
                title: "The number was wrong three times",
                body: "This has been stopped. If it is yours, start again in the app.",
                button: nil
            ),
            .denied: Texts.PageText(
                title: "This has been stopped",
                body: "Nothing was approved or changed. You don't have to do anything else. If this "
                    + "happens again, tell your administrator.",
                button: nil
            ),
            .over: Texts.PageText(
                title: "This link is no longer valid",
                body: "It is over, or its time has run out. Start again in the app.",
                button: nil
            ),
            .crossSite: Texts.PageText(
                title: "Not started",
                body: "Another website asked for this face scan. If you asked for it, go back to the app "
                    + "and open the link from there.",
                button: nil
            ),
            .accepted: Texts.PageText(
                title: "The scan was accepted",
                body: "Go back to the app. You can close this page.",
                button: nil
            ),
            .failed: Texts.PageText(
                title: "It did not work",
                body: "Go back to the app.",
                button: nil
            ),
            .serverDown: Texts.PageText(
                title: "We can't go on just now",
                body: "The server is busy with a fault of its own. Nothing is lost: try again in a moment.",
                button: "Try again"
            ),
            .busy: Texts.PageText(
                title: "Too many at once",
                body: "Too many face scans were asked for from your network. Nothing is lost: try again in "
                    + "a moment.",
                button: "Try again"
            ),
            .serverFault: Texts.PageText(
                title: "Something went wrong here",
                body: "It is not your fault. Start again in the app.",
                button: nil
            ),
        ],
        approval: Texts.ApprovalText(
            title: "Do you approve this?",
            body: "Go on only if you have just asked for this yourself. Nobody will ever ask you to "
                + "approve something for them.",
            amount: "Amount",
            payee: "To",
            client: "Asked by",
            button: "Approve with a face scan"
        )
    )
}
