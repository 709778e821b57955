import HTTPTypes
import HummingbirdTesting
import Kernel
import SoftwareAuthenticator
import Testing

@testable import HTTPAPI
@testable import Vestibule

extension MatrixCases {
    /// By `challengeId`.
    static let passkeys: [MatrixCase] = [
        MatrixCase("POST /api/generate-registration-options", .nothing) { visit in
            MatrixRequest("/api/generate-registration-options", json: newName(visit))
        },
        MatrixCase("POST /api/verify-registration", .inRequest(ofAccount: false)) { visit in
            let options = try await visit.bench.post("/api/generate-registration-options", newName(visit))
            let made = try visit.browser.create(options.text).1
            return MatrixRequest("/api/verify-registration", json: try Bench.answer(made, to: options))
        },
        MatrixCase("POST /api/generate-authentication-options", .nothing) { _ in
            MatrixRequest("/api/generate-authentication-options", json: "{}")
        },
        MatrixCase("POST /api/verify-authentication", .inRequest(ofAccount: true)) { visit in
            let credential = try await addPasskey(visit)
            let options = try await visit.bench.signInOptions(visit.person.email)
            let answer = try visit.browser.get(options.text, with: credential)
            return MatrixRequest("/api/verify-authentication", json: try Bench.answer(answer, to: options))
        },
        MatrixCase("GET /api/users", .nothing) { _ in MatrixRequest("/api/users") },
    ]

    /// By the cookie of a browser.
    static let cookiePasskeys: [MatrixCase] = [
        MatrixCase("POST /api/auth/register/generate-options", .nothing) { visit in
            MatrixRequest("/api/auth/register/generate-options", json: newName(visit))
        },
        MatrixCase("POST /api/auth/register/verify", .inRequest(ofAccount: false)) { visit in
            let options = try await visit.bench.post("/api/auth/register/generate-options", newName(visit))
            let made = try visit.browser.create(options.text).1
            return MatrixRequest("/api/auth/register/verify", .cookies(options.cookie("yapt.sid=")), json: made)
        },
        MatrixCase("POST /api/auth/login/generate-options", .nothing) { _ in
            MatrixRequest("/api/auth/login/generate-options", json: "{}")
        },
        MatrixCase("POST /api/auth/login/verify", .inRequest(ofAccount: true)) { visit in
            let credential = try await addPasskey(visit)
            let options = try await visit.bench.post("/api/auth/login/generate-options", "{}")
            let answer = try visit.browser.get(options.text, with: credential)
            return MatrixRequest("/api/auth/login/verify", .cookies(options.cookie("yapt.sid=")), json: answer)
        },
        MatrixCase("POST /api/auth/add-device/generate-options", .access) { _ in
            MatrixRequest("/api/auth/add-device/generate-options")
        },
        MatrixCase("POST /api/auth/add-device/verify", .access) { visit in
            let options = try await visit.bench.send(
                .post,
                "/api/auth/add-device/generate-options",
                visit.bearer
            )
            return MatrixRequest("/api/auth/add-device/verify", json: try visit.browser.create(options.text).1)
        }.about(.session),
        MatrixCase("GET /api/auth/devices", .access) { _ in MatrixRequest("/api/auth/devices") },
        MatrixCase("PATCH /api/auth/devices/{id}", .access) { visit in
            MatrixRequest(try await path(visit), json: #"{"name":"Phone"}"#)
        }.about(.account),
        MatrixCase("DELETE /api/auth/devices/{id}", .access) { visit in
            MatrixRequest(try await path(visit))
        }.about(.account),
        MatrixCase("POST /api/auth/web-session", .access) { _ in MatrixRequest("/api/auth/web-session") },
        MatrixCase("GET /api/portfolio/summary", .access) { _ in MatrixRequest("/api/portfolio/summary") },
    ]

    /// The documents of the relying party that browsers and phones read.
    static let relyingParty: [MatrixCase] = ["apple-app-site-association", "assetlinks.json", "webauthn"].flatMap {
        name in
        fetching("/.well-known/\(name)", .nothing) { _ in MatrixRequest("/.well-known/\(name)") }
    }

    private static func newName(_ visit: MatrixVisit) -> String { #"{"username":"new \#(visit.person.number)"}"# }

    /// Gives the person a passkey, in their own session.
    static func addPasskey(_ visit: MatrixVisit) async throws -> SoftwareAuthenticator.Credential {
        let (begin, verify) = ("/api/auth/add-device/generate-options", "/api/auth/add-device/verify")
        let options = try await visit.bench.send(.post, begin, visit.bearer)
        try #require(options.status == .ok, "\(options.text)")
        let (credential, made) = try visit.bench.browser.create(options.text)
        let added = try await visit.bench.post(verify, made, visit.bearer)
        try #require(added.status == .ok, "\(added.text)")
        return credential
    }

    private static func path(_ visit: MatrixVisit) async throws -> String {
        _ = try await addPasskey(visit)
        let listed = try await visit.bench.send(.get, "/api/auth/devices", visit.bearer)
        let id = try #require(try listed.decode(OwnedPasskeysResponse.self).devices.first?.id)
        return "/api/auth/devices/\(id)"
    }
}

extension MatrixVisit {
    /// The browser at this server's own pages, or at a page elsewhere that must get nothing.
    var browser: SoftwareAuthenticator {
        isProved ? bench.browser : SoftwareAuthenticator(origin: "https://elsewhere.example.net")
    }
}
