import Accounts
import Crypto
import Devices
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Passkeys
import Sessions
import Settings
import SignIn
import Testing
import Wallet
import Web

@testable import Assembly
@testable import HTTPAPI

/// What the account centre shows, and what its forms do without scripts.
struct AccountCentreTests {
    @Test func `the overview has a heading for each section, and no script, inline style or raw template`() async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            let page = try await ada.load()
            #expect(page.status == .ok, "\(page.text)")
            for part in ["sessions", "logins", "passkeys", "face", "access", "apps", "cards", "account"] {
                #expect(page.text.contains(#"<section id="\#(part)" aria-labelledby="\#(part)-title">"#), "\(part)")
                #expect(page.text.contains("href=\"#\(part)\""), "\(part)")
            }
            #expect(!page.text.contains("<script") && !page.text.contains("style=") && !page.text.contains("{{"))
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(page.headers[.contentSecurityPolicy] == SitePages.policy)
            #expect(page.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
            #expect(page.text.matches(of: #/<h1>/#).count == 1 && page.text.contains("ada@example.com"))
            #expect(!page.text.contains("127.0.0.1") && !page.text.contains("not known"))
            for file in page.text.matches(of: #/href="(assets\/[^"]+)"/#).map({ "/" + $0.1 }) {
                #expect(try await harness.send(.get, file).status == .ok, "\(file)")
            }
        }
    }

    @Test func `a session shows the place and browser of a sign-in by any proof`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            let person = Requester(language: "en", address: "93.184.215.14", agent: "Firefox, Windows")
            _ = try await harness.accountBrowser(of: ada.account, by: .mailedCode, from: person)
            let page = try await ada.load().text
            let place = try #require(NetworkAddress("93.184.215.14")).networkHint
            #expect(page.contains(place) && page.contains("Firefox, Windows"))
        }
    }

    @Test func `a device shows its last use, and the place of the newest sign-in on it`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            let phone = try await harness.phone()
            func shown() async throws -> String {
                let page = try await ada.load().text
                return String(try #require(page.firstMatch(of: #/(?s)<section id="devices".*?<\/section>/#)).0)
            }
            let (older, newer) = ("93.184.215.14", "151.101.1.69")
            let hint = { (address: String) in try #require(NetworkAddress(address)).networkHint }
            #expect(try await shown().contains(try hint(newer)) == false)
            for address in [older, newer] {
                harness.time.advance(by: .seconds(60))
                let person = Requester(language: "en", address: address, agent: "Firefox, Windows")
                _ = try await harness.accountBrowser(of: ada.account, by: .mailedCode, from: person, on: phone.device)
            }
            harness.time.advance(by: .seconds(7_200))
            let section = try await shown()
            let (newest, oldest) = (try hint(newer), try hint(older))
            #expect(section.contains(newest) && !section.contains(oldest), "\(section)")
            let hours = LocalizedStrings.english.text(AccountKey.hoursAgo, with: "2")
            #expect(section.contains(LocalizedStrings.english.text(AccountKey.usedAt, with: hours)), "\(section)")
        }
    }

    @Test func `the download has the place and browser of sessions and devices, and a key's use of a device`()
        async throws
    {
        try await Harness.run { harness in
            let (ada, phone) = (try await harness.accountBrowser(), try await harness.phone())
            let key = Harness.spki(P256.Signing.PrivateKey().publicKey)
            try #require(try await harness.setUp(key, phone).status == .ok)
            harness.time.advance(by: .seconds(60))
            let person = Requester(language: "en", address: "93.184.215.14", agent: "Firefox, Windows")
            let on = try await harness.accountBrowser(
                of: ada.account,
                by: .mailedCode,
                from: person,
                on: phone.device
            )
            harness.time.advance(by: .seconds(300))
            let signed = harness.composition.environment.now()
            try await harness.composition.unitOfWork.run { [keys = harness.composition.stores.people.devices.keys] in
                try keys.noteUse(of: phone.device, at: signed, in: $0)
            }
            let data = try await ada.press("data").decode(AccountDownload.self)
            let known = OriginView(address: "93.184.215.14", agent: "Firefox, Windows")
            let sessions = Dictionary(uniqueKeysWithValues: data.activity.sessions.map { ($0.id, $0.origin) })
            #expect(sessions[on.session.description] == known && sessions[ada.session.description] == .some(nil))
            #expect(data.devices.map(\.origin) == [known])
            #expect(data.devices.map(\.lastUsedAt) == [signed.internetDate])
            let listed = try await harness.send(.get, "/auth/sessions", [.cookie: ada.cookie])
            let shown = try listed.decode(OwnedSessionsResponse.self).sessions
            #expect(shown.first { $0.id == on.session.description }?.origin == known)
        }
    }

    @Test func `the account centre is there without OAuth too, where the site is`() async throws {
        try await Harness.run {
            $0.oauth.enabled = false
        } _: { harness in
            #expect(try await harness.send(.get, "/account").isSentToSignIn)
            #expect(try await harness.send(.get, "/").text.contains(#"href="account""#))
            let ada = try await harness.accountBrowser()
            #expect(try await ada.load().status == .ok)
        }
    }

    @Test func `what ends or removes is quiet, and only what nobody can undo looks like a danger`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            _ = try await harness.accountBrowser()
            let overview = try await ada.load().text
            #expect(overview.matches(of: #/class="button danger"/#).count == 1)
            #expect(overview.contains(#"<a class="button danger" href="account/close">"#))
            for act in ["end", "others", "sign-out"] {
                let form = try Regex(#"action="account/\#(act)">.*?<button type="submit" class="(\w*)""#)
                let found = try #require(overview.firstMatch(of: form))
                #expect(found.output[1].substring == "quiet", "\(act)")
            }
            #expect(try await ada.load("/close").text.contains(#"<button type="submit" class="danger">"#))
            let face = try await ada.load("/face").text
            #expect(face.matches(of: #/<button type="submit" class="danger">/#).count == 1)
        }
    }

    @Test(arguments: LocalizedStrings.builtIn.map(\.language))
    func `each page is in the visitor's language`(_ language: String) async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            let texts = try #require(LocalizedStrings.builtIn.first { $0.language == language })
            for path in ["", "/password", "/email", "/face", "/data", "/close", "/session?id=\(ada.session)"] {
                let page = try await ada.load(path, [.acceptLanguage: language])
                #expect(page.status == .ok && page.headers[.contentLanguage] == language, "\(path): \(page.text)")
                #expect(page.text.contains(#"<html lang="\#(language)">"#), "\(path)")
            }
            #expect(try await ada.load("", [.acceptLanguage: language]).text.contains(texts[AccountKey.title]))
        }
    }

    @Test func `a visitor who is not signed in is sent to sign in, and back to the same page`() async throws {
        try await Harness.run { harness in
            for path in ["/account", "/account/password", "/account/passkey-removal?id=x"] {
                let sent = try await harness.send(.get, path)
                #expect(sent.isSentToSignIn, "\(path): \(sent.status)")
                #expect(sent.cookie(CompanionCookies.interactionName) != nil)
                // A relative address is resolved against that of the page.
                let up = path.hasPrefix("/account/") ? "../" : ""
                #expect(sent.target?.hasPrefix("\(up)oauth/sign-in/") == true, "\(path): \(sent.target ?? "-")")
            }
            for path in ["/account/", "/account/nothing", "/account/end", "/account/password/"] {
                #expect(try await harness.send(.get, path).status == .notFound, "\(path)")
            }
        }
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `one press ends a session, another all others, and the browser stays signed in`(
        _ storage: HarnessStorage
    )
        async throws
    {
        try await Harness.run(storage: storage) { harness in
            let ada = try await harness.accountBrowser()
            let (other, third) = (try await harness.accountBrowser(), try await harness.accountBrowser())
            let page = try await ada.load()
            #expect(page.text.contains(other.session.description) && page.text.contains("this browser"))
            let ended = try await ada.press("end", [("id", other.session.description)])
            #expect(ended.target == "../account?done=ended#status", "\(ended.text)")
            #expect(try await ada.load("?done=ended").text.contains("The session has ended."))
            #expect(try await ada.load("?done=nonsense").text.contains(#"role="status""#) == false)
            #expect(try await other.load().isSentToSignIn)
            #expect(try await third.isSignedIn())
            #expect(try await ada.press("others").target == "../account?done=othersEnded#status")
            #expect(try await third.load().isSentToSignIn)
            #expect(try await ada.isSignedIn())
            let out = try await ada.press("sign-out")
            #expect(out.status == .ok && out.setCookie("yapt.sid")?.contains("Max-Age=0") == true)
            #expect(try await ada.load().isSentToSignIn)
        }
    }

    // T-031
    @Test func `"this wasn't me" says what ends before the press, and ends what came of that sign-in alone`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            let attacker = try await harness.accountBrowser(by: .password)
            let page = try await ada.load("/session?id=\(attacker.session)")
            for remedy in EndedThings.sentences(.notMe, in: .english) {
                #expect(page.text.contains("<li>\(remedy)</li>"), "\(remedy)")
            }
            #expect(try await attacker.isSignedIn(), "looking ends nothing")
            let said = try await ada.press("session", [("id", attacker.session.description)])
            #expect(said.target == "../account?done=disowned#status", "\(said.text)")
            #expect(try await attacker.load().isSentToSignIn)
            let revoked = try await harness.composition.sessions.find(attacker.session)
            #expect(revoked?.revocation?.reason == .notMe)
            #expect(try await ada.isSignedIn())
        }
    }

    // T-031
    @Test func `"this wasn't me" stops a login in progress, and one that was collected`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            let pending = try await harness.start()
            let done = try await harness.signIn()
            for login in [pending, done.login] {
                let id = try harness.row(login)
                #expect(try await ada.load("/login?id=\(id)").status == .ok)
                let said = try await ada.press("login", [("id", id)])
                #expect(said.target == "../account?done=disowned#status", "\(said.text)")
            }
            #expect(try await harness.word(pending, pending.bound) == "denied_not_me")
            try harness.expect(try await harness.send(.get, "/auth/me", done.bearer), is: "unauthorized", 401)
        }
    }

    @Test func `an app with consent is named with what it may do, and a press withdraws it with its sessions`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            try await harness.consent(ada.account, to: "shop <b>")
            let page = try await ada.load()
            #expect(page.text.contains("shop &lt;b&gt;") && page.text.contains("see your e-mail address"))
            #expect(!page.text.contains("shop <b>"))
            let done = try await ada.press("app", [("id", "shop <b>")])
            #expect(done.target == "../account?done=consentWithdrawn#status", "\(done.text)")
            #expect(try await ada.load().text.contains("You have not given any app your consent."))
            #expect(try await ada.press("app", [("id", "shop <b>")]).status == .notFound)
            #expect(try await harness.count(of: "account.consent_withdrawn") == 1)
        }
    }

    @Test func `a passkey is named by its owner or its maker, and is renamed without a fresh proof`() async throws {
        try await Harness.run { harness in
            let grace = try await harness.passkeyBrowser()
            let id = try #require(try await harness.api.services.passkeys.owned.list(of: grace.account).first).id
            harness.time.advance(by: .seconds(3600))
            let page = try await grace.load("/passkey?id=\(id)")
            #expect(page.status == .ok && page.text.contains(#"name="name""#))
            let wrong = try await grace.press("passkey", [("id", "\(id)"), ("name", "")])
            #expect(wrong.status == .badRequest && wrong.text.contains(#"aria-invalid="true""#))
            let named = try await grace.press("passkey", [("id", "\(id)"), ("name", "My phone")])
            #expect(named.target == "../account?done=passkeyRenamed#status", "\(named.text)")
            #expect(try await grace.load().text.contains("My phone</h3>"))
        }
    }

    @Test func `the wallet's cards are there where the wallet is, and are removed by a press that is asked for once`()
        async throws
    {
        try await Harness.run { harness in
            try await harness.enroll(try await harness.phone())
            let ada = try await harness.accountBrowser()
            let cards = try await harness.composition.wallet.cards.cards(of: ada.account)
            let card = try #require(cards.first)
            #expect(try await ada.load().text.contains("•••• \(card.label.lastFour)"))
            #expect(try await ada.load("/card?id=\(card.id)").text.contains("leaves your wallet for good"))
            #expect(try await ada.press("card", [("id", "\(card.id)")]).target == "../account?done=cardRemoved#status")
            #expect(try await harness.composition.wallet.cards.cards(of: ada.account).count == cards.count - 1)
        }
        try await Harness.run { settings in
            settings.surfaces["mobile"]?.enabled = false
        } _: { harness in
            let ada = try await harness.accountBrowser()
            let page = try await ada.load()
            #expect(page.status == .ok && !page.text.contains(#"id="cards""#))
            let card = "00000000-0000-7000-8000-000000000000"
            #expect(try await ada.press("card", [("id", card)]).status == .notFound)
        }
    }
}
