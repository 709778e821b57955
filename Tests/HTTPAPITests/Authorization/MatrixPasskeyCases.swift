import HTTPTypes
import HummingbirdTesting
import Kernel
import SoftwareAuthenticator
import Testing

@testable import Assembly
@testable import HTTPAPI

extension MatrixCases {
    /// By `challengeId`.
    static let passkeys: [MatrixCase] = [
        MatrixCase("POST /api/generate-registration-options", .nothing) { context in
            MatrixRequest("/api/generate-registration-options", json: newName(context))
        },
        MatrixCase("POST /api/verify-registration", .inRequest(ofAccount: false)) { context in
            let options = try await context.harness.post("/api/generate-registration-options", newName(context))
            let made = try context.browser.create(options.text).1
            return MatrixRequest("/api/verify-registration", json: try Harness.answer(made, to: options))
        },
        MatrixCase("POST /api/generate-authentication-options", .nothing) { _ in
            MatrixRequest("/api/generate-authentication-options", json: "{}")
        },
        MatrixCase("POST /api/verify-authentication", .inRequest(ofAccount: true)) { context in
            let credential = try await addPasskey(context)
            let options = try await context.harness.signInOptions(context.person.email)
            let answer = try context.browser.get(options.text, with: credential)
            return MatrixRequest("/api/verify-authentication", json: try Harness.answer(answer, to: options))
        },
        MatrixCase("GET /api/users", .nothing) { _ in MatrixRequest("/api/users") },
    ]

    /// By the cookie of a browser.
    static let cookiePasskeys: [MatrixCase] = [
        MatrixCase("POST /api/auth/register/generate-options", .nothing) { context in
            MatrixRequest("/api/auth/register/generate-options", json: newName(context))
        },
        MatrixCase("POST /api/auth/register/verify", .inRequest(ofAccount: false)) { context in
            let options = try await context.harness.post("/api/auth/register/generate-options", newName(context))
            let made = try context.browser.create(options.text).1
            return MatrixRequest("/api/auth/register/verify", .cookies(options.cookie("yapt.sid=")), json: made)
        },
        MatrixCase("POST /api/auth/login/generate-options", .nothing) { _ in
            MatrixRequest("/api/auth/login/generate-options", json: "{}")
        },
        MatrixCase("POST /api/auth/login/verify", .inRequest(ofAccount: true)) { context in
            let credential = try await addPasskey(context)
            let options = try await context.harness.post("/api/auth/login/generate-options", "{}")
            let answer = try context.browser.get(options.text, with: credential)
            return MatrixRequest("/api/auth/login/verify", .cookies(options.cookie("yapt.sid=")), json: answer)
        },
        MatrixCase("POST /api/auth/add-device/generate-options", .access) { _ in
            MatrixRequest("/api/auth/add-device/generate-options")
        },
        MatrixCase("POST /api/auth/add-device/verify", .access) { context in
            let options = try await context.harness.send(
                .post,
                "/api/auth/add-device/generate-options",
                context.bearer
            )
            return MatrixRequest("/api/auth/add-device/verify", json: try context.browser.create(options.text).1)
        }.about(.session),
        MatrixCase("GET /api/auth/devices", .access) { _ in MatrixRequest("/api/auth/devices") },
        MatrixCase("PATCH /api/auth/devices/{id}", .access) { context in
            MatrixRequest(try await path(context), json: #"{"name":"Phone"}"#)
        }.about(.account),
        MatrixCase("DELETE /api/auth/devices/{id}", .access) { context in
            MatrixRequest(try await path(context))
        }.about(.account),
        MatrixCase("POST /api/auth/web-session", .access) { _ in MatrixRequest("/api/auth/web-session") },
        MatrixCase("GET /api/portfolio/summary", .access) { _ in MatrixRequest("/api/portfolio/summary") },
    ]

    /// The documents of the relying party that browsers and phones read.
    static let relyingParty: [MatrixCase] = ["apple-app-site-association", "assetlinks.json", "webauthn"].flatMap {
        name in
        fetching("/.well-known/\(name)", .nothing) { _ in MatrixRequest("/.well-known/\(name)") }
    }

    private static func newName(_ context: MatrixContext) -> String { #"{"username":"new \#(context.person.number)"}"# }

    /// Gives the person a passkey, in their own session.
    static func addPasskey(_ context: MatrixContext) async throws -> SoftwareAuthenticator.Credential {
        let (begin, verify) = ("/api/auth/add-device/generate-options", "/api/auth/add-device/verify")
        let options = try await context.harness.send(.post, begin, context.bearer)
        try #require(options.status == .ok, "\(options.text)")
        let (credential, made) = try context.harness.browser.create(options.text)
        let added = try await context.harness.post(verify, made, context.bearer)
        try #require(added.status == .ok, "\(added.text)")
        return credential
    }

    private static func path(_ context: MatrixContext) async throws -> String {
        _ = try await addPasskey(context)
        let listed = try await context.harness.send(.get, "/api/auth/devices", context.bearer)
        let id = try #require(try listed.decode(OwnedPasskeysResponse.self).devices.first?.id)
        return "/api/auth/devices/\(id)"
    }
}

extension MatrixContext {
    /// The browser at this server's own pages, or at a page elsewhere that must get nothing.
    var browser: SoftwareAuthenticator {
        isProved ? harness.browser : SoftwareAuthenticator(origin: "https://elsewhere.example.net")
    }
}
