import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Settings
import SoftwareAuthenticator
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The sign-in page of authorization requests, step by step, by its forms alone and with what its scripts ask.
struct SignInPageTests {
    // O-018, O-019
    @Test func `the page offers the ways for the address that the client expects, and loads files of ours alone`()
        async throws
    {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser(fixture.request(hint: "ada@example.com"))
            let page = try await browser.load()
            #expect(page.status == .ok && page.text.contains("Sign in to Our App"))
            #expect(page.text.contains(#"value="ada@example.com""#))
            let other = try await browser.load("?other=1").text
            #expect(other.contains(#"autocomplete="username webauthn""#), "browsers offer passkeys in this field")
            #expect(other.contains(#"<form id="ask" method="post" action="\#(browser.id)/identifier">"#))
            #expect(page.text.contains(#"<form id="face" method="post" action="\#(browser.id)/face">"#))
            #expect(page.text.contains(#"data-path="\#(browser.id)/passkey" data-page="\#(browser.id)""#))
            #expect(page.text.contains(#"<fieldset id="where" class="choices" hidden>"#), "a code takes a script")
            #expect(
                page.headers[.contentSecurityPolicy] == SitePages.policy && page.headers[.cacheControl] == "no-store"
            )
            #expect(page.headers[.referrerPolicy] == "same-origin" && page.headers[.setCookie] == nil)
            let files = page.text.matches(of: #/(?:src|href)="\.\.\/\.\.(\/assets\/[^"]+)"/#).map { String($0.1) }
            #expect(files.count == 5, "script, style and three icons")
            for file in files { #expect(try await fixture.harness.send(.get, file).status == .ok, "\(file)") }
        }
    }

    // O-008
    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `by forms alone: an address, a page that looks again by itself, a scan, and back with a code`(
        _ storage: HarnessStorage
    )
        async throws
    {
        try await SignInFixture.run(storage: storage) { fixture in
            let browser = try await fixture.browser()
            let waiting = try await browser.startFace()
            #expect(waiting.status == .ok && waiting.text.contains(#"<meta http-equiv="refresh" content="3">"#))
            #expect(waiting.text.contains(#"<li aria-current="step">Open the scan</li>"#))
            #expect(!waiting.text.contains(#"id="number""#), "a number is for another device alone")
            try await browser.scan(waiting)
            let signedIn = try await browser.load("/wait")
            #expect(signedIn.status == .seeOther && signedIn.headers[.location] == "../\(browser.id)")
            let session = try #require(browser.session)
            let me = try await fixture.harness.send(.get, "/api/auth/me", .cookies(session))
            #expect(try me.decode(SignedInUserResponse.self).user.email == "ada@example.com")
            let answer = try await browser.comeBack()
            #expect(answer["state"] == "of the app" && answer["iss"] == fixture.harness.settings.issuer)
            #expect(answer["code"]?.utf8.count == 43 && answer["tenant"] == "7" && answer["error"] == nil)

            // The session that is left signs in the next request without a word.
            let next = try await fixture.browser(jar: browser.jar)
            #expect(try await next.comeBack()["code"]?.utf8.count == 43)
        }
    }

