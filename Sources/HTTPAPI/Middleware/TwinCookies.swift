import Hummingbird
import Kernel

/// A cookie of 256 bits, with a twin of the same value where the address is https.
///
/// A site beside this one can set a cookie of any name for both, with a longer path that browsers send first (RFC 6265
/// §5.4), to have its visitor act in the name of somebody else. The twin's name no other site can set, for browsers take
/// `__Host-` from its own host alone (RFC 6265bis §4.1.3.2): only the value that the twin names counts. Over plain http there
/// is no twin, and of two cookies none counts.
struct TwinCookies: Sendable {
    let name: String
    let maxAge: Duration
    let isSecure: Bool

    var twin: String { "__Host-" + name }

    /// The cookie that a request brought, if it could be one of ours.
    func secret(_ request: Request) -> Secret? {
        let cookies = IncomingCookies(request)
        let shown = cookies.values(of: name)
        let own = isSecure ? cookies.values(of: twin) : shown
        guard own.count == 1, own[0].utf8.count == Self.length, shown.contains(own[0]) else { return nil }
        return IncomingCookies.secret(own[0])
    }

    func set(_ value: Secret, on response: inout Response) {
        for cookie in cookies(value, lasting: maxAge) { response.set(cookie) }
    }

    /// Takes away what the request shows of it, whether it counts or not.
    func remove(from request: Request, on response: inout Response) {
        let shown = IncomingCookies(request)
        guard [name, twin].contains(where: { !shown.values(of: $0).isEmpty }) else { return }
        for cookie in cookies(Secret(""), lasting: .zero) { response.set(cookie) }
    }

    private func cookies(_ value: Secret, lasting maxAge: Duration) -> [OutgoingCookie] {
        (isSecure ? [name, twin] : [name]).map { name in
            OutgoingCookie(name: name, value: value, path: "/", maxAge: maxAge, isSecure: isSecure)
        }
    }

    /// 256 bits in base64url.
    private static let length = 43
}
