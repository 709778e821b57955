import Hummingbird
import Kernel
import Operations

/// The cookie `vst_refresh`, which carries the refresh token of apps that never store a second one.
///
/// It is HttpOnly and Lax, and sent only to routes below `/auth` or `/api/auth`, depending on the app.
///
/// A sibling site could set such a cookie (cookie tossing), so that its visitor's app continues in the attacker's
/// account. Over https a token therefore counts only if the companion cookie holds its SHA-256. Browsers accept the
/// companion only from this host (RFC 6265bis §4.1.3.2). Every route receives the companion, so it holds no token. Over
/// plain http there is no companion: a cookie counts if it is the only one of its name.
struct RefreshCookies: Sendable {
    private static let name = "vst_refresh"
    /// The longest token in bytes.
    private static let longest = 1024

    let isSecure: Bool
    let environment: Environment

    /// Returns the token in the request's refresh cookie, if the cookie counts.
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

    /// Deletes the cookie.
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

    /// Returns the cookie's path and its companion's name, which keep two apps in one browser apart.
    private static func scope(of request: Request) -> (path: String, companion: String) {
        request.uri.path.hasPrefix("/api/")
            ? ("/api/auth", "__Host-vst_refresh_api") : ("/auth", "__Host-vst_refresh")
    }

    private static func digest(_ token: Secret) -> Secret {
        Secret(Base64URL.encode(Digest256(sha256: token.expose()).bytes))
    }
}
