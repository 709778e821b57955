import Hummingbird
import Kernel
import Operations

/// The cookie by which a browser holds its session, and before it has one, ties its ceremonies together: `yapt.sid`.
///
/// It keeps for thirty days and no shorter, whatever the session does: the published app does not ask whether it is still
/// signed in before it shows that it is.
package struct WebSessionCookies: Sendable {
    static let name = "yapt.sid"
    private static let maxAge: Duration = .seconds(30 * 24 * 3600)

    private let isSecure: Bool

    package init(isSecure: Bool) { self.isSecure = isSecure }

    /// The cookie that a request brought, if it could be one of ours.
    ///
    /// Of two none counts: ours is one, and a site beside this one can set another of its own, with a longer path that
    /// browsers send first (RFC 6265 §5.4), to have its visitor act in the account of somebody else.
    static func secret(_ request: Request) -> Secret? {
        let cookies = IncomingCookies(request)
        guard let value = cookies[name, atMost: length], value.expose().utf8.count == length,
            cookies.count(of: name) == 1
        else { return nil }
        return value
    }

    /// SHA-256 of it.
    static func brought(_ request: Request) -> Digest256? {
        secret(request).map { Digest256(sha256: $0.expose()) }
    }

    func cookie(_ value: Secret) -> OutgoingCookie {
        OutgoingCookie(name: Self.name, value: value, path: "/", maxAge: Self.maxAge, isSecure: isSecure)
    }

    /// What takes the cookie away.
    var none: OutgoingCookie {
        OutgoingCookie(name: Self.name, value: Secret(""), path: "/", maxAge: .zero, isSecure: isSecure)
    }

    static let otherAccount = Problem.invalidRequest(
        "The session cookie and the access token are of different accounts."
    )

    /// 256 bits in base64url.
    private static let length = 43
}
