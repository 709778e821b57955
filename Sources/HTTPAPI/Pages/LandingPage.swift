import HTTPTypes

extension LandingPages {
    /// Which page, of those that are the same for everybody.
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

        /// Whether the page sends its form by itself, and after how many milliseconds.
        var submitsAfter: Int? {
            switch self {
            case .landing, .comingBack: 0
            case .starting: 1500
            case .inProgress: 2000
            case .providerDown, .notOnThisDevice, .tooManyRestarts, .tooManyNumbers, .denied, .over, .crossSite,
                .serverDown, .serverFault, .accepted, .failed, .elsewhere, .busy, .passkeyNeeded, .passkeyRefused,
                .signInAgain, .addressFirst, .tryLater, .acceptedForService:
                nil
            }
        }

        /// What the page is called for programs, where it refuses what another press or passkey would get.
        var code: String? {
            switch self {
            case .passkeyNeeded: "passkey_required"
            case .passkeyRefused: "passkey_refused"
            case .landing, .starting, .providerDown, .notOnThisDevice, .tooManyRestarts, .tooManyNumbers, .denied,
                .over, .crossSite, .serverDown, .serverFault, .accepted, .failed, .comingBack, .inProgress, .elsewhere,
                .busy, .signInAgain, .addressFirst, .tryLater, .acceptedForService:
                nil
            }
        }
    }

    /// The pages for whom the published app can tell nothing else, by what stands in the place of a ticket, which is longer.
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

    /// Where a page is: what it leads to is named from there, wherever a proxy has mounted it.
    struct Location: Sendable {
        let ticket: String
        /// Whether it is the answer of an address below `/go/{ticket}`.
        let isBelow: Bool

        /// `/go/{ticket}`.
        var page: String { up + ticket }
        var assets: String { up + "../assets" }

        private var up: String { isBelow ? "../" : "" }
    }
}
