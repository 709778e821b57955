import HTTPTypes
import HummingbirdTesting
import Kernel
import OAuth
import SoftwareAuthenticator
import Testing

@testable import Assembly
@testable import HTTPAPI

// What a person does on the sign-in page, by its forms.
extension SentBrowser {
    /// Types a name; returns the page of the ways.
    func identify(_ name: String) async throws -> TestResponse {
        try await press("/identifier", "identifier=\(Self.escaped(name))")
    }

    func sign(in email: String, password: String = Harness.password, able: Bool = false) async throws -> TestResponse {
        let words = password.replacing(" ", with: "+")
        return try await press("/password", "email=\(Self.escaped(email))&password=\(words)" + (able ? "&able=1" : ""))
    }

    func askForCode(_ email: String = "ada@example.com") async throws -> TestResponse {
        try await press("/mail", "email=\(Self.escaped(email))")
    }

    func type(_ code: String, _ email: String = "ada@example.com") async throws -> TestResponse {
        try await press("/code", "email=\(Self.escaped(email))&code=\(code)")
    }

    /// Asks for a code, and reads it in the mailbox.
    func mailedCode(_ email: String = "ada@example.com") async throws -> String {
        let page = try await askForCode(email)
        try #require(page.status == .ok, "\(page.text)")
        let mails = try await fixture.harness.mails()
        return try #require(mails.last { $0.to == email && $0.subject.hasPrefix("Your sign-in code") }).code
    }

    /// What the script does to create a passkey; `name`: of a new account.
    func make(_ name: String? = nil) async throws -> (SoftwareAuthenticator.Credential, TestResponse) {
        let options = try await call("/passkey/new/options", name.map { #"{"username":"\#($0)"}"# } ?? "{}")
        try #require(options.status == .ok, "\(options.text)")
        let (credential, answer) = try fixture.harness.browser.create(options.text)
        return (credential, try await call("/passkey/new", answer))
    }

    /// Sends what a script of the page sends.
    func call(_ below: String, _ json: String) async throws -> TestResponse {
        let headers: HTTPFields = [.fetchSite: "same-origin", .contentType: "application/json", .cookie: cookies]
        let answer = try await fixture.send(.post, page + below, headers, body: json)
        take(answer)
        return answer
    }

    /// The proof that the interaction has.
    func proven() async throws -> Interaction.Proven? {
        let cookie = Digest256(sha256: jar[CompanionCookies.interactionName] ?? "")
        return try await fixture.service.interaction(id, browser: cookie)?.proven
    }

    /// The page that an answer to a form leads to.
    func follow(_ answer: TestResponse) async throws -> TestResponse {
        let next = try #require(answer.text.firstMatch(of: #/content="0;url=\.\.\/[\w-]+([^"]*)"/#), "\(answer.text)").1
        return try await load(String(next))
    }

    static func escaped(_ text: String) -> String {
        text.replacing("@", with: "%40").replacing("+", with: "%2B").replacing(" ", with: "+")
    }
}

extension TestResponse {
    /// The ways that a page lists, in its order.
    var ways: [String] {
        text.matches(of: #/id="(by-passkey|by-new-passkey|face|enroll|mail|by-password)"/#).map { String($0.1) }
    }
}
