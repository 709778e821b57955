import HTTPTypes
import Hummingbird
import NIOCore
package import Tokens

/// `/.well-known/jwks.json`: the keys that access tokens and id tokens are verified with (RFC 7517).
package struct KeysAPI: Sendable {
    private let ring: KeyRing

    package init(ring: KeyRing) { self.ring = ring }

    package var routes: [Route] { Route.document("/.well-known/jwks.json", access: .everybody, use: show) }

    /// Cached for five minutes: a rotated-in key is published well before a verifier that caches would miss it, as
    /// verifiers fetch again on an unknown `kid`.
    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        var response = JSONReply.bytes(ByteBuffer(bytes: ring.keySet))
        response.headers[.cacheControl] = "public, max-age=300"
        return response
    }
}