    @Test func `without scripts each reload of the waiting page marks the current step`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            let waiting = try await browser.startFace()
            let ticket = try #require(waiting.text.firstMatch(of: #/\/go\/([\w-]{43})"/#)).1
            try await fixture.harness.send(.post, "/go/\(ticket)", [.fetchSite: "same-origin"])
            #expect(try await browser.load("/wait").text.contains(#"<li aria-current="step">Show your face</li>"#))
            try await fixture.harness.judge(.pending(.processing))
            let judged = try await browser.load("/wait").text
            #expect(judged.contains(#"<li aria-current="step">The scan is being checked</li>"#))
            #expect(judged.matches(of: #/<li class="past">/#).count == 3)
        }
    }

    // T-177
    @Test func `on another device: the code's address, and the number that opens it`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            let waiting = try await browser.startFace(mode: "cross-device")
            let number = try #require(waiting.text.firstMatch(of: #/<p id="number"[^>]*>(\d\d)<\/p>/#)).1
            let scan = try #require(waiting.text.firstMatch(of: #/data-address="[^"]*(\/go\/[\w-]{43})"/#)).1
            let form: HTTPFields = [.fetchSite: "same-origin", .contentType: "application/x-www-form-urlencoded"]
            let phone = try await fixture.harness.send(.get, String(scan))
            #expect(phone.text.contains("Our App") && phone.text.contains(#"name="number""#))
            #expect(try await fixture.harness.send(.post, String(scan), form).status == .badRequest)
            let opened = try await fixture.harness.send(.post, String(scan), form, body: "number=\(number)")
            #expect(opened.status == .seeOther)
            let given = try await browser.load("/wait").text
            #expect(!given.contains("<canvas") && !given.contains(number) && !given.contains(#"id="scan""#))
            #expect(given.contains("The scan is open. Continue there"), "the code gives way to the progress")
            try await fixture.harness.judge(.approved)
            #expect(try await browser.load("/wait").status == .seeOther)
            #expect(try await browser.comeBack()["code"] != nil)
        }
    }

    // T-015
    @Test(arguments: ["same-device", "cross-device"])
    func `the browser of the sign-in page is not asked whether it began the login, and any other one is`(
        _ mode: String
    ) async throws {
        try await SignInFixture.run {
            $0.faceLogin.landing = .confirm
        } _: { fixture in
            let browser = try await fixture.browser()
            let waiting = try await browser.startFace(mode: mode)
            let link = String(try #require(waiting.text.firstMatch(of: #/(\/go\/[\w-]{43})"/#)).1)
            let harness = fixture.harness
            #expect(try await harness.send(.get, link).text.contains("Is this you?"))
            let own = try await harness.send(.get, link, .cookies(browser.cookies))
            #expect(!own.text.contains("Is this you?") && own.text.contains("Continue to the face scan"))
            let name = try #require(browser.jar.keys.first { $0.hasPrefix("vst_own_") })
            let guessed = "\(name)=" + String(repeating: "A", count: 43)
            let twice = browser.cookies + "; " + guessed
            for cookies in [guessed, twice] {
                let asked = try await harness.send(.get, link, .cookies(cookies))
                #expect(asked.text.contains("Is this you?"), "attack: a cookie that another site has set")
            }
            let press = HTTPFields.cookies(browser.cookies).adding(.fetchSite, "same-origin")
            #expect(try await harness.send(.post, link, press).status == .seeOther)
        }
    }

    @Test func `a passkey signs in, and leaves the site's session`() async throws {
        try await SignInFixture.run { fixture in
            let owner = try await fixture.harness.signUp("grace")
            let browser = try await fixture.browser()
            let shown = try await browser.show(owner.credential)
            #expect(shown.status == .ok, "\(shown.text)")
            #expect(!shown.text.contains("eyJ"), "no tokens")
            #expect(try await fixture.harness.who(browser.session) == "grace")
            #expect(try await browser.comeBack()["code"]?.utf8.count == 43)
        }
    }

    @Test(arguments: [true, false])
    func `both ways: the second is asked for after the first, of the same person`(_ isPasskeyFirst: Bool) async throws {
        try await SignInFixture.run { fixture in
            let (credential, _) = try await fixture.harness.addPasskey()
            await fixture.harness.pass(CoolingOff.period)
            let browser = try await fixture.browser(fixture.request(contextClass: .both))
            if isPasskeyFirst {
                #expect(try await browser.show(credential).status == .ok)
                let second = try await browser.load()
                #expect(second.status == .ok && second.text.contains("Our App asks for a face scan as well."))
                #expect(second.text.contains(#"value="ada@example.com""#) && !second.text.contains("use-passkey"))
                try await browser.scan(try await browser.startFace())
                #expect(try await browser.load("/wait").status == .seeOther)
            } else {
                try await browser.scan(try await browser.startFace())
                #expect(try await browser.load("/wait").status == .seeOther)
                let second = try await browser.load()
                #expect(second.text.contains("Our App asks for a passkey as well."))
                #expect(!second.text.contains(#"id="face""#))
                #expect(try await browser.press("/face", "email=ada%40example.com").headers[.location] != "wait")
                #expect(try await browser.show(credential).status == .ok)
            }
            #expect(try await browser.comeBack()["code"]?.utf8.count == 43)
        }
    }

    // T-177
    @Test func `no: the client is told, the scan that runs is over, and so is the page`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            _ = try await browser.startFace()
            let onward = try await browser.press("/cancel")
            #expect(onward.status == .ok)
            let next = try #require(onward.text.firstMatch(of: #/<a id="onward" class="button" href="([^"]+)"/#)).1
            let answer = try SignInFixture.parameters(of: String(next).replacing("&amp;", with: "&"))
            #expect(answer["error"] == "access_denied" && answer["state"] == "of the app")
            #expect(answer["iss"] == fixture.harness.settings.issuer && answer["code"] == nil)
            #expect(try await browser.load().status == .gone)
            #expect(try await browser.press("/cancel").status == .gone)
            #expect(fixture.harness.provider.calls.isEmpty)
        }
    }

    @Test func `somebody else's client says in plain words what it gets, and the person may say no`() async throws {
        try await SignInFixture.run { fixture in
            let owner = try await fixture.harness.signUp("grace")
            let request = fixture.request(
                of: "strange",
                scopes: ["openid", "email", "offline_access", "calendar.read"]
            )
            let browser = try await fixture.browser(request)
            #expect(try await browser.show(owner.credential).status == .ok)
            let page = try await browser.load()
            for words in [
                "Allow Their App to use your account?", "know that it is you when you come back",
                "see your e-mail address", "keep this access while you are away", "use “calendar.read”", "grace",
                "app.example.com", "Their App is not run by the operator of this site",
            ] {
                #expect(page.text.contains(words), "\(words)")
            }
            #expect(!page.text.contains("see your name"), "that was not asked for")
            let mark = try #require(page.text.firstMatch(of: #/name="as" value="([\w-]{43})"/#)).1
            #expect(try await browser.load().status == .ok, "asking is no yes")
            let onward = try await browser.press("/consent", "as=\(mark)")
            #expect(onward.status == .ok && onward.text.contains(#"content="0;url=../\#(browser.id)""#))
            #expect(try await browser.comeBack()["code"]?.utf8.count == 43)

            let refusing = try await fixture.browser(
                fixture.request(of: "strange", prompts: [.consent]),
                jar: browser.jar
            )
            #expect(try await refusing.load().text.contains("Allow Their App"))
            #expect(try await refusing.press("/cancel").text.contains("error=access_denied"))
        }
    }

    @Test func `a scan that is refused says why, and another can be tried`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            let waiting = try await browser.startFace()
            let ticket = try #require(waiting.text.firstMatch(of: #/\/go\/([\w-]{43})"/#)).1
            try await fixture.harness.send(.post, "/go/\(ticket)", [.fetchSite: "same-origin"])
            try await fixture.harness.judge(.rejected(.declined))
            let failed = try await browser.load("/wait")
            #expect(failed.text.contains(#"data-code="declined""#) && failed.text.contains("The sign-in was declined."))
            #expect(failed.text.contains(#"<a class="button" href="../\#(browser.id)">Try again</a>"#))
            try await browser.scan(try await browser.startFace())
            #expect(try await browser.load("/wait").status == .seeOther)
            #expect(try await browser.comeBack()["code"] != nil)
        }
    }

    @Test(arguments: ["", "a:b", "a%00b%40example.com", String(repeating: "x", count: 255) + "%40example.com"])
    func `a malformed name on the sign-in page gets 400 and a hint`(_ typed: String) async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            for (form, field) in [
                ("/identifier", "identifier"), ("/face", "email"), ("/mail", "email"), ("/code", "email"),
                ("/password", "email"),
            ] {
                let page = try await browser.press(form, "\(field)=\(typed)")
                #expect(page.status == .badRequest && page.text.contains(#"aria-invalid="true""#), "\(form)")
                #expect(page.text.contains("Type your e-mail address, like ada@example.com, or your user name."))
                let action = #"action="../\#(browser.id)/identifier""#
                #expect(page.text.contains(action), "the page finds its way from \(form)")
            }
        }
    }

    @Test func `the stream tells each step and carries nothing`() async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            let waiting = try await browser.startFace()
            try await browser.scan(waiting)
            let events = try await browser.load("/events")
            #expect(events.status == .ok && events.headers[.contentType] == "text/event-stream")
            #expect(events.text.contains(#""status":"completed""#))
            for secret in ["accessToken", "eyJ", "user\":"] { #expect(!events.text.contains(secret)) }
            #expect(try await browser.load("/wait").status == .seeOther, "a stream collects nothing")
        }
    }

    @Test func `without passkeys there is the face, and without a face the passkeys`() async throws {
        try await SignInFixture.run {
            for name in ["passkeys", "yapt"] { $0.surfaces[name]?.enabled = false }
        } _: { fixture in
            let browser = try await fixture.browser()
            #expect(try await !browser.load().text.contains("use-passkey"))
            let page = try await browser.press("/identifier", "identifier=ada%40example.com").text
            #expect(page.contains(#"id="face""#) && !page.contains("use-passkey"))
            try fixture.harness.expect(try await browser.press("/passkey/options"), is: "operation_not_found", 404)
        }
        try await SignInFixture.run {
            $0.surfaces["bbms"]?.enabled = false
        } _: { fixture in
            let browser = try await fixture.browser()
            let page = try await browser.press("/identifier", "identifier=ada%40example.com").text
            #expect(!page.contains(#"id="face""#) && page.contains("use-passkey"))
            let refused = try await browser.press("/face", "email=ada%40example.com")
            #expect(refused.status == .ok && refused.text.contains(#"content="0;url=../\#(browser.id)""#))
        }
    }

    @Test(arguments: [
        ("fr", "Se connecter à Our App"), ("es", "Iniciar sesión en Our App"), ("sv", "Logga in på Our App"),
    ])
    func `the sign-in page is in the language of Accept-Language`(_ language: String, _ title: String) async throws {
        try await SignInFixture.run { fixture in
            let browser = try await fixture.browser()
            let page = try await browser.load("", [.acceptLanguage: language])
            #expect(page.text.contains("<h1>\(title)</h1>") && page.headers[.contentLanguage] == language)
            #expect(page.headers[.vary] == "Accept-Language")
        }
    }
}
