import HTTPTypes
import Hummingbird
import NIOCore
import Tokens

/// `/.well-known/jwks.json`: the keys that verify access tokens and id tokens (RFC 7517).
struct KeysAPI: Sendable {
    let ring: KeyRing

    var routes: [Route] { Route.document("/.well-known/jwks.json", access: .everybody, use: show) }

    /// Returns the keys, cached for five minutes.
    ///
    /// A verifier with a cached copy misses no key: a new key is published before it signs, and verifiers fetch again
    /// on an unknown `kid`.
    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        var response = JSONReply.bytes(ByteBuffer(bytes: ring.keySet))
        response.headers[.cacheControl] = "public, max-age=300"
        return response
    }
}
