import Hummingbird

/// The credentials of the scheme Bearer (RFC 6750 §2.1).
enum BearerToken {
    /// What stands behind `Bearer` in the request's header Authorization, if it does.
    static func of(_ request: Request) -> String? {
        guard let shown = ShownToken(request), shown.scheme == .bearer else { return nil }
        return shown.text
    }
}
