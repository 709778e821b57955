import HTTPTypes

extension LandingPages {
    /// The pages that are the same for everybody.
    enum Page: String, Sendable, CaseIterable {
        case landing, starting, providerDown, notOnThisDevice, tooManyRestarts, tooManyNumbers, denied, over, crossSite
        case serverDown, serverFault, accepted, failed, comingBack, inProgress, elsewhere, busy
        case passkeyNeeded, passkeyRefused, signInAgain, addressFirst, tryLater, acceptedForService

        var status: HTTPResponse.Status {
            switch self {
            case .landing, .starting, .notOnThisDevice, .denied, .accepted, .failed, .comingBack, .inProgress,
                .elsewhere,
                .signInAgain, .addressFirst, .tryLater, .acceptedForService:
                .ok
            case .providerDown, .serverDown: .serviceUnavailable
            case .tooManyRestarts, .busy: .tooManyRequests
            case .over: .gone
            case .crossSite, .tooManyNumbers, .passkeyNeeded, .passkeyRefused: .forbidden
            case .serverFault: .internalServerError
            }
        }

        /// The milliseconds after which the page sends its form by itself; `nil` for a page that does not.
        var submitsAfter: Int? {
            switch self {
            case .landing, .comingBack: 0
            case .starting: 1500
            case .inProgress: 2000
            default: nil
            }
        }

        /// The page's code for programs, where a further press or passkey would be refused.
        var code: String? {
            switch self {
            case .passkeyNeeded: "passkey_required"
            case .passkeyRefused: "passkey_refused"
            default: nil
            }
        }
    }

    /// The pages for people to whom the published app can tell nothing else.
    ///
    /// The raw value takes the position of a ticket in the path; a ticket is longer.
    enum Notice: String, Sendable, CaseIterable {
        case signInAgain = "sign-in-again"
        case addressFirst = "address-first"
        case tryLater = "try-later"

        var page: Page {
            switch self {
            case .signInAgain: .signInAgain
            case .addressFirst: .addressFirst
            case .tryLater: .tryLater
            }
        }
    }

    /// The location of a page, from which its links are relative, so that a proxy may mount it anywhere.
    struct Location: Sendable {
        let ticket: String
        /// Whether the page answers an address below `/go/{ticket}`.
        let isBelow: Bool

        /// `/go/{ticket}`.
        var page: String { up + ticket }
        var assets: String { up + "../assets" }

        private var up: String { isBelow ? "../" : "" }
    }
}
