/// The words of the pages for each outcome.
enum PageText {
    static func button(_ outcome: Outcome) -> (label: String, note: String) {
        switch outcome {
        case .accept: ("Scan succeeds", "Live face, right person")
        case .rejectMatch: ("No match", "A different face")
        case .rejectLiveness: ("Not live", "A photo or a screen")
        case .rejectBoth: ("Neither", "Not live, no match")
        case .decline: ("Decline", "The person says no")
        case .cancel: ("Cancel", "The person leaves")
        case .expire: ("Time out", "As if nobody came")
        case .error: ("Provider error", "The service fails")
        }
    }

    static func result(_ outcome: Outcome, _ kind: ScanKind) -> (title: String, text: String) {
        switch outcome {
        case .accept:
            switch kind {
            case .login:
                ("You’re verified", "Your sign-in is confirmed. You can close this page and go back to the app.")
            case .enrolment: ("Face registered", "You can sign in with your face from now on. You can close this page.")
            }
        case .rejectMatch: ("That didn’t match", "The face in front of the camera isn’t the one on file.")
        case .rejectLiveness: ("We couldn’t see a live face", "Photos, screens and masks are turned away.")
        case .rejectBoth: ("We couldn’t verify you", "The picture was not live, and the face did not match.")
        case .decline: ("You said no", "This request was declined. Nobody is signed in.")
        case .cancel: ("Scan canceled", "You left before the scan was done.")
        case .expire: ("Time ran out", "This link has expired. Go back to the app and start again.")
        case .error: ("Something went wrong", "The scan could not be finished. Go back to the app and try again.")
        }
    }
}
