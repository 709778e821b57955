import Accounts
import Audit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Passkeys
import Settings
import SoftwareAuthenticator
import Testing
import Web
import Wire

@testable import Assembly
@testable import HTTPAPI

/// A passkey instead of the button, on the page that asks before the scan.
struct LandingPasskeyTests {
    // T-024
    @Test func `a passkey of the account does what the press does, is on record, and signs nobody in`() async throws {
        try await Harness.runConfirming { harness in
            let (credential, person) = try await harness.addPasskey()
            let login = try await harness.start()
            let scans = harness.provider.beginCount
            let options = try await harness.confirmationOptions(login.landingPath)
            #expect(options.status == .ok && options.headers[.setCookie] == nil)
            #expect(options.headers[.cacheControl] == "no-store")
            let answer = try harness.browser.get(options.text, with: credential)
            let gone = try await harness.confirm(login.landingPath, answer)
            #expect(gone.status == .seeOther, "\(gone.text)")
            #expect(
                gone.headers[.location]?.hasPrefix(Harness.pages) == true && harness.provider.beginCount == scans + 1
            )
            let cookies = gone.headers[values: .setCookie]
            #expect(cookies.count == 1 && cookies[0].hasPrefix("vst_go="), "the press sets the same, and no other")
            let rows = try await harness.audited("operation.confirmed")
            let owned = try await harness.composition.passkeys.owned
                .list(of: try await harness.composition.accounts.show("ada@example.com").account.id)
            let row = try harness.operation(login).id
            #expect(rows.map(\.subject) == [row.description] && rows.map(\.detail) == [owned.first?.id.description])
            #expect(try await harness.poll(login, login.bound).decode(PollLoginResponse.self).tokens == nil)
            try await harness.judge(.approved)
            #expect(try await harness.word(login, login.bound) == "completed", "the face is the sign-in")
            #expect(try await harness.send(.get, "/auth/me", person.bearer).status == .ok)
        }
    }

    @Test func `the page offers both ways to everybody, and its script is a file of ours`() async throws {
        try await Harness.runConfirming { harness in
            let login = try await harness.start()
            let page = try await harness.send(.get, login.landingPath)
            #expect(page.status == .ok && page.headers[.setCookie] == nil)
            let path = "\(login.ticket)/passkey"
            let button = #"<button type="submit" id="with-passkey" data-path="\#(path)" hidden>Continue with a passkey"#
            #expect(page.text.contains(button), "\(page.text)")
            #expect(page.text.contains(#"class="plain">Continue without a passkey</button></form>"#))
            #expect(page.text.contains("you can continue only with it"))
            #expect(page.text.contains("<noscript>") && page.text.contains("Passkeys need JavaScript"))
            #expect(page.text.contains(#"<form method="post" action="\#(login.ticket)/not-me">"#))
            #expect(!page.text.contains("<script>"), "none that stands in the page")
            let policy = try #require(page.headers[.contentSecurityPolicy])
            for part in [
                "script-src 'self';", "connect-src 'self';", "trusted-types 'none'", "frame-ancestors 'none'",
            ] {
                #expect(policy.contains(part), "\(part)")
            }
            #expect(!policy.contains("unsafe") && policy.contains("form-action 'self' \(Harness.pages)"))
            let source = try #require(page.text.firstMatch(of: #/<script type="module" src="([^"]+)">/#)).1
            #expect(source.hasPrefix("../assets/") && source.hasSuffix("/confirm.js"))
            let script = try await harness.send(.get, String(source.dropFirst(2)))
            #expect(script.status == .ok && script.text.contains("with-passkey"))
        }
    }

    @Test func `the landing page asks for a passkey without the site's pages, and not where passkeys are off`()
        async throws
    {
        for isAny in [true, false] {
            try await Harness.runConfirming { settings in
                settings.oauth.enabled = false
                settings.surfaces["passkeys"]?.enabled = false
                settings.surfaces["yapt"]?.enabled = isAny
            } _: { harness in
                let login = try await harness.start()
                let page = try await harness.send(.get, login.landingPath).text
                #expect(page.contains("with-passkey") == isAny)
                let script = "/assets/\(SiteAssets(in: .english).version)/confirm.js"
                #expect(try await harness.send(.get, script).status == .ok)
                let options = try await harness.confirmationOptions(login.landingPath)
                #expect(options.status == (isAny ? .ok : .notFound))
                #expect(try await harness.open(login).status == .seeOther)
            }
        }
    }

    @Test func `where a press is enough the page has no script, and there is nothing to ask for`() async throws {
        try await Harness.run {
            $0.faceLogin.landing = .confirm
        } _: { harness in
            let (credential, _) = try await harness.addPasskey()
            let login = try await harness.start()
            let page = try await harness.send(.get, login.landingPath)
            #expect(!page.text.contains("<script") && !page.text.contains("passkey"))
            try harness.expect(try await harness.confirmationOptions(login.landingPath), is: "operation_not_found", 404)
            let elsewhere = try harness.browser.get(try await harness.signInOptions(nil).text, with: credential)
            let refused = try await harness.confirm(login.landingPath, elsewhere)
            harness.expectRefused(refused, as: "passkey_refused", back: "../\(login.ticket)")
            #expect(try await harness.open(login).status == .seeOther)
        }
    }

    @Test func `an account without a passkey, or without a discoverable one, opens the link by a press`() async throws {
        try await Harness.runConfirming { harness in
            _ = try await harness.addPasskey()
            let bobs = try await harness.start("bob@example.com")
            #expect(try await harness.open(bobs).status == .seeOther)
            _ = try await harness.addPasskey("bob@example.com") { $0.replacing(#""rk":true"#, with: #""rk":false"#) }
            let unnamed = try await harness.start("bob@example.com")
            #expect(try await harness.open(unnamed).status == .seeOther)
            _ = try await harness.addPasskey("bob@example.com")
            let found = try await harness.start("bob@example.com")
            harness.expectRefused(try await harness.open(found), as: "passkey_required")
        }
    }

    @Test func `a passkey that its owner has removed is asked for no longer`() async throws {
        try await Harness.runConfirming { harness in
            _ = try await harness.addPasskey()
            let login = try await harness.start()
            harness.expectRefused(try await harness.open(login), as: "passkey_required")
            let owned = harness.composition.passkeys.owned
            let ada = try await harness.composition.accounts.show("ada@example.com").account.id
            for passkey in try await owned.list(of: ada) { _ = try await owned.remove(passkey.id) }
            #expect(try await harness.open(login).status == .seeOther)
        }
    }

    @Test func `a wrong or missing pairing number beside a passkey is refused with the tries left`() async throws {
        try await Harness.runConfirming { harness in
            let (credential, _) = try await harness.addPasskey()
            let body = #"{"email":"ada@example.com","mode":"cross-device"}"#
            let asked = try await harness.post(Harness.initiatePath, body).decode(InitiateLoginResponse.self)
            let number = try #require(asked.number.flatMap { Int($0) })
            let ticket = try #require(asked.authIdUrl.split(separator: "/").last)
            let path = "/go/\(ticket)"
            for typed in [nil, "x"] {
                let page = try await harness.confirm(path, with: credential, number: typed)
                #expect(page.status == .badRequest && page.text.contains("Type the two digits"))
            }
            let wrong = try await harness.confirm(path, with: credential, number: "\((number + 1) % 90 + 10)")
            #expect(wrong.status == .badRequest && wrong.text.contains("Tries left: 2"), "\(number): \(wrong.text)")
            #expect(wrong.text.contains(#"<form method="post" action="../\#(ticket)">"#))
            #expect(wrong.text.contains(#"action="../\#(ticket)/not-me""#))
            #expect(wrong.text.contains(#"data-path="../\#(ticket)/passkey""#))
            #expect(wrong.text.contains(#"src="../../assets/"#))
            #expect(try await harness.audited("operation.confirmed").isEmpty)
            let right = asked.number ?? ""
            #expect(try await harness.confirm(path, with: credential, number: right).status == .seeOther)
        }
    }

    // T-019
    @Test func `a wrong number counts with a passkey and without one, and the third ends the login`() async throws {
        try await Harness.runConfirming { harness in
            let (credential, _) = try await harness.addPasskey()
            let body = #"{"email":"ada@example.com","mode":"cross-device"}"#
            let asked = try await harness.post(Harness.initiatePath, body).decode(InitiateLoginResponse.self)
            let number = try #require(asked.number.flatMap { Int($0) })
            let path = "/go/\(try #require(asked.authIdUrl.split(separator: "/").last))"
            let wrong = "\((number + 1) % 90 + 10)"
            let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            let press = form.adding(.fetchSite, "same-origin")
            #expect(try await harness.send(.post, path, press, body: "number=\(wrong)").status == .badRequest)
            #expect(try await harness.confirm(path, with: credential, number: wrong).status == .badRequest)
            let last = try await harness.send(.post, path, press, body: "number=\(wrong)")
            #expect(last.status == .forbidden && !last.text.contains("passkey_required"))
            #expect(try await harness.confirm(path, "{}").status == .gone)
        }
    }

    // T-024
    @Test func `the browser that confirmed is not asked for the passkey again, and another one is`() async throws {
        try await Harness.runConfirming { harness in
            let (credential, _) = try await harness.addPasskey()
            let login = try await harness.start()
            let gone = try await harness.confirm(login.landingPath, with: credential)
            let browser = try #require(gone.cookie("vst_go"))
            let page = try await harness.send(.get, login.landingPath, .cookies(browser))
            #expect(page.status == .ok && !page.text.contains("with-passkey"))
            let again = try await harness.open(login, browser: browser)
            #expect(again.status == .seeOther && again.headers[.location] == gone.headers[.location])
            harness.expectRefused(try await harness.open(login), as: "passkey_required")
            #expect(try await harness.confirm(login.landingPath, with: credential).status == .seeOther)
        }
    }

    @Test func `"this wasn't me" needs no passkey`() async throws {
        try await Harness.runConfirming { harness in
            _ = try await harness.addPasskey()
            let login = try await harness.start()
            let denied = try await harness.send(.post, login.landingPath + "/not-me", [.fetchSite: "same-origin"])
            #expect(denied.status == .ok && denied.text.contains("The sign-in has been stopped"))
            #expect(try await harness.word(login, login.bound) == "denied_not_me")
        }
    }

    @Test func `an approval takes the passkey as a login does`() async throws {
        try await Harness.runConfirming { harness in
            let (credential, ada) = try await harness.addPasskey()
            let started = try await harness.askApproval(ada)
            let pressed = try await harness.confirm(started, started.answer.number)
            harness.expectRefused(pressed, as: "passkey_required")
            let number = started.answer.number
            #expect(
                try await harness.confirm(started.landingPath, with: credential, number: number).status == .seeOther
            )
            try await harness.judge(.approved)
            #expect(try await harness.word(started, ada) == "completed")
        }
    }

    @Test(arguments: [("fr", "Continuer avec une clé d’accès"), ("es", "Continuar con una llave de acceso")])
    func `the page and what it refuses are in the visitor's language`(
        _ language: String,
        _ button: String
    ) async throws {
        try await Harness.runConfirming { harness in
            _ = try await harness.addPasskey()
            let login = try await harness.start()
            let headers: HTTPFields = [.acceptLanguage: language]
            #expect(try await harness.send(.get, login.landingPath, headers).text.contains(button))
            let refused = try await harness.send(.post, login.landingPath, headers.adding(.fetchSite, "same-origin"))
            #expect(refused.status == .forbidden && refused.headers[.contentLanguage] == language)
            let texts = try #require(LocalizedStrings.builtIn.first { $0.language == language })
            let words = texts.page(.passkeyNeeded, of: .login)
            #expect(refused.text.contains(words.title) && refused.text.contains(words.body))
        }
    }
}
