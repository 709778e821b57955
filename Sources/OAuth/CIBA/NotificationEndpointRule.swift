/// The rule for the endpoints of logout tokens, pings and pushes, in the config and on the command line.
package struct NotificationEndpointRule: Sendable, Equatable {
    /// The rule that requires an https URL, because tokens are sent there (CIBA Core §4).
    package static let secure = Self(takesLoopback: false)
    /// The rule that also allows plain http to this machine, for development.
    package static let laptop = Self(takesLoopback: true)

    private let takesLoopback: Bool

    package func allows(_ url: String) -> Bool {
        switch try? RedirectURIRule.check(url) {
        case .https: true
        case .loopback: takesLoopback
        case .privateUse, nil: false
        }
    }

    /// The requirement, in words that complete a message after "must be".
    package var demand: String {
        takesLoopback ? "an https URL, or an http one on this machine" : "an https URL"
    }
}
