import Hummingbird
import Kernel
import Operations

/// The cookie that carries a refresh token for apps that never store a second one: `vst_refresh`.
///
/// HttpOnly and Lax, and sent to no other route than those below `/auth` or `/api/auth`, whichever the app speaks.
///
/// A site beside this one could set one of its own for both, to have its visitor's app go on in its account. Over https only the
/// token counts whose SHA-256 the twin holds, which browsers take from our own host alone (RFC 6265bis §4.1.3.2): the twin goes
/// to every route, and so it is no token. Over plain http there is no twin, and of two cookies none counts.
package struct RefreshCookies: Sendable {
    private static let name = "vst_refresh"
    /// The longest token, in bytes.
    private static let longest = 1024

    private let isSecure: Bool
    private let environment: Environment

    package init(isSecure: Bool, environment: Environment) {
        self.isSecure = isSecure
        self.environment = environment
    }

    /// The text that a request brought in the cookie, if it could be one of ours.
    func token(_ request: Request) -> Secret? {
        let cookies = IncomingCookies(request)
        let texts = cookies.values(of: Self.name).compactMap { IncomingCookies.secret($0, atMost: Self.longest) }
        guard isSecure else { return texts.count == 1 ? texts[0] : nil }
        let companions = cookies.values(of: Self.scope(of: request).companion)
        guard companions.count == 1 else { return nil }
        return texts.first { Self.digest($0).expose() == companions[0] }
    }

    func set(_ token: Secret, until end: Instant, for request: Request, on response: inout Response) {
        put(
            token,
            digest: Self.digest(token),
            lasting: max(.zero, end - environment.now()),
            for: request,
            on: &response
        )
    }

    /// Takes the cookie away.
    func remove(for request: Request, on response: inout Response) {
        put(Secret(""), digest: Secret(""), lasting: .zero, for: request, on: &response)
    }

    private func put(
        _ token: Secret,
        digest: Secret,
        lasting maxAge: Duration,
        for request: Request,
        on response: inout Response
    ) {
        let scope = Self.scope(of: request)
        response.set(
            OutgoingCookie(name: Self.name, value: token, path: scope.path, maxAge: maxAge, isSecure: isSecure)
        )
        guard isSecure else { return }
        response.set(OutgoingCookie(name: scope.companion, value: digest, path: "/", maxAge: maxAge, isSecure: true))
    }

    /// Where the cookie is sent, and what its twin is called: of two apps in one browser each has its own.
    private static func scope(of request: Request) -> (path: String, companion: String) {
        request.uri.path.hasPrefix("/api/")
            ? ("/api/auth", "__Host-vst_refresh_api") : ("/auth", "__Host-vst_refresh")
    }

    private static func digest(_ token: Secret) -> Secret {
        Secret(Base64URL.encode(Digest256(sha256: token.expose()).bytes))
    }
}
