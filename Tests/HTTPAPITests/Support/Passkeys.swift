import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Passkeys
import Settings
import SoftwareAuthenticator
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// A browser with a passkey, and the cookie that it is signed in by.
struct BrowserOfTest: Sendable {
    let credential: SoftwareAuthenticator.Credential
    /// `yapt.sid` with its value, as a browser sends it; with its companion over https.
    let cookie: String
    let response: String

    var headers: HTTPFields { .cookies(cookie) }
}

extension Harness {
    /// An authenticator at this server's own pages.
    var browser: SoftwareAuthenticator { SoftwareAuthenticator(origin: settings.publicURL) }

    /// Asks for options to make a passkey, by `challengeId`.
    func registrationOptions(_ name: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await post("/api/generate-registration-options", #"{"username":"\#(name)"}"#, headers)
    }

    /// The answer to options with what names their challenge.
    static func answer(_ response: String, to options: TestResponse) throws -> String {
        let id = try #require(try options.json()["challengeId"] as? String)
        return #"{"response":\#(response),"challengeId":"\#(id)"}"#
    }

    /// Opens an account with a passkey and signs in to it, by `challengeId`.
    func signUp(_ name: String) async throws -> BrowserOfTest {
        let options = try await registrationOptions(name)
        try #require(options.status == .ok, "\(options.text)")
        let (credential, response) = try browser.create(options.text)
        let answer = try await post("/api/verify-registration", Self.answer(response, to: options))
        try #require(answer.status == .ok, "\(answer.text)")
        let cookie = try #require(answer.sessionCookies)
        return BrowserOfTest(credential: credential, cookie: cookie, response: answer.text)
    }

    func signInOptions(_ name: String?, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        let body = name.map { #"{"username":"\#($0)"}"# } ?? "{}"
        let options = try await post("/api/generate-authentication-options", body, headers)
        try #require(options.status == .ok, "\(options.text)")
        return options
    }

    /// Signs in with a passkey by `challengeId`.
    func signIn(
        _ credential: SoftwareAuthenticator.Credential,
        _ name: String? = nil,
        _ headers: HTTPFields = [:],
        query: String = "",
        by authenticator: SoftwareAuthenticator? = nil
    ) async throws -> TestResponse {
        let options = try await signInOptions(name)
        let response = try (authenticator ?? browser).get(options.text, with: credential)
        return try await post("/api/verify-authentication" + query, Self.answer(response, to: options), headers)
    }

    /// Who is signed in by that cookie; `nil` for nobody.
    func who(_ cookie: String?) async throws -> String? {
        let answer = try await send(.get, "/api/auth/me", .cookies(cookie))
        guard answer.status == .ok else { return nil }
        return try answer.decode(SignedInUserResponse.self).user.username
    }
}

extension TestResponse {
    /// The cookies of a browser's session, as a browser sends them back; `nil` where it sets none.
    var sessionCookies: String? {
        let own = ["yapt.sid=", "__Host-yapt.sid="].compactMap { cookie($0) }
        return own.isEmpty ? nil : own.joined(separator: "; ")
    }
}
