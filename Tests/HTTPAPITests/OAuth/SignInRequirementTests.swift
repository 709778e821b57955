import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Settings
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// What a browser's session from before is worth to a client: no more than the sign-in page itself.
struct SignInRequirementTests {
    // T-118, O-025
    @Test func `attack: a web session made from a password sign-in gets no code without a new sign-in`() async throws {
        try await SignInFixture.run { fixture in
            let harness = fixture.harness
            let ada = try await harness.signIn()
            _ = try await harness.post("/auth/password", #"{"newPassword": "\#(Harness.password)"}"#, ada.bearer)
            let attacker = try await harness.passwordSignIn("ada@example.com").decode(SignInResponse.self)
            let stolen = try await Self.cookie(harness, .bearing(attacker.accessToken))
            for scopes in [["openid"], ["openid", "offline_access"]] as [Set<String>] {
                let browser = try await fixture.browser(fixture.request(scopes: scopes), jar: ["yapt.sid": stolen])
                let page = try await browser.load()
                #expect(page.status == .ok && page.headers[.location] == nil, "\(page.text)")
                #expect(page.text.contains("Sign in to Our App"))
            }
            let silent = try await fixture.browser(fixture.request(prompts: [.none]), jar: ["yapt.sid": stolen])
            #expect(try await silent.comeBack()["error"] == "login_required")

            let own = try await Self.cookie(harness, ada.bearer)
            let browser = try await fixture.browser(jar: ["yapt.sid": own])
            #expect(try await browser.comeBack()["code"]?.utf8.count == 43, "a face's session needs no more")
        }
    }

    // O-025
    @Test func `a client that requires a passkey has a person with a face's session show one, for a device too`()
        async throws
    {
        try await DeviceFixture.run { fixture in
            let harness = fixture.harness
            let face = "yapt.sid=" + (try await Self.cookie(harness, try await harness.signIn().bearer))
            let codes = try await fixture.begin("safe")
            for word in [nil, "allow"] {
                var fields = [("user_code", codes.userCode)]
                if let word { fields += [("decision", word), ("as", "somebody")] }
                let sent = try await fixture.press(fields, face)
                #expect(sent.status == .seeOther && sent.headers[.location]?.hasPrefix("oauth/sign-in/") == true)
                let browser = try #require(sent.cookie("vst_oauth"))
                let page = "/" + (sent.headers[.location] ?? "")
                let choice = try await fixture.form(
                    page + "/identifier",
                    [("identifier", "ada@example.com")],
                    .cookies(browser).adding(.fetchSite, "same-origin")
                )
                let first = try #require(choice.text.firstMatch(of: #/id="(by-passkey|face|mail|by-password)"/#)).1
                #expect(first == "by-passkey" && choice.text.contains("then set up what Vestibule asks for"))
            }
            #expect(try await fixture.refusal(codes, as: "safe") == "authorization_pending")
            let question = try await fixture.press([("user_code", try await fixture.begin("own").userCode)], face)
            #expect(question.status == .ok && question.text.contains(#"id="allow""#), "another client asks for no more")
        }
    }

    @Test(arguments: [(ContextClassReference?.none, "preferred"), (.passkey, "required"), (.both, "required")])
    func `a passkey is asked for user verification where nothing less leads on`(
        _ contextClass: ContextClassReference?,
        _ verification: String
    ) async throws {
        try await SignInFixture.run({ $0.passkeys.requiresUserVerification = false }) { fixture in
            let browser = try await fixture.browser(fixture.request(contextClass: contextClass))
            try await browser.load()
            let options = try await browser.press("/passkey/options")
            #expect(
                options.status == .ok && options.text.contains(#""userVerification":"\#(verification)""#),
                "\(options.text)"
            )
        }
    }

    /// The cookie that a browser gets for that session.
    private static func cookie(_ harness: Harness, _ headers: HTTPFields) async throws -> String {
        let held = try await harness.send(.post, "/api/auth/web-session", headers)
        try #require(held.status == .ok, "\(held.text)")
        return String(try #require(held.cookie("yapt.sid")).dropFirst("yapt.sid=".count))
    }
}
