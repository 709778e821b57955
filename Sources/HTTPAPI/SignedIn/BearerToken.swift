import HTTPTypes
import Hummingbird

/// The credentials of the scheme Bearer (RFC 6750 §2.1).
enum BearerToken {
    /// What stands behind `Bearer` in the request's header Authorization, if it does.
    static func of(_ request: Request) -> String? {
        guard let header = request.headers[.authorization], header.prefix(7).lowercased() == "bearer " else {
            return nil
        }
        return String(header.dropFirst(7))
    }
}
