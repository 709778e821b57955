import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Settings
import Testing
import Wire

@testable import HTTPAPI
@testable import Vestibule

/// What a browser's session from before is worth to a client: no more than the sign-in page itself.
struct SignInRequirementTests {
    @Test func `attack: a password that was turned into a browser's session gets no code`() async throws {
        try await SignInStage.run { stage in
            let bench = stage.bench
            let ada = try await bench.signIn()
            _ = try await bench.post("/auth/password", #"{"newPassword": "\#(Bench.password)"}"#, ada.bearer)
            let thief = try await bench.passwordSignIn("ada@example.com").decode(SignInResponse.self)
            let stolen = try await Self.cookie(bench, .bearing(thief.accessToken))
            for scopes in [["openid"], ["openid", "offline_access"]] as [Set<String>] {
                let browser = try await stage.browser(stage.request(scopes: scopes), jar: ["yapt.sid": stolen])
                let page = try await browser.load()
                #expect(page.status == .ok && page.headers[.location] == nil, "\(page.text)")
                #expect(page.text.contains("Sign in to Our App"))
            }
            let silent = try await stage.browser(stage.request(prompts: [.none]), jar: ["yapt.sid": stolen])
            #expect(try await silent.comeBack()["error"] == "login_required")

            let own = try await Self.cookie(bench, ada.bearer)
            let browser = try await stage.browser(jar: ["yapt.sid": own])
            #expect(try await browser.comeBack()["code"]?.utf8.count == 43, "a face's session needs no more")
        }
    }

    @Test func `a client that requires a passkey has a person with a face's session show one, for a device too`()
        async throws
    {
        try await DeviceStage.run { stage in
            let bench = stage.bench
            let face = "yapt.sid=" + (try await Self.cookie(bench, try await bench.signIn().bearer))
            let codes = try await stage.begin("safe")
            for word in [nil, "allow"] {
                var fields = [("user_code", codes.userCode)]
                if let word { fields += [("decision", word), ("as", "somebody")] }
                let sent = try await stage.press(fields, face)
                #expect(sent.status == .seeOther && sent.headers[.location]?.hasPrefix("oauth/sign-in/") == true)
                let browser = try #require(sent.cookie("vst_oauth"))
                let choice = try await stage.send(.get, "/" + (sent.headers[.location] ?? ""), .cookies(browser))
                #expect(choice.text.contains("passkey") && !choice.text.contains(#"<form id="face""#))
            }
            #expect(try await stage.refusal(codes, as: "safe") == "authorization_pending")
            let question = try await stage.press([("user_code", try await stage.begin("own").userCode)], face)
            #expect(question.status == .ok && question.text.contains(#"id="allow""#), "another client asks for no more")
        }
    }

    @Test(arguments: [(ContextClassReference?.none, "preferred"), (.passkey, "required"), (.both, "required")])
    func `a passkey is asked for user verification where nothing less leads on`(
        _ contextClass: ContextClassReference?,
        _ verification: String
    ) async throws {
        try await SignInStage.run({ $0.passkeys.requiresUserVerification = false }) { stage in
            let browser = try await stage.browser(stage.request(contextClass: contextClass))
            try await browser.load()
            let options = try await browser.press("/passkey/options")
            #expect(
                options.status == .ok && options.text.contains(#""userVerification":"\#(verification)""#),
                "\(options.text)"
            )
        }
    }

    /// The cookie that a browser gets for that session.
    private static func cookie(_ bench: Bench, _ headers: HTTPFields) async throws -> String {
        let held = try await bench.send(.post, "/api/auth/web-session", headers)
        try #require(held.status == .ok, "\(held.text)")
        return String(try #require(held.cookie("yapt.sid")).dropFirst("yapt.sid=".count))
    }
}
