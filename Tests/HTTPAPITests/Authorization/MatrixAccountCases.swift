import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import OAuth
import Sessions
import Testing
import TokenReading
import Tokens

@testable import Assembly
@testable import HTTPAPI

extension MatrixCases {
    /// Opening accounts, and passwords.
    static let accounts: [MatrixCase] = [
        MatrixCase("POST /auth/register", .nothing) { context in
            let body = #"{"email":"new-\#(context.person.email)","name":"New","password":"\#(Harness.matrixPassword)"}"#
            return MatrixRequest("/auth/register", json: body)
        }.answered(201),
        MatrixCase("POST /auth/login", .inRequest(ofAccount: true)) { context in
            MatrixRequest("/auth/login", json: password(context))
        }.withPassword,
        MatrixCase("POST /auth/password", .access) { _ in
            let body = #"{"currentPassword":"\#(Harness.matrixPassword)","newPassword":"a horse of another colour"}"#
            return MatrixRequest("/auth/password", json: body)
        }.withPassword,
        MatrixCase("POST /api/mobile/auth/register", .nothing) { context in
            MatrixRequest("/api/mobile/auth/register", json: newcomer(context))
        }.answered(201),
        MatrixCase("POST /api/mobile/auth/login/password", .inRequest(ofAccount: true)) { context in
            MatrixRequest("/api/mobile/auth/login/password", json: password(context))
        }.withPassword,
    ]

    private static func password(_ context: MatrixContext) -> String {
        let password = context.isProved ? Harness.matrixPassword : "correct horse batterx"
        return #"{"email":"\#(context.person.email)","password":"\#(password)"}"#
    }

    /// A person who opens an account on a phone.
    private static func newcomer(_ context: MatrixContext) -> String {
        let phone = Harness.matrixPhone(2 * context.person.number + 2_000_000)
        return #"{"email":"new-\#(context.person.email)","name":"New","deviceId":"\#(phone)","deviceName":"Phone","#
            + #""platform":"ios"}"#
    }

    /// The powers of a session's tokens over it.
    static let sessions: [MatrixCase] = [
        MatrixCase("GET /auth/me", .access) { _ in MatrixRequest("/auth/me") },
        MatrixCase("GET /auth/sessions", .access) { _ in MatrixRequest("/auth/sessions") },
        MatrixCase("DELETE /auth/sessions/{id}", .access) { context in
            MatrixRequest("/auth/sessions/\(context.person.session.access.session)")
        }.about(.account),
        MatrixCase("GET /auth/consents", .access) { _ in MatrixRequest("/auth/consents") },
        MatrixCase("DELETE /auth/consents/{client}", .access) { context in
            try await consent(of: context)
            return MatrixRequest("/auth/consents/shop")
        }.about(.account),
        MatrixCase("POST /auth/refresh", .refresh(.bearer)) { _ in MatrixRequest("/auth/refresh") },
        MatrixCase("POST /auth/refresh", .refresh(.cookie)) { _ in MatrixRequest("/auth/refresh") }
            .called("by cookie"),
        MatrixCase("POST /api/mobile/auth/token/refresh", .refresh(.body)) { _ in
            MatrixRequest("/api/mobile/auth/token/refresh")
        }.ofWallet,
        MatrixCase("POST /auth/logout", .access) { context in signOut("/auth/logout", context) }.about(.session),
        MatrixCase("POST /auth/logout", .refresh(.cookie)) { context in signOut("/auth/logout", context) }
            .about(.session).called("by cookie"),
        MatrixCase("POST /api/mobile/auth/logout", .access) { context in
            signOut("/api/mobile/auth/logout", context)
        }.ofWallet.about(.session),
    ]

    /// Has the person consent to a client.
    private static func consent(of context: MatrixContext) async throws {
        let now = context.harness.composition.environment.now()
        let consent = Consent(
            account: context.person.account,
            clientID: "shop",
            scopes: ScopeSet(["openid"]),
            resources: [],
            grantedAt: now,
            expiresAt: now + .seconds(3600)
        )
        let consents = context.harness.composition.stores.oauth.consents
        try await context.harness.composition.unitOfWork.run { try consents.put(consent, in: $0) }
    }

