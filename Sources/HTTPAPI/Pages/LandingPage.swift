import HTTPTypes

extension LandingPages {
    /// The pages that look the same for every visitor.
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

        /// The milliseconds after which the page submits its form without a click; `nil` if it never does.
        var submitsAfter: Int? {
            switch self {
            case .landing, .comingBack: 0
            case .starting: 1500
            case .inProgress: 2000
            default: nil
            }
        }

        /// The page's error code for programs, if the page refuses a passkey or a click without one.
        var code: String? {
            switch self {
            case .passkeyNeeded: "passkey_required"
            case .passkeyRefused: "passkey_refused"
            default: nil
            }
        }
    }

    /// The pages that explain a refusal to people whose published app cannot show it.
    ///
    /// The raw value takes the place of a ticket in the path; tickets are longer.
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

    /// The location of a page, from which its links are relative, so that a proxy may mount the pages anywhere.
    struct Location: Sendable {
        let ticket: String
        /// Whether the path of the request is below `/go/{ticket}`.
        let isBelow: Bool

        /// The relative address of `/go/{ticket}`.
        var page: String { up + ticket }
        var assets: String { up + "../assets" }

        private var up: String { isBelow ? "../" : "" }
    }
}
