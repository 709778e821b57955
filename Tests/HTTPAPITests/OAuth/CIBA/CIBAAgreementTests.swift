import Accounts
import Devices
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Sessions
import Settings
import SoftwareAuthenticator
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Who agrees to what a client asks for over the backchannel: a person at a browser that proves the account, and nobody in
/// their place.
struct CIBAAgreementTests {
    private static let asked = ["scope": "openid email offline_access", "binding_message": "W4SCT"]

    // T-182, O-105
    @Test(arguments: ["bank", "ring", "mall"])
    func `attack: opening a CIBA link without proof of the account begins no scan, whatever it presents`(
        _ client: String
    )
        async throws
    {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin(as: client, Self.asked)
            let other = try await fixture.harness.signIn("bob@example.com")
            let headers: [HTTPFields] = [
                [:], [.cookie: fixture.harness.linked("Z")], [.cookie: "vst_go=" + String(repeating: "a", count: 43)],
                [.cookie: "yapt.sid=" + String(repeating: "a", count: 43)], .cookies(other.device), other.bearer,
            ]
            let calls = fixture.harness.provider.calls.count
            for fields in headers {
                let answer = try await fixture.openAsNobody(begun, fields)
                #expect(!answer.leadsToScan, "\(answer.text)")
            }
            #expect(fixture.harness.provider.calls.count == calls, "no scan is begun whose page could be forwarded")
            #expect(fixture.harness.refusals(.openWithoutProof) == headers.count)
            if client == "bank" { #expect(try await fixture.word(begun) == "authorization_pending") }
            try await fixture.approve(begun)
        }
    }

