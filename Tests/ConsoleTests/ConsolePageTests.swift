import HTTPTypes
import Kernel
import Testing
import Web

@testable import Admin
@testable import Console

/// The pages, over a scripted admin socket.
struct ConsolePageTests {
    private static let pages = [
        "/", "/logins", "/logins/\(Replies.row)", "/people", "/people/\(Replies.account)", "/clients", "/providers",
        "/items/provider/mock", "/mail", "/keys", "/audit", "/nodes", "/settings", "/commands",
        "/commands/audit/verify", "/commands/daemon/status?run=yes",
    ]

    @Test(arguments: pages)
    func `each page is rendered, and asks for nothing that changes something`(_ path: String) async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let reply = try await fixture.send(.get, path, cookie: cookie)
        #expect(reply.status == 200)
        #expect(reply.body.hasPrefix("<!doctype html>") && reply.body.hasSuffix("</html>"))
        #expect(!reply.body.contains("{{") && !reply.body.contains("No reply to"), "\(reply.body)")
        #expect(fixture.socket.writes.isEmpty)
        #expect(reply.body.contains("<h1>") && reply.body.contains(#"aria-label="Pages""#))
    }

    @Test(arguments: pages)
    func `a daemon that does not answer is said on the page`(_ path: String) async throws {
        let fixture = ConsoleFixture()
        let cookie = try await fixture.enter()
        let reply = try await fixture.send(.get, path, cookie: cookie)
        #expect(reply.status == 200)
        let asks = !["/commands", "/commands/audit/verify", "/items/provider/mock"].contains(path)
        #expect(reply.body.contains("No reply to") == asks)
    }

    @Test func `the first page shows providers, queues and logins in progress`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let page = try await fixture.send(.get, "/", cookie: cookie).body
        for text in [
            "degraded", "open", "for 30 s", "90 %", "250 ms", "2, the oldest waiting for 61 s",
            "9, the oldest overdue for 3 s", "<th scope=\"col\" role=\"columnheader\">age</th>", ">60 s</td>",
            "Begun a minute", Replies.row,
            "Answered by mock", "login provider_error", "Latency of mock",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(page.contains(#"href="/logins/\#(Replies.row)""#) && page.contains("<polyline points=\""))
    }

    @Test func `the console has its owner's name and accent, and not the built-in ones`() async throws {
        let owner = OwnerView(name: "Example <Bank>", accent: "#0a5c36", accentDark: "#7fd8a6")
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all), owner: owner)
        let cookie = try await fixture.enter()
        let page = try await fixture.send(.get, "/people", cookie: cookie).body
        #expect(page.contains("<title>People · Example &lt;Bank&gt; console</title>"))
        #expect(!page.contains("Vestibule console"))
        #expect(page.contains("<span>Example &lt;Bank&gt; console</span>"))
        #expect(try await fixture.send(.get, "/style.css", cookie: cookie).body.contains("--accent:#0a5c36"))
        #expect(try await fixture.send(.get, "/icon.svg", cookie: cookie).body.contains("#0a5c36"))
        let own = ConsoleFixture(ScriptedSocket(Replies.all))
        let entered = try await own.enter()
        let plain = try await own.send(.get, "/people", cookie: entered).body
        #expect(plain.contains("<title>People · Vestibule console</title>"))
    }

    @Test func `before a pause is pressed, its page and its question say who takes over`() async throws {
        var replies = Replies.all
        let fixture = ConsoleFixture(ScriptedSocket(replies))
        let cookie = try await fixture.enter()
        let page = try await fixture.send(.get, "/items/provider/mock", cookie: cookie).body
        #expect(page.contains("Logins that go to mock fail over to standby, for people who are enrolled there."))
        let asked = try await fixture.press("/commands/provider/pause", [("p_name", "mock"), ("o_for", "60s")], cookie)
        #expect(asked.body.contains("Pause, and fail over to standby</button>"))
        #expect(fixture.socket.sent.last?.json == #"{"provider":"mock"}"# && fixture.socket.writes.isEmpty)
        replies["previewPause"] = #"{"provider":"mock","isStandby":false,"takesOver":[]}"#
        let alone = ConsoleFixture(ScriptedSocket(replies))
        let again = try await alone.enter()
        let refused = try await alone.press("/commands/provider/pause", [("p_name", "mock"), ("o_for", "60s")], again)
        #expect(refused.body.contains("Nobody takes over: those logins will be refused."))
    }

    @Test func `a login's page shows its state, what its provider answered, and what happened`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let page = try await fixture.send(.get, "/logins/\(Replies.row)", cookie: cookie).body
        for text in ["the scan began", "timeout", "operation.opened"] { #expect(page.contains(text), "\(text)") }
        #expect(page.contains(#"href="/items/provider/mock""#))
    }

    @Test func `attack: hostile names are text`() async throws {
        var replies = Replies.all
        replies["showAccount"] = Replies.account(name: Replies.hostile)
        replies["listAccounts"] = "[\(Replies.account(name: Replies.hostile))]"
        replies["listOperations"] = "[\(Replies.operation(client: Replies.hostile))]"
        let fixture = ConsoleFixture(ScriptedSocket(replies))
        let cookie = try await fixture.enter()
        for path in [
            "/", "/people", "/people/\(Replies.account)", "/people/%3Cscript%3E", "/logins?o_client=%22%3E%3Cb%3E",
        ] {
            let page = try await fixture.send(.get, path, cookie: cookie).body
            #expect(!page.contains("<img") && !page.contains("<script>") && !page.contains("\"><b>"), "\(path)")
        }
    }

    @Test func `a list has pages, by the last row of the page before`() async throws {
        var replies = Replies.all
        let rows = (10..<60).map { "0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a\($0)" }
        replies["listOperations"] = "[\(rows.map { Replies.operation($0) }.joined(separator: ","))]"
        let fixture = ConsoleFixture(ScriptedSocket(replies))
        let cookie = try await fixture.enter()
        let page = try await fixture.send(
            .get,
            "/logins?o_state=pending&o_account=person%40example.com",
            cookie: cookie
        ).body
        #expect(page.contains("o_after=\(rows[49])") && page.contains("o_state=pending"))
        _ = try await fixture.send(.get, "/logins?o_state=pending&o_after=\(rows[49])", cookie: cookie)
        #expect(
            fixture.socket.sent.last?.json == #"{"after":"\#(rows[49])","limit":50,"states":["pending"]}"#
        )
    }

    @Test func `every action says its command line, asks once and acts once`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let asked = try await fixture.press("/commands/accounts/disable", [("p_account", "it's me")], cookie)
        #expect(asked.body.contains("vestibule accounts disable &#39;it&#39;\\&#39;&#39;s me&#39;"), "\(asked.body)")
        #expect(asked.body.contains("end its sessions and logins in progress"))
        #expect(fixture.socket.writes.isEmpty)
        let key = try #require(asked.body.firstMatch(of: #/name="confirmation" value="([^"]+)"/#)).1
        let done = try await fixture.press("/confirm", [("confirmation", String(key)), ("p_account", "other")], cookie)
        #expect(done.body.contains("Done."))
        #expect(asked.body.contains("It ends now: 3 sessions, 2 passkeys, 1 device."))
        #expect(
            fixture.socket.sent.map(\.json) == [
                #"{"kind":"disableAccount","subject":"it's me"}"#, #"{"name":"it's me"}"#,
            ],
            "what was shown is what is done"
        )
        let again = try await fixture.press("/confirm", [("confirmation", String(key))], cookie)
        #expect(again.body.contains("Nothing was done now") && fixture.socket.writes.count == 1)
    }

    @Test(arguments: [
        ("accounts/set", [("p_account", "a"), ("o_email", "new@example.com")], "setEmail"),
        ("accounts/set", [("p_account", "a"), ("o_password", "a long password")], "setPassword"),
        ("sessions/revoke", [("p_session", "a")], "revokeSession"),
        ("sessions/revoke", [("o_account", "a")], "revokeSessions"),
        ("devices/revoke", [("p_device", "a")], "revokeDevice"),
        ("passkeys/remove", [("p_passkey", "a")], "removePasskey"),
        ("consents/withdraw", [("p_client", "shop"), ("o_account", "a")], "withdrawConsent"),
    ])
    func `what ends access is counted before it is asked`(
        _ path: String,
        values: [(String, String)],
        kind: String
    ) async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let asked = try await fixture.press("/commands/\(path)", values, cookie)
        let client = kind == "withdrawConsent" ? #""client":"shop","# : ""
        #expect(fixture.socket.sent.map(\.json) == [#"{\#(client)"kind":"\#(kind)","subject":"a"}"#])
        #expect(asked.body.contains("It ends now: 3 sessions, 2 passkeys, 1 device."))
        fixture.socket.refuse("previewRemedy", .readOnly)
        let unknown = try await fixture.press("/commands/\(path)", values, cookie)
        #expect(unknown.body.contains("What it would do now is not known") && unknown.body.contains("confirmation"))
    }

    @Test func `a person's page counts what each remedy would end`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let page = try await fixture.send(.get, "/people/\(Replies.account)", cookie: cookie).body
        #expect(page.contains("What each remedy would end now"))
        let kinds = fixture.socket.sent.filter { $0.name == "previewRemedy" }.map(\.json)
        #expect(kinds.count == 4 && kinds.allSatisfy { $0.contains(Replies.account) })
    }

    @Test func `a person's page lists the consents, and withdraws each`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let page = try await fixture.send(.get, "/people/\(Replies.account)", cookie: cookie).body
        #expect(page.contains("email openid") && page.contains(#"href="/items/clients/shop""#))
        #expect(page.contains(#"name="p_client" value="shop""#), "its form is filled in")
        let fields = [("p_client", "shop"), ("o_account", Replies.account)]
        let asked = try await fixture.press("/commands/consents/withdraw", fields, cookie)
        #expect(asked.body.contains("vestibule consents withdraw --account=\(Replies.account) shop"))
        let key = try #require(asked.body.firstMatch(of: #/name="confirmation" value="([^"]+)"/#)).1
        let done = try await fixture.press("/confirm", [("confirmation", String(key))], cookie)
        #expect(done.body.contains("The consent to shop is withdrawn."))
        #expect(fixture.socket.writes == ["withdrawConsent"])
    }

    @Test func `mail and notices have one page, and the notices have pages`() async throws {
        var replies = Replies.all
        let ids = (10..<60).map { "ciba:0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a\($0)" }
        let notices = ids.map {
            #"{"id":"\#($0)","client":"bank","ageSeconds":61,"attempts":2,"dueAt":1800000000000}"#
        }
        replies["listNotices"] = "[\(notices.joined(separator: ","))]"
        let fixture = ConsoleFixture(ScriptedSocket(replies))
        let cookie = try await fixture.enter()
        let page = try await fixture.send(.get, "/mail", cookie: cookie).body
        #expect(page.contains("61 s") && page.contains(#"href="/logins/0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a10""#))
        #expect(page.contains("mail flush") && page.contains("notices flush"))
        let next = try #require(page.firstMatch(of: #/href="(/mail\?[^"]*)" rel="next"/#)).1
        _ = try await fixture.send(.get, String(next).replacing("&amp;", with: "&"), cookie: cookie)
        #expect(fixture.socket.sent.last?.json == #"{"after":"\#(ids[49])@1800000000000","limit":50}"#)
    }

    @Test func `a refusal of the socket is said: a reader may not write`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        fixture.socket.refuse("disableAccount", .readOnly)
        let cookie = try await fixture.enter()
        let asked = try await fixture.press("/commands/accounts/disable", [("p_account", "a")], cookie)
        let key = try #require(asked.body.firstMatch(of: #/name="confirmation" value="([^"]+)"/#)).1
        let done = try await fixture.press("/confirm", [("confirmation", String(key))], cookie)
        #expect(done.body.contains("may only read") && !done.body.contains("Done."))
    }

    @Test func `wrong values are told in the command line's words, and nothing is asked`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let page = try await fixture.press("/commands/provider/pause", [("p_name", "mock"), ("o_for", "9x")], cookie)
        #expect(page.body.contains("--for takes a duration") && !page.body.contains("confirmation"))
    }

    @Test func `a command that ends something looks quiet, one that removes looks like a danger, and no other does`() {
        let commands = CommandBook().groups.flatMap(\.commands)
        let styled = { (style: ButtonStyle) in Set(commands.filter { $0.buttonStyle == style }.map(\.title)) }
        #expect(styled(.danger) == ["passkeys remove", "clients remove"])
        #expect(
            styled(.quiet) == [
                "accounts disable", "devices revoke", "consents withdraw", "operations cancel", "provider pause",
                "sessions revoke",
                "keys retire", "nodes drain", "clients disable", "clients end-sessions",
            ]
        )
    }

    @Test func `the last question before an end has no primary button`() async throws {
        let fixture = ConsoleFixture(ScriptedSocket(Replies.all))
        let cookie = try await fixture.enter()
        let asked = try await fixture.press("/commands/accounts/disable", [("p_account", "a")], cookie)
        #expect(asked.body.contains(#"<button type="submit" class="quiet">Yes, do it</button>"#))
        let person = try await fixture.send(.get, "/people/\(Replies.account)", cookie: cookie).body
        #expect(person.contains(#"<button type="submit" class="quiet">Look at it</button>"#))
    }
}
