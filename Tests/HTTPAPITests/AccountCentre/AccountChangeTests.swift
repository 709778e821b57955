import Accounts
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
import SoftwareAuthenticator
import Testing
import Wallet
import Web
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The changes of an account that need a fresh proof, and what they end.
struct AccountChangeTests {
    private static let gated = ["session", "password", "password-removal", "email", "face", "data", "close"]

    // T-105
    @Test func `attack: a sign-in over ten minutes old changes nothing, and continues after a new one`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            let token = try await ada.token()
            harness.time.advance(by: .seconds(600))
            for page in Self.gated {
                #expect(try await ada.load("/\(page)").isSentToSignIn, "\(page)")
                let pressed = try await ada.press(page, [("token", token), ("new", "a horse of another colour")])
                #expect(pressed.isSentToSignIn, "\(page): \(pressed.status)")
            }
            #expect(try await ada.isSignedIn(), "the overview needs no fresh proof")
            #expect(try await harness.count(of: "account.closed") == 0)
        }
    }

    @Test func `attack: a password alone changes nothing of an account with a face, and a mailed code does`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser(by: .password)
            for page in ["password", "face", "close"] {
                let stronger = try await ada.load("/\(page)")
                #expect(stronger.status == .forbidden && stronger.text.contains("Prove that it is you"), "\(page)")
                let again = try await ada.press("again", [("to", page), ("id", "")])
                #expect(again.isSentToSignIn, "\(page): never a dead end")
            }
            let recovered = try await harness.accountBrowser(by: .mailedCode)
            for page in ["password", "face", "close"] { #expect(try await recovered.load("/\(page)").status == .ok) }
        }
    }

    @Test func `a person with a password alone gets to each change`() async throws {
        try await PasswordSignInTests.withEve { harness in
            let eve = try await harness.accountBrowser("eve@example.com", by: .password)
            for page in ["password", "email", "data", "close"] {
                #expect(try await eve.load("/\(page)").status == .ok, "\(page)")
            }
        }
    }

    // T-113
    @Test func `a password is set, changed and removed, and a wrong or weak one is refused`() async throws {
        try await PasswordSignInTests.withEve { harness in
            let eve = try await harness.accountBrowser("eve@example.com", by: .password)
            let other = try await harness.accountBrowser("eve@example.com", by: .password)
            let page = try await eve.load("/password")
            #expect(page.text.contains(#"autocomplete="current-password""#) && page.text.contains("new-password"))
            let weak = try await eve.press("password", [("current", Harness.password), ("new", "short")])
            #expect(weak.status == .badRequest && weak.text.contains("too short"))
            let wrong = try await eve.press("password", [("current", "wrong"), ("new", "a horse of another colour")])
            #expect(wrong.status == .badRequest && wrong.text.contains("current password is wrong"))
            #expect(!wrong.text.contains("a horse of another colour"), "no password goes into a page")
            let fields = [("current", Harness.password), ("new", "a horse of another colour")]
            #expect(try await eve.press("password", fields).target == "../account?done=passwordChanged#status")
            #expect(try await other.load().isSentToSignIn)
            #expect(try await eve.isSignedIn())
            let last = try await eve.press("password-removal")
            #expect(last.status == .conflict && last.text.contains("last way to sign in"), "the address is not proved")
            #expect(try await harness.passwordSignIn("eve@example.com", "a horse of another colour").status == .ok)
        }
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            try await harness.giveAccountPassword(ada.account)
            #expect(try await ada.press("password-removal").target == "../account?done=passwordRemoved#status")
            #expect(try await harness.passwordSignIn("ada@example.com").status == .unauthorized)
            #expect(try await harness.count(of: "account.password_removed") == 1)
            #expect(try await ada.isSignedIn())
            #expect(try await ada.press("password-removal").status == .notFound)
            let mails = try await harness.mails()
            #expect(mails.contains { $0.to == "ada@example.com" && $0.subject.contains("was removed") })
        }
    }

    @Test func `the last passkey stays, and another is removed with what it opened`() async throws {
        try await Harness.run { harness in
            let grace = try await harness.passkeyBrowser()
            let owned = harness.api.services.passkeys.owned
            let id = try #require(try await owned.list(of: grace.account).first).id
            let refused = try await grace.load("/passkey-removal?id=\(id)")
            #expect(refused.status == .conflict && refused.text.contains("last way to sign in"))
            #expect(!refused.text.contains("<form"), "there is nothing to press")
            #expect(try await grace.press("passkey-removal", [("id", "\(id)")]).status == .conflict)
            #expect(try await owned.list(of: grace.account).count == 1)
            // The older passkey is the owner's own as far as anybody can tell.
            harness.time.advance(by: .seconds(1))
            let options = try await harness.send(
                .post,
                "/api/auth/add-device/generate-options",
                .cookies(grace.cookie)
            )
            let made = try harness.browser.create(options.text).1
            let added = try await harness.post("/api/auth/add-device/verify", made, .cookies(grace.cookie))
            try #require(added.status == .ok, "\(added.text)")
            let page = try await grace.load("/passkey-removal?id=\(id)")
            #expect(page.status == .ok, "\(page.text)")
            let done = try await grace.press("passkey-removal", [("id", "\(id)")])
            #expect(done.target == "../account?done=passkeyRemoved#status", "\(done.text)")
            #expect(try await owned.list(of: grace.account).count == 1)
        }
    }

    @Test func `a new address is proved by the code in its mail, in the same browser`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            let bad = try await ada.press("email", [("email", "nonsense")])
            #expect(bad.status == .badRequest && bad.text.contains("not an e-mail address"))
            _ = try await harness.mails()
            let asked = try await ada.press("email", [("email", "lovelace@example.com")])
            #expect(asked.status == .ok && asked.text.contains(#"name="code""#), "\(asked.text)")
            let wrong = try await ada.press("email", [("do", "prove"), ("code", "ABCD-EFGH")])
            #expect(wrong.status == .badRequest && wrong.text.contains("This code is wrong"))
            let mail = try #require(try await harness.mails().first { $0.to == "lovelace@example.com" })
            let proved = try await ada.press("email", [("do", "prove"), ("code", try mail.addressCode)])
            #expect(proved.target == "../account?done=emailChanged#status", "\(proved.text)")
            #expect(try await ada.load().text.contains("lovelace@example.com"))
            let taken = try await ada.press("email", [("email", "bob@example.com")])
            let free = try await ada.press("email", [("email", "nobody@example.com")])
            #expect(taken.text == free.text && taken.status == free.status, "nothing tells who has an account")
        }
    }

    @Test func `a set-up of a face leads back to the account, which says that it is done`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser(by: .face)
            let begun = try await ada.press("face", [("do", "enrol")])
            let wait = try #require(begun.target)
            #expect(wait.hasPrefix("face-scan?id="), "\(begun.text)")
            let ticket = try #require(begun.cookie("vst_enrol_"))
            #expect(begun.setCookie("vst_enrol_")?.contains("HttpOnly") == true)
            let path = "/account/\(wait)"
            let cookies = HTTPFields.cookies(ada.cookie, ticket)
            let waiting = try await harness.send(.get, path, cookies)
            let link = try #require(waiting.text.firstMatch(of: #/id="scan"[^>]*href="[^"]*(\/go\/[\w-]{43})"/#)).1
            let events = try #require(waiting.text.firstMatch(of: #/data-events="\.\.\/api([^"]+)"/#)).1
            #expect(events.hasPrefix("/auth/biometric-enrollment/events/"))
            let guessed = ticket.prefix { $0 != "=" } + "=" + String(repeating: "A", count: 43)
            let tossed = HTTPFields.cookies(ada.cookie, String(guessed))
            #expect(try await harness.send(.get, path, tossed).text.contains(#"id="scan""#) == false)
            let other = try await harness.accountBrowser()
            #expect(try await other.load("/\(wait)").status == .notFound, "another session's enrolment is unknown")
            let press: HTTPFields = [.fetchSite: "same-origin"]
            #expect(try await harness.send(.post, String(link), press).status == .seeOther)
            #expect(try await harness.send(.get, path, cookies).status == .ok)
            try await harness.judge(.approved)
            #expect(try await harness.send(.get, String(events)).status == .unauthorized)
            let told = try await harness.send(.get, String(events), .cookies(ada.cookie))
            #expect(told.status == .ok && told.text.contains("completed"), "the script follows it: \(told.text)")
            let done = try await harness.send(.get, path, cookies)
            #expect(done.target == "../account?done=faceAdded#status", "\(done.text)")
            #expect(try await ada.load("?done=faceAdded").text.contains("Your face is set up."))
        }
    }

    @Test func `a set-up that fails says why, and leads to the next attempt`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser(by: .face)
            let begun = try await ada.press("face", [("do", "enrol")])
            let wait = try #require(begun.target)
            let ticket = try #require(begun.cookie("vst_enrol_")).split(separator: "=")[1]
            let press: HTTPFields = [.fetchSite: "same-origin"]
            #expect(try await harness.send(.post, "/go/\(ticket)", press).status == .seeOther)
            try await harness.judge(.rejected(.notMatched))
            let failed = try await ada.load("/\(wait)")
            #expect(failed.text.contains(#"<a class="button " href="face">Try again</a>"#), "\(failed.text)")
        }
    }

    @Test func `a passkey that a password added says from when it counts, before and after it is added`() async throws {
        try await Harness.run { harness in
            harness.time.advance(by: CoolingOff.period)
            let phone = try await harness.phone()
            _ = try await harness.addPasskey(by: .bearing(phone.tokens.accessToken))
            let account = try await harness.composition.accounts.show("ada@example.com").account.id
            try await harness.giveAccountPassword(account)
            let page = try await harness.accountBrowser(by: .password).load().text
            #expect(page.contains("counts from 20") && page.contains("a day after you add it"), "\(page)")
            harness.time.advance(by: CoolingOff.period)
            let later = try await harness.accountBrowser(by: .face).load().text
            #expect(!later.contains("counts from ") && !later.contains("a day after you add it"))
        }
    }

    @Test func `adding a passkey leads back to the account, which says that it is done`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            #expect(try await ada.load().text.contains(#"href="passkeys?from=account""#))
            #expect(WebAssets.modules["passkeys.js"]?.contains(#""account?done=passkeyAdded#status""#) == true)
            #expect(WebAssets.modules["passkeys.js"]?.contains(#"step_up_required: "addByOlder""#) == true)
            #expect(try await ada.load("?done=passkeyAdded").text.contains("The passkey is added."))
        }
    }

    @Test func `a face is removed unless it is the last way`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            #expect(try await ada.press("face", [("do", "remove")]).target == "../account?done=faceRemoved#status")
            #expect(try await harness.isEnrolled("ada@example.com") == false)
            #expect(try await harness.count(of: "account.face_withdrawn") == 1)
            #expect(try await ada.press("face", [("do", "remove")]).status == .notFound)
        }
    }

    // T-112
    @Test func `attack: a mailed code enrols no face beside a face or a passkey, and a person who lost it removes it`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser(by: .mailedCode)
            let refused = try await ada.press("face", [("do", "enrol")])
            #expect(refused.status == .forbidden && refused.text.contains("remove it first"), "\(refused.text)")
            #expect(try await ada.press("face", [("do", "remove")]).target == "../account?done=faceRemoved#status")
            #expect(try await ada.press("face", [("do", "enrol")]).target?.hasPrefix("face-scan?id=") == true)
        }
        try await Harness.run { harness in
            try await harness.unenrol("ada@example.com")
            _ = try await harness.addPasskey(by: .bearing(try await harness.phone().tokens.accessToken))
            let ada = try await harness.accountBrowser(by: .mailedCode)
            #expect(try await ada.press("face", [("do", "enrol")]).status == .forbidden)
        }
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `an account is closed after its name is typed, and nobody gets in again`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            let ada = try await harness.accountBrowser()
            let other = try await harness.accountBrowser()
            let page = try await ada.load("/close")
            for sentence in EndedThings.sentences(.accountClosed, in: .english) {
                #expect(page.text.contains("<li>\(sentence)</li>"))
            }
            let wrong = try await ada.press("close", [("name", "bob@example.com")])
            #expect(wrong.status == .badRequest && wrong.text.contains("Nothing was closed."))
            #expect(try await other.isSignedIn())
            _ = try await harness.mails()
            let closed = try await ada.press("close", [("name", " Ada@Example.com ")])
            #expect(closed.status == .ok && closed.text.contains("Your account is closed"), "\(closed.text)")
            #expect(closed.setCookie("yapt.sid")?.contains("Max-Age=0") == true)
            for browser in [ada, other] { #expect(try await browser.load().isSentToSignIn) }
            let record = try #require(try await harness.composition.stores.people.accounts.find(ada.account))
            #expect(record.account.state == .disabled && record.account.displayName == Account.closedName)
            #expect(record.emails.isEmpty && record.enrolments.allSatisfy { !$0.isActive })
            #expect(try await harness.count(of: "account.closed") == 1)
            #expect(try await harness.mails().contains { $0.to == "ada@example.com" && $0.subject.contains("closed") })
            let again = NewAccount(email: "ada@example.com", name: "Ada")
            #expect(try await harness.composition.accounts.add(again).account.id != ada.account, "the address is free")
        }
    }

    @Test func `the download has all of the person, nothing of another, and no secret`() async throws {
        try await Harness.run { harness in
            try await harness.enroll(try await harness.phone())
            _ = try await harness.signIn()
            let ada = try await harness.accountBrowser()
            try await harness.giveAccountPassword(ada.account)
            try await harness.consent(ada.account, to: "shop")
            let bob = try await harness.accountBrowser("bob@example.com")
            try await harness.consent(bob.account, to: "bobs-shop")
            let answer = try await ada.press("data")
            #expect(answer.status == .ok && answer.headers[.contentType] == "application/json", "\(answer.text)")
            #expect(answer.headers[.contentDisposition]?.hasPrefix("attachment; filename=\"account-") == true)
            #expect(answer.headers[.cacheControl] == "no-store")
            let data = try answer.decode(AccountDownload.self)
            #expect(
                data.account.addresses.map(\.email) == ["ada@example.com"] && data.account.attributes["role"] == "admin"
            )
            #expect(data.signIn.hasPassword && data.signIn.faces.map(\.isInForce) == [true])
            #expect(data.activity.sessions.contains { $0.id == ada.session.description && $0.current })
            #expect(data.activity.operations.count == 1 && data.devices.count == 1)
            #expect(data.consents.map(\.client) == ["shop"] && data.wallet?.cards.isEmpty == false && data.isComplete)
            let hash = try await harness.composition.stores.people.accounts.find(ada.account)?.passwordHash?.expose()
            let secrets = [hash, ada.cookie.split(separator: "=").last.map(String.init), "enrolment of ada"]
            for secret in secrets.compactMap(\.self) + ["bob", "scrypt", "ref-", "bank-access"] {
                #expect(!answer.text.contains(secret), "\(secret)")
            }
            #expect(try await harness.count(of: "account.data_downloaded") == 1)
        }
    }
}