    // T-182, O-106
    @Test func `a CIBA request of the operator's own client begins its scan by a press alone`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin(as: "house")
            let opened = try await fixture.openAsNobody(begun)
            #expect(opened.leadsToScan)
            try await fixture.harness.judge(.approved)
            let page = try await fixture.harness.send(.get, begun.landingPath, .cookies(opened.cookie("vst_go")))
            #expect(
                page.text.contains("The service that asked for the scan continues") && !page.text.contains("the app")
            )
            #expect(try await fixture.word(begun, as: "house") == "granted")
        }
    }

    // T-182, O-105
    @Test func `attack: a CIBA link opened without proof answers alike for known and unknown addresses`()
        async throws
    {
        try await BackchannelFixture.run {
            $0.oauth.enabled = true
        } _: { fixture in
            var seen: Set<String> = []
            for email in ["ada@example.com", "nobody@example.com"] {
                let answer = try await fixture.openAsNobody(try await fixture.begin(email))
                let place = (answer.headers[.location] ?? "-").prefix(15)
                seen.insert("\(answer.status.code) \(answer.headerNames) \(place) \(answer.text)")
            }
            #expect(seen.count == 1 && seen.first?.hasPrefix("303") == true, "\(seen)")
        }
    }

    // T-182, O-105
    @Test func `a browser that does not prove the account signs in first, and comes back to the question`() async throws
    {
        try await BackchannelFixture.run(storage: .sqlite) {
            $0.oauth.enabled = true
        } _: { fixture in
            let harness = fixture.harness
            let begun = try await fixture.begin(as: "bank", Self.asked)
            let sent = try await fixture.openAsNobody(begun)
            let page = try #require(sent.headers[.location])
            #expect(sent.status == .seeOther && page.hasPrefix("/oauth/sign-in/"))
            let browser = try #require(sent.cookie("vst_oauth"))
            let ticket = begun.landingPath.dropFirst(4)
            let choice = try await harness.send(.get, page, .cookies(browser))
            #expect(choice.status == .ok && !choice.text.contains(ticket))
            #expect(choice.text.contains(#"account">"#), "whoever has only a password is not stuck")
            #expect(try !Self.isKept(String(ticket), in: harness.folder), "the ticket is in no row")

            let form = HTTPFields.cookies(browser).adding(.secFetchSiteOfTest, "same-origin")
                .adding(.contentType, "application/x-www-form-urlencoded")
            let started = try await harness.send(.post, page + "/face", form, body: "email=ada%40example.com")
            let scan = try #require(started.headers[values: .setCookie].first { $0.hasPrefix("vst_scan_") })
            let jar = browser + "; " + scan.prefix { $0 != ";" }
            let waiting = try await harness.send(.get, page + "/wait", .cookies(jar))
            let link = try #require(waiting.text.firstMatch(of: #/\/go\/([\w-]{43})"/#)).1
            #expect(
                try await harness.send(.post, "/go/\(link)", [.secFetchSiteOfTest: "same-origin"]).status == .seeOther
            )
            try await harness.judge(.approved)
            // The owner's list: the site was signed in to, and no client is called `/go`.
            let scanned = try #require(harness.composition.service.cache.card(ticket: Digest256(sha256: String(link))))
            #expect(scanned.operation.request.policy.signsInTo == scanned.operation.request.policy.clientID)
            let waited = try await harness.send(.get, page + "/wait", .cookies(jar))
            let session = try #require(waited.cookie("yapt.sid"))
            let ended = try await harness.send(.get, page, .cookies(browser, session))
            let back = try #require(ended.headers[.location])
            #expect(back.contains("/go/") && !back.contains(ticket))
            let sealed = "/go/" + back.split(separator: "/go/")[1]
            #expect(try await harness.send(.get, sealed).status == .gone, "attack: another browser is not led there")
            let home = try await harness.send(.get, sealed, .cookies(browser, session))
            #expect(home.status == .seeOther && home.headers[.location] == begun.landingPath)

            let question = try await harness.send(.get, begun.landingPath, .cookies(session))
            #expect(question.text.contains("W4SCT") && question.text.contains("e-mail address</li>"))
            #expect(try await fixture.openAsNobody(begun, .cookies(session)).leadsToScan)
            try await harness.judge(.approved)
            #expect(try await fixture.word(begun) == "granted")
            let owner = try await harness.signIn()
            let clients = try await harness.owned(owner).map(\.client)
            #expect(clients.sorted() == ["bank", "bbms", "bbms"], "the request, the sign-in for it, and this one")
        }
    }

    // T-182, O-105
    @Test func `attack: a session or device cookie of a password sign-in opens no CIBA scan`() async throws {
        try await BackchannelFixture.run { fixture in
            let ada = try await fixture.harness.signIn()
            _ = try await fixture.harness.post(
                "/auth/password",
                #"{"newPassword": "\#(Harness.password)"}"#,
                ada.bearer
            )
            let signedIn = try await fixture.harness.passwordSignIn("ada@example.com")
            let attacker = try signedIn.decode(SignInResponse.self)
            let held = try await fixture.harness.send(.post, "/api/auth/web-session", .bearing(attacker.accessToken))
            let cookie = try #require(held.cookie("yapt.sid"))
            let device = try #require(signedIn.cookie("vst_device"))
            let begun = try await fixture.begin()
            for cookies in [.cookies(cookie), .cookies(device), .cookies(cookie, device)] as [HTTPFields] {
                #expect(try await !fixture.openAsNobody(begun, cookies).leadsToScan)
            }
            let own = try await fixture.harness.send(.post, "/api/auth/web-session", ada.bearer)
            let owners = try #require(own.cookie("yapt.sid"))
            #expect(try await fixture.openAsNobody(begun, .cookies(owners)).leadsToScan)
        }
    }

    // T-110, T-182, O-105
    @Test func `attack: a passkey added after a password sign-in opens no CIBA scan before its cooling-off is over`()
        async throws
    {
        try await BackchannelFixture.run { fixture in
            let harness = fixture.harness
            let ada = try await harness.signIn()
            _ = try await harness.post("/auth/password", #"{"newPassword": "\#(Harness.password)"}"#, ada.bearer)
            let entered = try await harness.passwordSignIn("ada@example.com")
            let device = try #require(entered.cookie("vst_device"))
            let attacker = HTTPFields.bearing(try entered.decode(SignInResponse.self).accessToken)
            let options = try await harness.send(.post, "/api/auth/add-device/generate-options", attacker)
            let (passkey, made) = try harness.browser.create(options.text)
            try #require(try await harness.post("/api/auth/add-device/verify", made, attacker).status == .ok)

            for isCooledOff in [false, true] {
                if isCooledOff { harness.time.advance(by: CoolingOff.period) }
                let signedIn = try await harness.signIn(passkey, nil, .cookies(device))
                let session = try #require(signedIn.sessionCookies)
                let linked = signedIn.cookie("vst_device") ?? device
                let begun = try await fixture.begin()
                for cookies in [HTTPFields.cookies(session), .cookies(linked), .cookies(session, linked)] {
                    #expect(try await fixture.openAsNobody(begun, cookies).leadsToScan == isCooledOff)
                }
            }
        }
    }

    @Test func `a passkey sign-in begins a CIBA scan only once that passkey has cooled off`() async throws {
        try await BackchannelFixture.run {
            $0.oauth.enabled = true
        } _: { fixture in
            let harness = fixture.harness
            let (passkey, _) = try await harness.addPasskey()
            for isCooledOff in [false, true] {
                if isCooledOff { harness.time.advance(by: CoolingOff.period) }
                let session = try #require(try await harness.signIn(passkey).sessionCookies)
                let sent = try await fixture.openAsNobody(try await fixture.begin(), .cookies(session))
                #expect(sent.leadsToScan == isCooledOff)
                guard !isCooledOff, let page = sent.headers[.location] else { continue }
                let browser = try #require(sent.cookie("vst_oauth"))
                let form: HTTPFields = .cookies(browser, session).adding(.fetchSite, "same-origin")
                    .adding(.contentType, "application/x-www-form-urlencoded")
                let typed = "identifier=ada%40example.com"
                let choice = try await harness.send(.post, page + "/identifier", form, body: typed)
                #expect(choice.text.contains(#"id="face""#) && !choice.text.contains("use-passkey"), "\(choice.text)")
            }
        }
    }

    // T-182, O-105
    @Test(
        arguments: [
            ([], false), (["pwd"], false), (["otp"], false), (["face"], true), (["hwk", "user"], true),
            (["swk", "user", "mfa"], true),
        ] as [([String], Bool)]
    )
    func `a device's cookie agrees where a face or a key linked the device, and not where nobody knows what did`(
        _ methods: [String],
        _ isEnough: Bool
    ) async throws {
        try await BackchannelFixture.run { fixture in
            try await fixture.harness.link("ada@example.com", "Q", by: methods)
            let begun = try await fixture.begin()
            let answer = try await fixture.openAsNobody(begun, [.cookie: fixture.harness.linked("Q")])
            #expect(answer.leadsToScan == isEnough, "\(answer.text)")
        }
    }

    // O-105
    @Test func `a browser that a password linked agrees after a face was scanned in it`() async throws {
        try await BackchannelFixture.run { fixture in
            let harness = fixture.harness
            let ada = try await harness.signIn()
            _ = try await harness.post("/auth/password", #"{"newPassword": "\#(Harness.password)"}"#, ada.bearer)
            let device = try #require(try await harness.passwordSignIn("ada@example.com").cookie("vst_device"))
            let begun = try await fixture.begin()
            #expect(try await !fixture.openAsNobody(begun, .cookies(device)).leadsToScan)
            let scanned = try await harness.signIn(with: device)
            let fresh = try #require(scanned.device)
            #expect(fresh != device, "the cookie of before is no better for it")
            #expect(try await !fixture.openAsNobody(begun, .cookies(device)).leadsToScan)
            #expect(try await fixture.openAsNobody(begun, .cookies(fresh)).leadsToScan)
        }
    }

    // T-182, O-105
    @Test(arguments: [true, false])
    func `attack: a CIBA request whose face is unenrolled before its poll gets access_denied and no session`(
        _ isApproved: Bool
    )
        async throws
    {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin()
            #expect(try await fixture.open(begun).leadsToScan)
            if isApproved { try await fixture.harness.judge(.approved) }
            try await fixture.harness.unenrol("ada@example.com")
            if !isApproved { try await fixture.harness.judge(.approved) }
            #expect(try await fixture.word(begun) == "access_denied")
            let account = try await fixture.harness.composition.accounts.show("ada@example.com").account.id
            #expect(try await fixture.harness.composition.sessions.list(of: account, limit: 9).isEmpty)
        }
    }

    // T-182, O-105
    @Test func `attack: a device that was unlinked opens no scan of a later CIBA request`() async throws {
        try await BackchannelFixture.run { fixture in
            let first = try await fixture.begin()
            #expect(try await fixture.open(first).leadsToScan)
            let account = try await fixture.harness.composition.accounts.show("ada@example.com").account.id
            let now = fixture.harness.composition.environment.now()
            _ = try await fixture.harness.composition.unitOfWork.run {
                [links = fixture.harness.composition.stores.people.devices.links] in
                try links.revokeAll(of: account, except: nil, at: now, in: $0)
            }
            let second = try await fixture.begin(as: "shop")
            #expect(try await !fixture.open(second).leadsToScan)
        }
    }

    private static func isKept(_ text: String, in folder: TestFolder) throws -> Bool {
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let bytes = FileManager.default.contents(atPath: folder.path + "/" + name) ?? Data()
            if bytes.range(of: Data(text.utf8)) != nil { return true }
        }
        return false
    }
}
