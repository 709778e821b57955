import Hummingbird
import Kernel
import Operations

/// The cookie by which a browser holds its session, and before it has one, ties its ceremonies together: `yapt.sid`.
///
/// It keeps for thirty days and no shorter, whatever the session does: the published app does not ask whether it is still
/// signed in before it shows that it is.
///
/// A site beside this one could set one of its own for both; what that comes to, ``TwinCookies`` say.
package struct WebSessionCookies: Sendable {
    static let name = "yapt.sid"
    static let twin = "__Host-yapt.sid"
    private static let maxAge: Duration = .seconds(30 * 24 * 3600)

    private let twins: TwinCookies

    package init(isSecure: Bool) { twins = TwinCookies(name: Self.name, maxAge: Self.maxAge, isSecure: isSecure) }

    /// The cookie that a request brought, if it could be one of ours.
    func secret(_ request: Request) -> Secret? { twins.secret(request) }

    /// SHA-256 of it.
    func brought(_ request: Request) -> Digest256? { secret(request).map { Digest256(sha256: $0.expose()) } }

    /// Leaves a browser that one.
    func set(_ value: Secret, on response: inout Response) { twins.set(value, on: &response) }

    /// Takes away what the request shows of it, whether it counts or not.
    func remove(from request: Request, on response: inout Response) { twins.remove(from: request, on: &response) }

    static let otherAccount = APIError.invalidRequest(
        "The session cookie and the access token are of different accounts."
    )
}
