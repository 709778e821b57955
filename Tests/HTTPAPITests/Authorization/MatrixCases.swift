import HTTPTypes
import Testing

/// Cases that run on one bench, one after the other: its time, its provider and its mailbox are theirs in turn.
struct MatrixGroup: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let cases: [MatrixCase]

    init(_ name: String, _ cases: [MatrixCase]) {
        testDescription = name
        self.cases = cases
    }
}

/// How each route is called: the matrix fails for a route without a case, and for a case without a route.
enum MatrixCases {
    static let all = groups.flatMap(\.cases)

    static let groups = [
        MatrixGroup("service", service), MatrixGroup("face login", faceLogin), MatrixGroup("landing", landing),
        MatrixGroup("signed in", signedIn), MatrixGroup("accounts", accounts), MatrixGroup("sessions", sessions),
        MatrixGroup("wallet", wallet), MatrixGroup("banks", banks), MatrixGroup("cards", cards),
        MatrixGroup("payments", payments), MatrixGroup("phones", phones), MatrixGroup("mail", mail),
        MatrixGroup("passkeys", passkeys), MatrixGroup("cookies of passkeys", cookiePasskeys),
        MatrixGroup("relying party", relyingParty), MatrixGroup("site", site),
        MatrixGroup("sign-in pages", signInPages), MatrixGroup("account pages", accountPages),
        MatrixGroup("tokens of OAuth", oauthTokens), MatrixGroup("authorization server", authorizationServer),
        MatrixGroup("broker", broker),
    ]

    /// Both ways of fetching the same.
    static func fetching(
        _ template: String,
        _ credential: MatrixCase.Credential,
        _ prepare: @escaping @Sendable (MatrixContext) async throws -> MatrixRequest
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
            MatrixCase("POST /webhooks/{provider}", .inRequest(ofAccount: false)) { context in
                let body = #"{"type":"scan.decided","data":{"id":"nobody's","status":1}}"#
                let headers = context.isProved ? context.harness.signedWebhook(body, context.person.number) : [:]
                return MatrixRequest("/webhooks/mock", headers, json: body)
            }
        ]
}
