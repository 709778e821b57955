import Audit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import SoftwareAuthenticator
import Testing

@testable import Assembly

extension Harness {
    /// Over a config whose face logins ask for a passkey, if the account has any.
    static func runConfirming(
        _ change: (inout Settings) -> Void = { _ in },
        _ body: @Sendable (Harness) async throws -> Void
    ) async throws {
        try await run { settings in
            settings.faceLogin.landing = .confirm
            settings.clients[0].confirmWith = .passkeyIfAny
            change(&settings)
        } _: { harness in
            try await body(harness)
        }
    }

    /// Signs in by a press, and makes a passkey in that session; `change`: what the browser's answer says otherwise.
    func addPasskey(
        _ email: String = "ada@example.com",
        with device: String? = nil,
        _ change: (String) -> String = { $0 }
    ) async throws -> (SoftwareAuthenticator.Credential, SignedInPersonOfTest) {
        let person = try await signIn(email, with: device)
        let options = try await registrationOptions(email, person.bearer)
        try #require(options.status == .ok, "\(options.text)")
        let (credential, response) = try browser.create(options.text)
        let body = try Self.answer(change(response), to: options)
        let made = try await post("/api/verify-registration", body, person.bearer)
        try #require(made.status == .ok, "\(made.text)")
        return (credential, person)
    }

    /// What the page's script asks for.
    func confirmationOptions(_ path: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await send(.post, path + "/passkey/options", headers.adding(.fetchSite, "same-origin"))
    }

    /// What it sends: the form of the page, with the passkey's answer.
    func confirm(
        _ path: String,
        _ answer: String,
        number: String? = nil,
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers.adding(.fetchSite, "same-origin")
        headers[.contentType] = "application/x-www-form-urlencoded"
        let typed = number.map { "number=\($0)&" } ?? ""
        let escaped = answer.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try await send(.post, path + "/passkey", headers, body: "\(typed)passkey=\(escaped)")
    }

    /// The passkey's answer to the options of that page.
    func signed(
        _ path: String,
        _ credential: SoftwareAuthenticator.Credential,
        by authenticator: SoftwareAuthenticator? = nil
    ) async throws -> String {
        let options = try await confirmationOptions(path)
        try #require(options.status == .ok, "\(options.text)")
        return try (authenticator ?? browser).get(options.text, with: credential)
    }

    /// Both, one after the other.
    func confirm(
        _ path: String,
        with credential: SoftwareAuthenticator.Credential,
        number: String? = nil,
        by authenticator: SoftwareAuthenticator? = nil
    ) async throws -> TestResponse {
        try await confirm(path, try await signed(path, credential, by: authenticator), number: number)
    }

    /// Expects a page that refuses what was pressed or shown, and leads back to the question.
    func expectRefused(
        _ page: TestResponse,
        as code: String,
        back: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(page.status == .forbidden, sourceLocation: sourceLocation)
        #expect(page.text.contains(#"<main data-code="\#(code)">"#), "\(page.text)", sourceLocation: sourceLocation)
        let action = back.map { #" action="\#($0)""# } ?? ""
        let form = #"<form method="get"\#(action)><button type="submit">Go back</button></form>"#
        #expect(page.text.contains(form), "\(page.text)", sourceLocation: sourceLocation)
        #expect(page.headers[.setCookie] == nil, sourceLocation: sourceLocation)
    }

    /// The audit's rows of that fact, newest last.
    func audited(_ event: String) async throws -> [AuditEntry] {
        try await composition.stores.audit.rows(of: CoreFeature.node, from: 1, limit: 1000)
            .map(\.entry).filter { $0.event == event }
    }
}
