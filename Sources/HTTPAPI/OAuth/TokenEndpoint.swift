import Hummingbird
import NIOCore
import OAuth

/// The token endpoint (RFC 6749 §3.2), which passes each request to its grant: see `Grants/`.
struct TokenEndpoint: Sendable {
    private let clients: ClientReader
    private let grants: [OAuthClient.GrantType: any GrantHandler]
    private let broker: UpstreamTokenBroker?

    /// `grants`: The enabled grants.
    ///
    /// `broker`: Forwards the requests of an upstream's clients.
    init(clients: ClientReader, grants: [any GrantHandler], broker: UpstreamTokenBroker?) {
        self.clients = clients
        self.grants = Dictionary(grants.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
        self.broker = broker
    }

    var routes: [Route] {
        let access = OpenAccess.everybody(accepting: .clientAuthentication, .dpop)
        return [
            Route(.post, "/oauth/token", access: access) { request, context in
                try await OAuthReply.guarding(request) {
                    guard (request.uri.query ?? "").isEmpty else { throw Self.misplaced }
                    return try await answer(request, context, form: OAuthForm(body: request), isBrokered: false)
                }
            },
            Route(.post, "/token", access: access) { request, context in
                try await OAuthReply.guarding(request) {
                    try await answer(request, context, form: Self.publishedForm(request), isBrokered: true)
                }
            },
            Route(.post, "/token/refresh", access: access) { request, context in
                try await OAuthReply.guarding(request) {
                    let form = try await Self.publishedForm(request)
                    guard form["grant_type"] == OAuthClient.GrantType.refreshToken.rawValue else {
                        throw OAuthError(.unsupportedGrantType, "This address takes only grant_type=refresh_token.")
                    }
                    return try await answer(request, context, form: form, isBrokered: true)
                }
            },
        ]
    }

    /// `isBrokered`: Whether this path forwards requests of an upstream's clients.
    private func answer(
        _ request: Request,
        _ context: APIContext,
        form: OAuthForm,
        isBrokered: Bool
    ) async throws -> Response {
        let authenticated = try await clients.read(request, context, form: form, isBrokered: isBrokered)
        if authenticated.client.authorization.upstream != nil {
            guard let broker else { throw OAuthError(.temporarilyUnavailable, "The upstream is switched off.") }
            return try await broker.answer(form, client: authenticated, request: request)
        }
        let name = try form.required("grant_type")
        guard let type = OAuthClient.GrantType(rawValue: name), let grant = grants[type] else {
            throw OAuthError(.unsupportedGrantType, "This server does not offer this grant_type.")
        }
        // RFC 6749 §5.2.
        guard authenticated.client.access.grants.contains(type) else {
            throw OAuthError(.unauthorizedClient, "This client may not use this grant_type.")
        }
        return try await grant.answer(form, client: authenticated, request: request)
    }

    /// Reads the parameters of published apps: in the query or in the body, never in both.
    ///
    /// Secrets in an address are refused, because addresses are logged (RFC 6749 §2.3.1).
    private static func publishedForm(_ request: Request) async throws -> OAuthForm {
        guard let query = request.uri.query, !query.isEmpty else { return try await OAuthForm(body: request) }
        let form = try OAuthForm(query)
        guard form["client_secret"] == nil, form["client_assertion"] == nil else { throw misplaced }
        do {
            guard try await BodyReader.read(request, upTo: OAuthForm.limit).readableBytes == 0 else { throw misplaced }
        } catch is NIOTooManyBytesError { throw misplaced }
        return form
    }

    private static let misplaced = OAuthError(
        .invalidRequest,
        "Send the parameters in the body alone, or at /token in the query alone, and secrets never in the query."
    )
}

/// One grant of the token endpoint (RFC 6749 §4).
protocol GrantHandler: Sendable {
    /// The `grant_type` that it answers.
    var type: OAuthClient.GrantType { get }

    /// Answers an authenticated client that may use this grant.
    /// - Throws: ``OAuthError``, which ``OAuthReply`` writes; ``StoreError``.
    func answer(_ form: OAuthForm, client: AuthenticatedClient, request: Request) async throws -> Response
}
