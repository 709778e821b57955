import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Settings
import SoftwareAuthenticator
import Testing

@testable import Assembly
@testable import HTTPAPI

/// The ways through the sign-in page: the name first, then what the client and this server take.
struct SignInWaysTests {
    @Test(arguments: [
        ("own", ["by-passkey", "face", "mail", "by-password"]),
        ("any", ["by-passkey", "face", "mail", "by-password"]),
        ("mailed", ["by-passkey", "mail", "face", "by-password"]),
        ("keyed", ["by-passkey", "face", "mail", "by-password"]),
        ("faced", ["face", "by-passkey", "mail", "by-password"]),
    ])
    func `an address leads to every way, those first that are enough for the client`(
        _ client: String,
        _ ways: [String]
    ) async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser(fixture.request(of: client))
            let first = try await browser.load()
            #expect(first.text.contains(#"id="identifier""#) && first.ways.allSatisfy { $0 == "by-passkey" })
            let page = try await browser.identify("ada@example.com")
            #expect(page.status == .ok && page.ways == ways, "\(page.ways)")
            #expect(page.text.contains("Begin here, then set up what") == (client != "any"))
            for form in ["face", "mail", "by-password"] {
                #expect(page.text.contains(#"<form id="\#(form)" method="post" action="../"#), "no script is needed")
            }
        }
    }

    @Test func `a user name leads to a passkey alone, and to none where the client takes no passkey`() async throws {
        try await SignInFixture.run { fixture in
            let page = try await fixture.browser(fixture.request(of: "any")).identify("grace")
            #expect(page.ways == ["by-passkey"] && page.text.contains("For other ways, type your e-mail address."))
        }
        try await SignInFixture.run {
            for name in ["passkeys", "yapt"] { $0.surfaces[name]?.enabled = false }
        } _: { fixture in
            let page = try await fixture.browser(fixture.request(of: "any")).identify("grace")
            #expect(page.status == .badRequest && page.text.contains("Type your e-mail address."))
            #expect(page.text.contains(#"value="grace""#))
        }
    }

    @Test(arguments: ["mail", "password", "passkey", "face"])
    func `each way is enough for a client that takes any, and says what it was`(_ way: String) async throws {
        try await SignInFixture.run { fixture in
            try await fixture.harness.register("eve@example.com")
            let browser = try await fixture.browser(fixture.request(of: "any"))
            let methods: Set<String>
            switch way {
            case "mail":
                let code = try await browser.mailedCode()
                #expect(try await browser.type("\(code.prefix(3)) \(code.suffix(3))").status == .ok)
                methods = ["otp"]
            case "password":
                #expect(try await browser.sign(in: "Eve@example.com").status == .ok)
                methods = ["pwd"]
            case "face":
                try await browser.scan(try await browser.startFace())
                #expect(try await browser.load("/wait").status == .seeOther)
                methods = ["face"]
            default:
                let (credential, _) = try await fixture.harness.addPasskey()
                let named = try await browser.call("/passkey/options", #"{"username":"ada@example.com"}"#)
                let answer = try fixture.harness.browser.get(named.text, with: credential)
                #expect(named.text.contains(credential.idText), "\(named.text)")
                #expect(try await browser.send(passkey: answer).status == .ok)
                methods = ["swk", "user", "mfa"]
            }
            let proven = try #require(try await browser.proven())
            #expect(Set(proven.authentication.methods) == methods, "\(proven.authentication.methods)")
            #expect(browser.jar["vst_way"] == way)
            #expect(try await fixture.harness.who(browser.session) != nil, "the site is signed in to as well")
            #expect(try await browser.comeBack()["code"]?.utf8.count == 43)
        }
    }

    // O-025
    @Test(arguments: ["own", "keyed"])
    func `a password is a first step: the passkey made there leads on once it is used, and proves no more`(
        _ client: String
    ) async throws {
        try await SignInFixture.run { fixture in
            try await fixture.harness.register("eve@example.com")
            let browser = try await fixture.browser(fixture.request(of: client))
            let second = try await browser.follow(try await browser.sign(in: "eve@example.com"))
            #expect(second.status == .ok && second.text.contains("One more step"))
            #expect(second.ways.first == "by-new-passkey", "\(second.ways)")
            #expect(second.ways.contains("enroll") == (client == "own") && !second.ways.contains("face"))
            let (credential, made) = try await browser.make()
            #expect(made.status == .ok, "\(made.text)")
            #expect(try await browser.proven()?.authentication.methods == ["pwd"], "it was not used yet")
            let third = try await browser.load()
            #expect(third.status == .ok && third.ways.first == "by-passkey", "\(third.ways)")
            #expect(try await browser.show(credential).status == .ok)
            let proven = try #require(try await browser.proven()).authentication
            #expect(Set(proven.methods) == ["pwd", "swk", "user", "mfa"])
            #expect(ContextClassReference(proven) == .passkey)
            #expect(try await browser.comeBack()["code"]?.utf8.count == 43)
        }
    }

    @Test func `a mailed code is a first step: a face is enrolled there, and scanned next`() async throws {
        try await SignInFixture.run { fixture in
            try await fixture.harness.register("eve@example.com")
            let browser = try await fixture.browser(fixture.request(of: "faced"))
            let second = try await browser.follow(
                try await browser.type(try await browser.mailedCode("eve@example.com"), "eve@example.com")
            )
            #expect(second.ways == ["enroll"], "\(second.ways)")
            let begun = try await browser.press("/enroll")
            #expect(begun.status == .seeOther && begun.headers[.location] == "wait", "\(begun.text)")
            try await browser.scan(try await browser.load("/wait"))
            let enrolled = try await browser.load("/wait")
            #expect(enrolled.status == .seeOther, "\(enrolled.text)")
            #expect(try await browser.proven()?.authentication.methods == ["otp"], "it was not scanned yet")
            let third = try await browser.load()
            #expect(third.ways == ["face"], "\(third.text)")
            try await browser.scan(try await browser.startFace("eve@example.com"))
            #expect(try await browser.load("/wait").status == .seeOther)
            #expect(try await browser.proven()?.authentication.methods == ["otp", "face"])
            #expect(try await browser.comeBack()["code"]?.utf8.count == 43)
        }
    }

    @Test func `a client that names passkey and mail takes no password, and asks for one of them after it`()
        async throws
    {
        try await SignInFixture.run { fixture in
            try await fixture.harness.register("eve@example.com")
            let browser = try await fixture.browser(fixture.request(of: "mailed"))
            let second = try await browser.follow(try await browser.sign(in: "eve@example.com"))
            #expect(
                second.ways == ["by-new-passkey", "mail"]
                    && second.text.contains("asks for another way to sign in as well")
            )
            let code = try await browser.mailedCode("eve@example.com")
            #expect(try await browser.type(code, "eve@example.com").status == .ok)
            #expect(try await browser.comeBack()["code"]?.utf8.count == 43)
        }
    }

    @Test func `with a hint the ways come at once, and another name can be typed`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser(fixture.request(of: "any", hint: "ada@example.com"))
            #expect(try await browser.load().ways.count == 4)
            let other = try await browser.load("?other=1")
            #expect(other.text.contains(#"id="identifier""#) && other.text.contains(#"value="ada@example.com""#))
            let odd = try await fixture.browser(fixture.request(of: "any", hint: "a:b")).load()
            #expect(odd.status == .ok && odd.text.contains(#"id="identifier""#))
        }
    }

    @Test func `the last way comes first in the same browser, whoever comes`() async throws {
        try await SignInFixture.run { fixture in
            try await fixture.harness.register("eve@example.com")
            let browser = try await fixture.browser(fixture.request(of: "any"))
            let answer = try await browser.sign(in: "eve@example.com")
            let kept = try #require(answer.setCookie("vst_way"))
            #expect(kept == "vst_way=password; Path=/; Max-Age=15552000; HttpOnly; SameSite=Lax")
            let next = try await fixture.browser(fixture.request(of: "any"), jar: ["vst_way": "password"])
            let page = try await next.identify("bob@example.com")
            #expect(page.ways.first == "by-password" && page.text.contains("You used this here last time."))
            let strange = try await fixture.browser(fixture.request(of: "any"), jar: ["vst_way": "nonsense"])
            #expect(try await strange.identify("bob@example.com").ways.first == "by-passkey")
        }
    }

    @Test func `a passkey is offered after another way where the browser can keep one, until the person wants none`()
        async throws
    {
        try await SignInFixture.run { fixture in
            try await fixture.harness.register("eve@example.com")
            let unable = try await fixture.browser(fixture.request(of: "any"))
            let unasked = try await unable.follow(try await unable.sign(in: "eve@example.com"))
            #expect(try SignInFixture.answer(in: unasked)["code"] != nil, "without scripts nobody is asked")

            let browser = try await fixture.browser(fixture.request(of: "any"))
            let offered = try await browser.follow(try await browser.sign(in: "eve@example.com", able: true))
            #expect(offered.status == .ok && offered.text.contains("Sign in faster next time?"))
            let skipped = try await browser.press("/later")
            #expect(skipped.setCookie("vst_later")?.contains("Max-Age=2592000") == true)
            #expect(try await browser.comeBack()["code"] != nil)

            let later = try await fixture.browser(fixture.request(of: "any", prompts: [.login]), jar: browser.jar)
            let again = try await later.follow(try await later.sign(in: "eve@example.com", able: true))
            #expect(try SignInFixture.answer(in: again)["code"] != nil, "not asked again so soon")

            let other = try await fixture.browser(fixture.request(of: "any"))
            #expect(try await other.follow(try await other.sign(in: "eve@example.com", able: true)).status == .ok)
            #expect(try await other.make().1.status == .ok)
            let owner = try await other.load("?offer=1")
            #expect(try SignInFixture.answer(in: owner)["code"] != nil, "who has used one in this browser is not asked")
        }
    }

    @Test func `a scan offers a passkey too, where the browser can keep one`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            let started = try await browser.press("/face", "email=ada%40example.com&able=1")
            #expect(started.headers[.location] == "wait?offer=1")
            try await browser.scan(try await browser.load("/wait?offer=1"))
            let done = try await browser.load("/wait?offer=1")
            #expect(done.headers[.location] == "../\(browser.id)?offer=1")
            #expect(try await browser.load("?offer=1").text.contains("Sign in faster next time?"))
            #expect(try await browser.make().1.status == .ok)
            #expect(try await browser.comeBack()["code"] != nil)

            let laptop = try await fixture.browser()
            _ = try await laptop.press("/face", "email=ada%40example.com&able=1")
            try await laptop.scan(try await laptop.load("/wait?offer=1"))
            _ = try await laptop.load("/wait?offer=1")
            let offered = try await laptop.load("?offer=1")
            #expect(offered.text.contains("Sign in faster next time?"), "the passkey is in another browser")
        }
    }

    @Test func `without faces and passkeys a mailbox or a password gets past the page of a client that takes them`()
        async throws
    {
        try await SignInFixture.run {
            for name in ["passkeys", "yapt"] { $0.surfaces[name]?.enabled = false }
        } _: { fixture in
            let page = try await fixture.browser(fixture.request(of: "keyed")).identify("ada@example.com")
            #expect(page.ways == [] && page.text.contains("none can be set up"), "\(page.text)")
            let browser = try await fixture.browser(fixture.request(of: "any"))
            #expect(try await browser.identify("ada@example.com").ways == ["face", "mail", "by-password"])
            #expect(try await browser.type(try await browser.mailedCode()).status == .ok)
            #expect(try await browser.comeBack()["code"] != nil)
        }
    }
}
