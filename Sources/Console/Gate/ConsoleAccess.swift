package import Kernel
import Synchronization

/// The one session of a console: its link, its cookie, its token for writes, and its end.
///
/// All of it is in memory, and nothing of it outlives the process.
package final class ConsoleAccess: Sendable {
    /// How long the link is good.
    package static let linkLifetime: Duration = .seconds(60)
    /// The time without a press after which the console is over.
    package static let idleTime: Duration = .seconds(900)

    private struct State {
        /// `nil` once the link was used.
        var link: Digest256?
        /// `nil` until the link was used.
        var cookie: Digest256?
        var end: Uptime
    }

    /// The name of the cookie, which another console on this machine can't have.
    package let cookieName: String
    /// The first part of every page's path, and the path of the cookie.
    ///
    /// A browser sends a host's cookies to all of its ports (RFC 6265 §8.5). So a server of another user on this machine
    /// would be given the cookie, but it can't know this path.
    package let root: String
    private let environment: Environment
    private let keyed: KeyedHash
    private let state: Mutex<State>

    /// The secret of the link is returned once, and only its digest is kept.
    package static func make(_ environment: Environment) -> (access: ConsoleAccess, link: Secret) {
        let link = environment.newSecret()
        return (ConsoleAccess(link, environment), link)
    }

    private init(_ link: Secret, _ environment: Environment) {
        self.environment = environment
        keyed = KeyedHash(randomFrom: environment)
        cookieName = "vsc_" + Hex.encode(environment.randomBytes(8))
        root = "/" + Hex.encode(environment.randomBytes(16))
        let digest = keyed.digest(Array(link.expose().utf8), purpose: "link")
        state = Mutex(State(link: digest, cookie: nil, end: environment.clock.now + Self.linkLifetime))
    }

    /// Uses the link up, and returns the value of the cookie; `nil` for another link, a used one or an expired one.
    package func enter(_ link: String) -> Secret? {
        let given = keyed.digest(Array(link.utf8), purpose: "link")
        let cookie = environment.newSecret()
        let now = environment.clock.now
        let isGood = state.withLock { state in
            guard let link = state.link, now < state.end, given.matches(link) else { return false }
            state.link = nil
            state.cookie = digest(of: cookie.expose())
            state.end = now + Self.idleTime
            return true
        }
        return isGood ? cookie : nil
    }

    /// Returns whether the cookie is that of the session, which goes on from now if a person pressed something.
    package func admits(_ cookie: String, isPress: Bool) -> Bool {
        let given = digest(of: cookie)
        let now = environment.clock.now
        return state.withLock { state in
            guard let cookie = state.cookie, now < state.end, given.matches(cookie) else { return false }
            if isPress { state.end = now + Self.idleTime }
            return true
        }
    }

    /// Returns the token that a write needs beside the cookie.
    package func token(for cookie: String) -> String {
        Base64URL.encode(keyed.digest(Array(cookie.utf8), purpose: "write").bytes)
    }

    /// Returns whether the token belongs to the cookie.
    package func accepts(_ token: String, for cookie: String) -> Bool {
        ConstantTime.equal(Array(token.utf8), Array(self.token(for: cookie).utf8))
    }

    /// Returns when the console is over: when the link expires, or after the idle time.
    package func waitForEnd() async throws {
        while true {
            let end = state.withLock { $0.end }
            guard environment.clock.now < end else { return }
            try await environment.clock.sleep(until: end)
        }
    }

    /// Ends the session, and with it the streams that follow a page.
    package func close() { state.withLock { $0.end = environment.clock.now } }

    private func digest(of cookie: String) -> Digest256 { keyed.digest(Array(cookie.utf8), purpose: "cookie") }
}
