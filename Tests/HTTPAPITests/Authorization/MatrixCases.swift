import HTTPTypes

/// How each route is called: the matrix fails for a route without a case, and for a case without a route.
enum MatrixCases {
    static let all: [MatrixCase] = [
        service, faceLogin, landing, signedIn, accounts, sessions, wallet, banks, cards, payments, phones, mail,
        passkeys, cookiePasskeys, relyingParty, site, signInPages, oauthTokens, authorizationServer, broker,
    ].flatMap(\.self)

    /// Both ways of fetching the same.
    static func fetching(
        _ template: String,
        _ credential: MatrixCase.Credential,
        _ prepare: @escaping @Sendable (MatrixVisit) async throws -> MatrixRequest
    ) -> [MatrixCase] {
        [MatrixCase("GET \(template)", credential, prepare), MatrixCase("HEAD \(template)", credential, prepare)]
    }

    private static let service: [MatrixCase] =
        fetching("/livez", .nothing) { _ in MatrixRequest("/livez") }
        + fetching("/readyz", .nothing) { _ in MatrixRequest("/readyz") }
        + fetching("/version", .nothing) { _ in MatrixRequest("/version") }
        + fetching("/.well-known/jwks.json", .nothing) { _ in MatrixRequest("/.well-known/jwks.json") }
        + fetching("/openapi.yaml", .nothing) { _ in MatrixRequest("/openapi.yaml") }
        + [
            MatrixCase("POST /webhooks/{provider}", .inRequest(ofAccount: false)) { visit in
                let body = #"{"type":"scan.decided","data":{"id":"nobody's","status":1}}"#
                let headers = visit.isProved ? visit.bench.signedWebhook(body, visit.person.number) : [:]
                return MatrixRequest("/webhooks/mock", headers, json: body)
            }
        ]
}
