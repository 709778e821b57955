import Hummingbird
package import Kernel

/// The cookie that carries a refresh token for apps that never store a second one: `vst_refresh`.
///
/// HttpOnly and Lax, and sent to no other route than those below `/auth` or `/api/auth`, whichever the app speaks.
package struct RefreshCookies: Sendable {
    static let name = "vst_refresh"

    private let isSecure: Bool
    private let facts: Facts

    package init(isSecure: Bool, facts: Facts) {
        self.isSecure = isSecure
        self.facts = facts
    }

    func cookie(_ token: Secret, until end: Instant, for request: Request) -> OutgoingCookie {
        OutgoingCookie(
            name: Self.name,
            value: token,
            path: Self.path(request),
            maxAge: max(.zero, end - facts.now()),
            isSecure: isSecure
        )
    }

    /// What takes the cookie away.
    func none(for request: Request) -> OutgoingCookie {
        OutgoingCookie(name: Self.name, value: Secret(""), path: Self.path(request), maxAge: .zero, isSecure: isSecure)
    }

    private static func path(_ request: Request) -> String {
        request.uri.path.hasPrefix("/api/") ? "/api/auth" : "/auth"
    }
}
