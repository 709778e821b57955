import Accounts
import Devices
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The page that asks before the scan.
struct ConfirmPageTests {
    private static let phone =
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36"

    /// The origin of a client's page, whose scripts may call.
    private static let partner = "https://partner.example.com"

    private static func confirming(_ settings: inout Settings) { settings.faceLogin.landing = .confirm }

    // T-015
    @Test func `the confirmation page shows client, account, device and time, and asks`() async throws {
        try await Harness.run {
            Self.confirming(&$0)
        } _: { harness in
            let login = try await harness.start(with: [.userAgent: Self.phone])
            #expect(login.answer.number == nil)
            await harness.pass(.seconds(125))
            let page = try await harness.send(.get, login.landingPath)
            #expect(page.status == .ok)
            for fact in ["BBMS", "a•••@example.com", "Chrome on Android", "2 min ago"] {
                #expect(page.text.contains("<dd>\(fact)</dd>"), "\(fact)")
            }
            #expect(!page.text.contains("Started from"), "an unknown place is left out")
            #expect(!page.text.contains("<script"), "nothing is sent by itself")
            #expect(page.text.contains(#"<form method="post"><button type="submit">Continue</button></form>"#))
            #expect(page.text.contains(#"<form method="post" action="\#(login.ticket)/not-me">"#))
            #expect(!page.text.contains("<input"), "there is no number to type")
            #expect(try await harness.open(login).status == .seeOther)
            #expect(harness.provider.beginCount == 1)
        }
    }