    /// The pages of the account centre, which only the cookie of a browser's session opens.
    static let accountPages: [MatrixCase] = [
        MatrixCase("GET /account", .inRequest(ofAccount: true)) { context in
            try await page("/account", context)
        },
        MatrixCase("GET /account/{page}", .inRequest(ofAccount: true)) { context in
            try await page("/account/password", context)
        },
        MatrixCase("POST /account/{page}", .inRequest(ofAccount: true)) { context in
            var request = try await page("/account/others", context)
            let shown = try await context.harness.send(.get, "/account", request.headers)
            let token = shown.text.firstMatch(of: #/name="token" value="([^"]+)"/#).map { String($0.1) } ?? "x"
            request.headers = request.headers.adding(.fetchSite, "same-origin")
                .adding(.contentType, "application/x-www-form-urlencoded")
            request.body = "token=\(token)"
            request.isGranted = {
                $0.status == .seeOther && $0.headers[.location]?.hasPrefix("../account?done=") == true
            }
            return request
        }.answered(303),
    ]

    /// A page with the cookie of the person's session, or with one that was never issued.
    private static func page(_ path: String, _ context: MatrixContext) async throws -> MatrixRequest {
        var cookie = "\(CompanionCookies.webSessionName)=\(MatrixContext.guess)"
        if context.isProved {
            let opened = try await context.harness.send(.post, "/api/auth/web-session", context.bearer)
            cookie = try #require(opened.sessionCookies, "\(opened.text)")
        }
        var request = MatrixRequest(path, .cookies(cookie))
        request.isGranted = { $0.status == .ok }
        return request
    }

    /// The end of the person's session counts as granted.
    private static func signOut(_ path: String, _ context: MatrixContext) -> MatrixRequest {
        var request = MatrixRequest(path)
        let (sessions, id) = (context.harness.composition.sessions, context.person.session.access.session)
        request.isGranted = { _ in try await sessions.find(id)?.revocation?.reason == .signedOut }
        return request
    }

    /// Links and codes that arrive by mail.
    static let mail: [MatrixCase] =
        fetching("/mail/code/{token}", .inRequest(ofAccount: false)) { context in
            guard context.isProved else { return MatrixRequest("/mail/code/\(MatrixContext.guess)") }
            return MatrixRequest(try await code(context).path)
        }
        + fetching("/mail/address/{token}", .inRequest(ofAccount: false), address)
        + [
            MatrixCase("POST /mail/address/{token}", .inRequest(ofAccount: false), address),
            MatrixCase("POST /auth/email", .access) { context in
                MatrixRequest("/auth/email", json: #"{"email":"moved-\#(context.person.email)"}"#)
            },
            MatrixCase("POST /auth/email/verify", .access) { context in
                MatrixRequest("/auth/email/verify", json: #"{"code":"\#(try await addressCode(context))"}"#)
            }.about(.session),
        ] + codes(at: "/auth/login/code") + codes(at: "/api/mobile/auth/login")

    /// Asking for a code, and typing it.
    private static func codes(at path: String) -> [MatrixCase] {
        [
            MatrixCase("POST \(path)", .nothing) { context in
                MatrixRequest(path, json: #"{"email":"\#(context.person.email)","deviceId":"\#(Harness.mailPhone)"}"#)
            },
            MatrixCase("POST \(path)/verify", .inRequest(ofAccount: true)) { context in
                let right = try await code(context, path).code
                let typed = context.isProved ? right : right.otherCode
                let body =
                    #"{"email":"\#(context.person.email)","deviceId":"\#(Harness.mailPhone)","code":"\#(typed)"}"#
                return MatrixRequest("\(path)/verify", json: body)
            },
        ]
    }

    /// The link that opening an account mails.
    @Sendable private static func address(_ context: MatrixContext) async throws -> MatrixRequest {
        guard context.isProved else { return MatrixRequest("/mail/address/\(MatrixContext.guess)") }
        let opened = try await context.harness.post("/api/mobile/auth/register", newcomer(context))
        try #require(opened.status == .created, "\(opened.text)")
        return MatrixRequest(try await newest(to: "new-\(context.person.email)", context).path)
    }

    /// The code that the person's session has had mailed to another address.
    private static func addressCode(_ context: MatrixContext) async throws -> String {
        let email = "moved-\(context.person.email)"
        try await context.harness.composition.mailProofs.addresses.requestChange(
            AddressChangeRequest(
                account: context.person.account,
                session: context.person.session.access.session,
                email: try #require(EmailAddress(email)),
                requester: "en",
                client: "bbms"
            ),
            turn: MailboxTurn { true }
        )
        return try await newest(to: email, context).addressCode
    }

    private static func code(
        _ context: MatrixContext,
        _ path: String = "/api/mobile/auth/login"
    ) async throws -> ReadMail {
        let body = #"{"email":"\#(context.person.email)","deviceId":"\#(Harness.mailPhone)"}"#
        let asked = try await context.harness.post(path, body)
        try #require(asked.status == .ok, "\(asked.text)")
        return try await newest(to: context.person.email, context)
    }

    private static func newest(to email: String, _ context: MatrixContext) async throws -> ReadMail {
        try #require(try await context.harness.mails().last { $0.to == email })
    }
}
