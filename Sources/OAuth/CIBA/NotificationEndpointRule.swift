/// Where pings and pushes may go, whoever writes it down: the config, or the command line.
package struct NotificationEndpointRule: Sendable, Equatable {
    /// CIBA Core §4: an https URL, for a push carries tokens.
    package static let secure = Self(takesLoopback: false)
    /// On a laptop plain http to this machine as well, which nobody else reads.
    package static let laptop = Self(takesLoopback: true)

    private let takesLoopback: Bool

    package func allows(_ url: String) -> Bool {
        switch try? RedirectURIRule.check(url) {
        case .https: true
        case .loopback: takesLoopback
        case .privateUse, nil: false
        }
    }

    /// What it asks for, behind "must be".
    package var demand: String {
        takesLoopback ? "an https URL, or an http one on this machine" : "an https URL"
    }
}