    // T-015
    @Test func `the browser that began the login on /face is not asked whether it did, and any other one is`()
        async throws
    {
        try await Harness.run {
            Self.confirming(&$0)
        } _: { harness in
            let body = #"{"email":"ada@example.com","mode":"same-device"}"#
            let own: [HTTPFields] = [[.fetchSite: "same-origin"], [.origin: harness.settings.publicURL]]
            for sent in own {
                let started = try await harness.post(Harness.initiatePath, body, sent)
                let link = "/go/" + (try started.decode(InitiateLoginResponse.self).authIdUrl.suffix(43))
                let jar = started.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }
                let cookies = jar.joined(separator: "; ")
                #expect(cookies.contains("vst_own_"))
                #expect(try await harness.send(.get, link).text.contains("Is this you?"))
                let page = try await harness.send(.get, link, .cookies(cookies))
                #expect(!page.text.contains("Is this you?") && page.text.contains("Continue to the face scan"))
                let press = HTTPFields.cookies(cookies).adding(.fetchSite, "same-origin")
                #expect(try await harness.send(.post, link, press).status == .seeOther)
            }
            let elsewhere = body.replacing("same-device", with: "cross-device")
            let started = try await harness.post(Harness.initiatePath, elsewhere, own[0])
            #expect(started.status == .ok && started.cookie("vst_own_") == nil, "the number is asked for")
        }
    }

    // T-015
    @Test(
        arguments: [
            [:], [.fetchSite: "none"], [.origin: partner], [.origin: partner, .fetchSite: "cross-site"],
            [.origin: partner, .fetchSite: "same-site"],
        ] as [HTTPFields]
    )
    func `attack: a login that another site or a program begins is always asked about`(
        _ headers: HTTPFields
    ) async throws {
        try await Harness.run {
            Self.confirming(&$0)
            $0.listen.corsOrigins = [Self.partner]
        } _: { harness in
            let login = try await harness.start(with: headers)
            #expect(login.response.cookie("vst_own_") == nil && login.response.cookie("__Host-vst_own_") == nil)
            let page = try await harness.send(.get, login.landingPath, .cookies(login.cookie))
            #expect(page.text.contains("Is this you?"))
        }
    }

    // T-032
    @Test func `attack: GET and HEAD of the confirmation page change nothing`() async throws {
        try await Harness.run {
            Self.confirming(&$0)
        } _: { harness in
            let login = try await harness.start()
            let before = try harness.operation(login)
            for method in [HTTPRequest.Method.get, .head] {
                for _ in 0..<5 {
                    let page = try await harness.send(method, login.landingPath)
                    #expect(page.status == .ok && page.headers[.setCookie] == nil)
                }
                #expect(try await harness.send(method, login.landingPath + "/not-me").status == .methodNotAllowed)
            }
            #expect(try harness.operation(login) == before)
            #expect(harness.provider.calls.isEmpty)
        }
    }

    @Test func `clients with landing confirm and others exist side by side`() async throws {
        try await Harness.run { settings in
            var asking = InitiateTests.client("asking")
            asking.landing = .confirm
            settings.clients.append(asking)
        } _: { harness in
            let asking = try await harness.send(.get, harness.start(client: "asking").landingPath)
            let going = try await harness.send(.get, harness.start().landingPath)
            #expect(asking.text.contains("Is this you?") && asking.text.contains("<dd>asking</dd>"))
            #expect(going.text.contains("<script>") && !going.text.contains("<dl>"))
        }
    }

    // T-029, T-038
    @Test func `what a request brings is shown as text, and never as markup`() async throws {
        try await Harness.run {
            Self.confirming(&$0)
        } _: { harness in
            let agent = #"<script>alert(1)</script> Firefox/140.0 Windows "onload=""#
            let login = try await harness.start("<b>x@</dd><script>y", with: [.userAgent: agent])
            let page = try await harness.send(.get, login.landingPath).text
            #expect(!page.contains("<script") && !page.contains("<b>") && !page.contains("alert"))
            #expect(page.contains("<dd>&lt;•••@&lt;/dd&gt;&lt;script&gt;y</dd>"))
            #expect(page.contains("<dd>Firefox on Windows</dd>"))
        }
    }

    // T-015
    @Test func `attack: answering "not me" at a forwarded link ends the login, and its initiator gets denied_not_me`()
        async throws
    {
        try await Harness.run {
            Self.confirming(&$0)
        } _: { harness in
            let login = try await harness.start()
            let answer = try await harness.send(
                .post,
                login.landingPath + "/not-me",
                HTTPFields.cookies(nil).adding(.fetchSite, "same-origin")
            )
            #expect(answer.status == .ok && answer.text.contains("The sign-in has been stopped"))
            #expect(answer.headers[.setCookie] == nil)
            #expect(try await harness.word(login, login.bound) == "denied_not_me")
            #expect(try await harness.send(.get, login.landingPath).status == .gone)
            #expect(try await harness.open(login).status == .gone)
            #expect(harness.provider.calls.isEmpty)
        }
    }

    // T-035
    @Test(arguments: ["cross-site", "same-site"])
    func `attack: a cross-site POST of "not me" gets 403 and does not end the login`(site: String) async throws {
        try await Harness.run {
            Self.confirming(&$0)
        } _: { harness in
            let login = try await harness.start()
            let answer = try await harness.send(.post, login.landingPath + "/not-me", [.fetchSite: site])
            #expect(answer.status == .forbidden)
            #expect(try await harness.word(login, login.bound) == "created")
            let nobodys = "/go/" + String(repeating: "A", count: 43) + "/not-me"
            #expect(try await harness.send(.post, nobodys).status == .gone)
        }
    }

    @Test func `attack: the confirmation page of a decoy differs from a real login's only in its link`() async throws {
        try await Harness.run { settings in
            Self.confirming(&settings)
            settings.clients[0].initiators = .knownDevice
        } _: { harness in
            let device = try await Self.linkedDevice(harness)
            let real = try await harness.start(with: .cookies(device))
            let decoy = try await harness.start()
            #expect(try harness.operation(decoy).isDecoy && !harness.operation(real).isDecoy)
            let pages = [real, decoy].map { login in
                (login, { try await harness.send(.get, login.landingPath) })
            }
            var texts: [String] = []
            for (login, page) in pages { texts.append(try await page().text.replacing(login.ticket, with: "T")) }
            #expect(texts[0] == texts[1])
            let end = try await harness.open(decoy)
            #expect(end.status == .ok && end.text.contains("We could not start the scan on this device"))
            #expect(try await harness.open(real).status == .seeOther)
        }
    }

    @Test func `the page of a failed start leads back to the confirmation page`() async throws {
        try await Harness.run {
            Self.confirming(&$0)
        } _: { harness in
            let login = try await harness.start()
            harness.provider.fail(with: .unavailable(cause: "down"))
            let page = try await harness.open(login)
            #expect(page.status == .serviceUnavailable)
            #expect(page.text.contains(#"<form method="get"><button type="submit">Try again</button></form>"#))
        }
    }

    @Test func `the typed address and the caller's address leave the database when the login ends`() async throws {
        try await Harness.run {
            Self.confirming(&$0)
        } _: { harness in
            let login = try await harness.start(with: [.userAgent: Self.phone])
            let row = try harness.operation(login).id
            #expect(
                try await harness.composition.stores.operations.find(row: row)?.binding.origin?.email
                    == "a•••@example.com"
            )
            try await harness.send(.post, login.cancelPath, login.bound)
            #expect(
                try await harness.composition.stores.operations.find(row: row)?.binding
                    == OperationBinding(origin: LoginOrigin(email: "", address: "", agent: "Chrome, Android"))
            )
        }
    }

    private static func linkedDevice(_ harness: Harness) async throws -> String {
        let device = DeviceID(UUIDBits(high: 0xD, low: 0xD))
        let secret = String(repeating: "d", count: 43)
        let now = harness.composition.environment.now()
        let ada = try await harness.composition.accounts.show("ada@example.com").account.id
        let link = DeviceLink(
            device: device,
            account: ada,
            client: "bbms",
            cookie: Digest256(sha256: secret),
            methods: ["face"],
            lastSeenAt: now,
            validity: DeviceValidity(createdAt: now, expiresAt: now + .seconds(3600))
        )
        try await harness.composition.unitOfWork.run {
            [links = harness.composition.stores.people.devices.links] transaction in
            try links.insert(link, in: transaction)
        }
        return "vst_device=\(secret)"
    }
}
