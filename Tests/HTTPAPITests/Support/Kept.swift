import Synchronization

/// Carries something from one run of the daemon to the next.
final class Kept: Sendable {
    private let state = Mutex<(login: StartedLogin?, claims: String?)>((nil, nil))

    var login: StartedLogin? { state.withLock(\.login) }
    /// Any text; most often a token's claims, or a cookie.
    var claims: String? { state.withLock(\.claims) }

    func put(_ login: StartedLogin) { state.withLock { $0.login = login } }
    func put(_ claims: String?) { state.withLock { $0.claims = claims } }
}
