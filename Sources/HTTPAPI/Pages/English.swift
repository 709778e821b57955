import Operations

extension Texts {
    static let english = Texts(
        language: "en",
        failures: [
            .declined: "The sign-in was declined.",
            .deniedNotMe: "The sign-in was stopped: somebody said that it was not theirs.",
            .notMatched: "The face did not match. Try again in better light.",
            .livenessFailed: "The scan could not see a living face. Try again in better light, without a mask.",
            .tooManyAttempts: "There were too many attempts. Try again later.",
            .expired: "The sign-in was not finished in time. Start again.",
            .canceled: "The sign-in was cancelled.",
            .superseded: "A newer sign-in was started.",
            .providerError: "The face scan failed at the provider. Start again.",
            .providerUnavailable: "The face scan service could not be reached. Try again in a few minutes.",
            .accountBlocked: "This account can't sign in at the moment. Ask your administrator.",
        ],
        pages: [
            .landing: PageText(
                title: "Continue to the face scan",
                body: "You will be taken to the face scan. Keep the app that sent you here open.",
                button: "Start the face scan"
            ),
            .starting: PageText(
                title: "One moment",
                body: "The face scan is being started. If nothing happens, continue below.",
                button: "Continue"
            ),
            .providerDown: PageText(
                title: "The face scan is not answering",
                body: "The face scan service can't be reached at the moment. Your sign-in is still open: try again.",
                button: "Try again"
            ),
            .notOnThisDevice: PageText(
                title: "We could not start the scan on this device",
                body: "Sign in another way first, then the face scan will work here.",
                button: nil
            ),
            .tooManyRestarts: PageText(
                title: "Started too often",
                body: "This sign-in was started from too many places. Start a new one in the app.",
                button: nil
            ),
            .tooManyNumbers: PageText(
                title: "The number was wrong three times",
                body: "This sign-in has been stopped. If it is yours, start a new one in the app.",
                button: nil
            ),
            .denied: PageText(
                title: "The sign-in has been stopped",
                body: "Nobody was signed in. You don't have to do anything else. If this happens again, tell your "
                    + "administrator.",
                button: nil
            ),
            .over: PageText(
                title: "This link is no longer valid",
                body: "The sign-in is over, or its time has run out. Start a new one in the app.",
                button: nil
            ),
            .signInAgain: PageText(
                title: "Sign in again first",
                body: "To set up a face, your sign-in has to be younger than ten minutes. Close this page, sign "
                    + "out in the app and "
                    + "sign in again. Then set up your face.",
                button: nil
            ),
            .addressFirst: PageText(
                title: "Show first that the address is yours",
                body: "To set up a face, your e-mail address has to be proved. Close this page, open the link in the "
                    + "mail that we sent you, and follow it. Then set up your face in the app.",
                button: nil
            ),
            .tryLater: PageText(
                title: "Not possible just now",
                body:
                    "Your face can't be set up at the moment. Close this page, wait a minute, and try again in the app.",
                button: nil
            ),
            .acceptedForService: PageText(
                title: "Your scan was accepted",
                body: "The service that asked you goes on from here. You can close this page.",
                button: nil
            ),
            .crossSite: PageText(
                title: "Not started",
                body: "Another website asked for this face scan. If you are signing in, go back to the app and open "
                    + "the link from there.",
                button: nil
            ),
            .accepted: PageText(
                title: "The scan was accepted",
                body: "Go back to the app: it signs you in. You can close this page.",
                button: nil
            ),
            .failed: PageText(
                title: "You were not signed in",
                body: "Go back to the app.",
                button: nil
            ),
            .comingBack: PageText(
                title: "Back from the scan",
                body: "The scan is being checked. If nothing happens, continue below.",
                button: "Continue"
            ),
            .underWay: PageText(
                title: "Checking the scan",
                body: "The scan is being checked. If nothing happens, continue below.",
                button: "Continue"
            ),
            .elsewhere: PageText(
                title: "Back to the app",
                body: "Go back to the app: it goes on from there. You can close this page.",
                button: nil
            ),
            .serverDown: PageText(
                title: "We can't go on just now",
                body: "The server is busy with a fault of its own. Your sign-in is still open: try again in a "
                    + "moment.",
                button: "Try again"
            ),
            .busy: PageText(
                title: "Too many at once",
                body: "Too many face scans were asked for from your network. Your sign-in is still open: try "
                    + "again in "
                    + "a moment.",
                button: "Try again"
            ),
            .serverFault: PageText(
                title: "Something went wrong here",
                body: "It is not your fault. Start a new sign-in in the app.",
                button: nil
            ),
            .passkeyNeeded: PageText(
                title: "This takes a passkey",
                body: "Go back and use a passkey of the account. If you have none here, sign in another way first.",
                button: "Go back"
            ),
            .passkeyRefused: PageText(
                title: "The passkey was not accepted",
                body: "It is not one of this account, or it took too long. Go back and use a passkey of the account; "
                    + "if you have none here, sign in another way first.",
                button: "Go back"
            ),
        ],
        confirm: ConfirmText(
            title: "Is this you?",
            body: "Go on only if you have just started this sign-in yourself. Nobody will ever ask you to open this "
                + "page for them.",
            asked: "A service asks you to sign in. Go on only if you are dealing with it just now and expect this.",
            askedInWords:
                "A service asks you to sign in. Go on only if you are dealing with it just now, and it shows or "
                + "tells "
                + "you the very words below.",
            client: "Sign in to",
            account: "For",
            address: "Started from",
            agent: "With",
            started: "When",
            unknown: "not known",
            justNow: "less than a minute ago",
            minutesAgo: "% min ago",
            number: "Number in the app",
            numberHint: "Type the two digits that the app shows you.",
            numberMissing: "Type the two digits that the app shows you.",
            numberWrong: "That is not the number that the app shows. Tries left: %.",
            button: "Continue",
            denial: "This wasn't me",
            passkey: Texts.PasskeyText(
                hint: "If the account has a passkey, only that passkey goes on from here.",
                with: "Continue with a passkey",
                without: "Continue without a passkey",
                needsScript: "Passkeys need JavaScript, which does not run here. Without it you can go on only if "
                    + "the account has no passkey."
            )
        ),
        signedIn: .english,
        mail: .english,
        logout: .english,
        authorize: .english,
        site: .english,
        authorization: englishSignIn
    )
}

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
            .passkeyNeeded: Texts.PageText(
                title: "This takes a passkey",
                body: "Go back and use a passkey of the account.",
                button: "Go back"
            ),
            .passkeyRefused: Texts.PageText(
                title: "The passkey was not accepted",
                body: "It is not one of this account, or it took too long. Go back and use a passkey of the account.",
                button: "Go back"
            ),
        ],
        approval: Texts.ApprovalText(
            title: "Do you approve this?",
            body: "Go on only if you have just asked for this yourself. Nobody will ever ask you to "
                + "approve something for them.",
            amount: "Amount",
            payee: "To",
            client: "Asked by",
            button: "Approve with a face scan",
            payment: "Payment with the card ending in %"
        )
    )
}

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
            // A no-break hyphen: a narrow page would break the line after the e.
            title: "Confirm your e\u{2011}mail address",
            body: "Your account at % is to have this address. If you asked for that, confirm it. You stay "
                + "signed in here.",
            button: "Confirm this address"
        ),
        proofElsewhere: .init(
            title: "Confirm your e\u{2011}mail address",
            body:
                "An account at % is to have this address. If you asked for that in an app, type the code from "
                + "the mail there "
                + "instead: the app stays signed in. This button signs every app and browser out, also on this "
                + "device, and "
                + "removes whatever was set up before. Sign in again afterwards, with a code by mail.",
            button: "Confirm, and sign out everywhere"
        ),
        password: .init(
            label: "The account’s password",
            hint: "With it, nothing is removed. Leave it empty if the account isn’t one that you opened.",
            wrong: "That isn’t the account’s password. Nothing was changed: try again, or leave it empty."
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

extension Texts.LogoutText {
    static let english = Self(
        ask: .init(
            title: "Sign out?",
            body: "An app asks to sign this browser out here. "
                + "What other apps and devices are signed in to stays as it is.",
            button: "Sign out"
        ),
        client: "The app",
        done: .init(title: "You are signed out", body: "You can close this page.", button: nil),
        refused: .init(
            title: "This link can’t be followed",
            body: "The app asked for something that it isn’t registered for. Nobody was signed out.",
            button: nil
        )
    )
}
