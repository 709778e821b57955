import HTTPTypes
import Hummingbird
import OAuth

/// The metadata of the authorization server: one document at the two well-known paths (OpenID Connect Discovery §4, RFC
/// 8414 §3).
struct DiscoveryAPI: Sendable {
    /// Returns the metadata: called for each request, because signing keys are rotated while the server runs.
    let metadata: @Sendable () -> ServerMetadata

    var routes: [Route] {
        Route.document("/.well-known/openid-configuration", access: .everybody, use: show)
            + Route.document("/.well-known/oauth-authorization-server", access: .everybody, use: show)
    }

    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        var response = JSONReply.encode(metadata())
        response.headers[.cacheControl] = "public, max-age=300"
        return response
    }
}
