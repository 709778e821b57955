import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import Sessions
import Testing
import TokenReading
import Tokens

@testable import Vestibule

extension MatrixCases {
    /// Opening accounts, and passwords.
    static let accounts: [MatrixCase] = [
        MatrixCase("POST /auth/register", .nothing) { visit in
            let body = #"{"email":"new-\#(visit.person.email)","name":"New","password":"\#(Bench.matrixPassword)"}"#
            return MatrixRequest("/auth/register", json: body)
        }.answered(201),
        MatrixCase("POST /auth/login", .inRequest(ofAccount: true)) { visit in
            MatrixRequest("/auth/login", json: password(visit))
        }.withPassword,
        MatrixCase("POST /auth/password", .access) { _ in
            let body = #"{"currentPassword":"\#(Bench.matrixPassword)","newPassword":"a horse of another colour"}"#
            return MatrixRequest("/auth/password", json: body)
        }.withPassword,
        MatrixCase("POST /api/mobile/auth/register", .nothing) { visit in
            MatrixRequest("/api/mobile/auth/register", json: newcomer(visit))
        }.answered(201),
        MatrixCase("POST /api/mobile/auth/login/password", .inRequest(ofAccount: true)) { visit in
            MatrixRequest("/api/mobile/auth/login/password", json: password(visit))
        }.withPassword,
    ]

    private static func password(_ visit: MatrixVisit) -> String {
        let password = visit.isProved ? Bench.matrixPassword : "correct horse batterx"
        return #"{"email":"\#(visit.person.email)","password":"\#(password)"}"#
    }

    /// A person who opens an account on a phone.
    private static func newcomer(_ visit: MatrixVisit) -> String {
        let phone = Bench.matrixPhone(2 * visit.person.number + 2_000_000)
        return #"{"email":"new-\#(visit.person.email)","name":"New","deviceId":"\#(phone)","deviceName":"Phone","#
            + #""platform":"ios"}"#
    }

    /// The powers of a session's tokens over it.
    static let sessions: [MatrixCase] = [
        MatrixCase("GET /auth/me", .access) { _ in MatrixRequest("/auth/me") },
        MatrixCase("GET /auth/sessions", .access) { _ in MatrixRequest("/auth/sessions") },
        MatrixCase("POST /auth/refresh", .refresh(.bearer)) { _ in MatrixRequest("/auth/refresh") },
        MatrixCase("POST /auth/refresh", .refresh(.cookie)) { _ in MatrixRequest("/auth/refresh") }
            .called("by cookie"),
        MatrixCase("POST /api/mobile/auth/token/refresh", .refresh(.body)) { _ in
            MatrixRequest("/api/mobile/auth/token/refresh")
        }.ofWallet,
        MatrixCase("POST /auth/logout", .access) { visit in signOut("/auth/logout", visit) }.about(.session),
        MatrixCase("POST /auth/logout", .refresh(.cookie)) { visit in signOut("/auth/logout", visit) }
            .about(.session).called("by cookie"),
        MatrixCase("POST /api/mobile/auth/logout", .access) { visit in
            signOut("/api/mobile/auth/logout", visit)
        }.ofWallet.about(.session),
    ]

    /// The end of the person's session counts as granted.
    private static func signOut(_ path: String, _ visit: MatrixVisit) -> MatrixRequest {
        var request = MatrixRequest(path)
        let (sessions, id) = (visit.bench.composition.sessions, visit.person.session.access.session)
        request.isGranted = { _ in try await sessions.find(id)?.revokedBecause == .signedOut }
        return request
    }

    /// Links and codes that arrive by mail.
    static let mail: [MatrixCase] =
        fetching("/mail/code/{token}", .inRequest(ofAccount: false)) { visit in
            guard visit.isProved else { return MatrixRequest("/mail/code/\(MatrixVisit.guess)") }
            return MatrixRequest(try await code(visit).path)
        }
        + fetching("/mail/address/{token}", .inRequest(ofAccount: false), address)
        + [
            MatrixCase("POST /mail/address/{token}", .inRequest(ofAccount: false), address),
            MatrixCase("POST /auth/email", .access) { visit in
                MatrixRequest("/auth/email", json: #"{"email":"moved-\#(visit.person.email)"}"#)
            },
            MatrixCase("POST /auth/email/verify", .access) { visit in
                MatrixRequest("/auth/email/verify", json: #"{"code":"\#(try await addressCode(visit))"}"#)
            }.about(.session),
        ] + codes(at: "/auth/login/code") + codes(at: "/api/mobile/auth/login")

    /// Asking for a code, and typing it.
    private static func codes(at path: String) -> [MatrixCase] {
        [
            MatrixCase("POST \(path)", .nothing) { visit in
                MatrixRequest(path, json: #"{"email":"\#(visit.person.email)","deviceId":"\#(Bench.mailPhone)"}"#)
            },
            MatrixCase("POST \(path)/verify", .inRequest(ofAccount: true)) { visit in
                let right = try await code(visit, path).code
                let typed = visit.isProved ? right : right.otherCode
                let body = #"{"email":"\#(visit.person.email)","deviceId":"\#(Bench.mailPhone)","code":"\#(typed)"}"#
                return MatrixRequest("\(path)/verify", json: body)
            },
        ]
    }

    /// The link that opening an account mails.
    @Sendable private static func address(_ visit: MatrixVisit) async throws -> MatrixRequest {
        guard visit.isProved else { return MatrixRequest("/mail/address/\(MatrixVisit.guess)") }
        let opened = try await visit.bench.post("/api/mobile/auth/register", newcomer(visit))
        try #require(opened.status == .created, "\(opened.text)")
        return MatrixRequest(try await newest(to: "new-\(visit.person.email)", visit).path)
    }

    /// The code that the person's session has had mailed to another address.
    private static func addressCode(_ visit: MatrixVisit) async throws -> String {
        let email = "moved-\(visit.person.email)"
        try await visit.bench.composition.mailProofs.addresses.requestChange(
            AddressChangeRequest(
                account: visit.person.account,
                session: visit.person.session.access.session,
                email: try #require(EmailAddress(email)),
                language: "en",
                client: "bbms"
            ),
            turn: MailboxTurn { true }
        )
        return try await newest(to: email, visit).addressCode
    }

    private static func code(_ visit: MatrixVisit, _ path: String = "/api/mobile/auth/login") async throws -> ReadMail {
        let body = #"{"email":"\#(visit.person.email)","deviceId":"\#(Bench.mailPhone)"}"#
        let asked = try await visit.bench.post(path, body)
        try #require(asked.status == .ok, "\(asked.text)")
        return try await newest(to: visit.person.email, visit)
    }

    private static func newest(to email: String, _ visit: MatrixVisit) async throws -> ReadMail {
        try #require(try await visit.bench.mails().last { $0.to == email })
    }
}
