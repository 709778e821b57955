import Hummingbird
import Kernel
import Operations

/// The cookie by which a browser holds its session, and before it has one, ties its ceremonies together: `yapt.sid`.
///
/// It keeps for thirty days and no shorter, whatever the session does: the published app does not ask whether it is still
/// signed in before it shows that it is.
///
/// A site beside this one can set a `yapt.sid` of its own for both, with a longer path that browsers send first (RFC 6265
/// §5.4), to have its visitor act in the account of somebody else. So where the address is https a twin of the same value
/// goes along under a name that no other site can set, for browsers take `__Host-` from its own host alone (RFC 6265bis
/// §4.1.3.2): only the `yapt.sid` that its twin names counts. Over plain http there is no twin, and of two none counts.
///
/// One that doesn't count stays where it opens nothing: an answer can take back a cookie of this host and path alone, so
/// that of two it would take the person's own away and leave the planted one, which then counts over plain http.
package struct WebSessionCookies: Sendable {
    static let name = "yapt.sid"
    static let twin = "__Host-yapt.sid"
    private static let maxAge: Duration = .seconds(30 * 24 * 3600)

    private let isSecure: Bool

    package init(isSecure: Bool) { self.isSecure = isSecure }

    /// The cookie that a request brought, if it could be one of ours.
    func secret(_ request: Request) -> Secret? {
        let cookies = IncomingCookies(request)
        let shown = cookies.values(of: Self.name)
        let own = isSecure ? cookies.values(of: Self.twin) : shown
        guard own.count == 1, own[0].utf8.count == Self.length, shown.contains(own[0]) else { return nil }
        return IncomingCookies.secret(own[0])
    }

    /// SHA-256 of it.
    func brought(_ request: Request) -> Digest256? { secret(request).map { Digest256(sha256: $0.expose()) } }

    /// Leaves a browser that one.
    func set(_ value: Secret, on response: inout Response) {
        for cookie in cookies(value, lasting: Self.maxAge) { response.set(cookie) }
    }

    /// Takes away what the request shows of it, whether it counts or not.
    func remove(from request: Request, on response: inout Response) {
        let shown = IncomingCookies(request)
        guard [Self.name, Self.twin].contains(where: { !shown.values(of: $0).isEmpty }) else { return }
        for cookie in cookies(Secret(""), lasting: .zero) { response.set(cookie) }
    }

    private func cookies(_ value: Secret, lasting maxAge: Duration) -> [OutgoingCookie] {
        (isSecure ? [Self.name, Self.twin] : [Self.name]).map { name in
            OutgoingCookie(name: name, value: value, path: "/", maxAge: maxAge, isSecure: isSecure)
        }
    }

    static let otherAccount = Problem.invalidRequest(
        "The session cookie and the access token are of different accounts."
    )

    /// 256 bits in base64url.
    private static let length = 43
}
