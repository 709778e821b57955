import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Testing
import Wire

@testable import HTTPAPI
@testable import Vestibule

/// What a hostile client, and whoever gets hold of something, comes to at the backchannel.
struct CIBAAttackTests {
    @Test func `attack: nobody finds out who has an account, is blocked, or has no face`() async throws {
        try await BackchannelStage.run { stage in
            _ = try await stage.bench.composition.accounts.disable("bob@example.com")
            var shapes: Set<String> = []
            for email in ["ada@example.com", "bob@example.com", "nobody@example.com", "not an address"] {
                let answer = try await stage.ask(email)
                #expect(answer.status == .ok, "\(email)")
                let members = try answer.json()
                shapes.insert(members.keys.sorted().joined(separator: " ") + " \(members["expires_in"] ?? "-")")
                let begun = try answer.decode(BegunOfTest.self)
                #expect(try await stage.word(begun) == "authorization_pending")
                let page = try await stage.bench.send(.get, begun.landingPath)
                #expect(page.status == .ok && page.text.contains("Continue"))
                await stage.bench.pass(.seconds(181))
                #expect(try await stage.word(begun) == "expired_token", "\(email)")
            }
            #expect(shapes.count == 1)
        }
    }

    @Test func `attack: another client gets nothing by an id that is not its own`() async throws {
        try await BackchannelStage.run { stage in
            let begun = try await stage.begin()
            #expect(try await stage.word(begun, as: "shop") == "invalid_grant")
            try await stage.approve(begun)
            #expect(try await stage.word(begun, as: "shop") == "invalid_grant")
            #expect(try await stage.word(begun, as: "app") == "unauthorized_client")
            #expect(try await stage.word(begun, as: "bank") == "granted", "and has used nothing up")
        }
    }

    @Test func `attack: a public client can't ask for anybody`() async throws {
        try await BackchannelStage.run { stage in
            let answer = try await stage.ask(as: "app")
            #expect(answer.status == .badRequest)
            #expect(try answer.json()["error"] as? String == "unauthorized_client")
        }
    }

    @Test func `attack: the id of a request is no id of the face login's own polls`() async throws {
        try await BackchannelStage.run { stage in
            let begun = try await stage.begin()
            let answer = try await stage.bench.send(.get, "/auth/biometric-login/poll/\(begun.authReqID)")
            #expect(answer.status == .notFound)
        }
    }

    @Test func `the page names the client, shows the message as text, and asks`() async throws {
        try await BackchannelStage.run { stage in
            let begun = try await stage.begin("ada@example.com", as: "bank", ["binding_message": "W4SCT <i>"])
            let page = try await stage.bench.send(.get, begun.landingPath).text
            #expect(page.contains("The bank &lt;b&gt;") && page.contains("W4SCT &lt;i&gt;"))
            #expect(page.contains("the very words below") && page.contains("/not-me"))
            #expect(page.contains("a•••@example.com") && !page.contains("not known"))
            #expect(stage.bench.provider.calls.isEmpty, "nothing is begun by looking at it")
            let plain = try await stage.bench.send(.get, stage.begin().landingPath).text
            #expect(plain.contains("A service asks you to sign in") && !plain.contains("<blockquote"))
        }
    }

    @Test(arguments: ["hidden\u{200B}", "two\nlines", String(repeating: "x", count: 101)])
    func `attack: a message that could mislead is refused`(message: String) async throws {
        try await BackchannelStage.run { stage in
            let answer = try await stage.ask("ada@example.com", as: "bank", ["binding_message": message])
            #expect(try answer.json()["error"] as? String == "invalid_binding_message")
        }
    }

    @Test func `the person says no, or is not recognised: the client is denied`() async throws {
        try await BackchannelStage.run { stage in
            let denied = try await stage.begin()
            let answer = try await stage.bench.send(
                .post,
                denied.landingPath + "/not-me",
                [.secFetchSiteOfTest: "same-origin"]
            )
            #expect(answer.status == .ok)
            #expect(try await stage.word(denied) == "access_denied")
            let stranger = try await stage.begin()
            try await stage.open(stranger)
            try await stage.bench.judge(.rejected(.notMatched))
            #expect(try await stage.word(stranger) == "access_denied")
            let broken = try await stage.begin()
            try await stage.open(broken)
            try await stage.bench.judge(.broken)
            #expect(try await stage.word(broken) == "transaction_failed")
        }
    }

    @Test func `attack: an account that is blocked between approval and poll gets no session`() async throws {
        try await BackchannelStage.run { stage in
            let begun = try await stage.begin()
            try await stage.approve(begun)
            _ = try await stage.bench.composition.accounts.disable("ada@example.com")
            #expect(try await stage.word(begun) == "access_denied")
        }
    }

    @Test func `an approval that nobody collects expires`() async throws {
        try await BackchannelStage.run { stage in
            let begun = try await stage.begin()
            try await stage.approve(begun)
            await stage.bench.pass(.seconds(121))
            #expect(try await stage.word(begun) == "expired_token")
        }
    }

    @Test func `attack: a client that asks for one person again and again is held back, alone`() async throws {
        try await BackchannelStage.run { stage in
            var refused: TestResponse?
            for _ in 0..<40 where refused == nil {
                let answer = try await stage.ask()
                if answer.status != .ok { refused = answer }
            }
            let answer = try #require(refused)
            #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] != nil)
            #expect(try await stage.ask("bob@example.com").status == .ok)
            #expect(try await stage.ask(as: "shop").status == .ok)
            try await stage.bench.start()
        }
    }

    @Test func `secrets are kept nowhere but with the client`() async throws {
        try await BackchannelStage.run { stage in
            let begun = try await stage.begin("ada@example.com", as: "ring")
            try await stage.approve(begun)
            _ = try await stage.word(begun, as: "ring")
            let ticket = String(begun.landingPath.dropFirst(4))
            let log = stage.bench.log.lines.map(\.text).joined(separator: "\n")
            for secret in [begun.authReqID, ticket, BackchannelStage.notificationToken] {
                #expect(!log.contains(secret))
                for name in try FileManager.default.subpathsOfDirectory(atPath: stage.bench.folder.path) {
                    let path = stage.bench.folder.path + "/" + name
                    guard let bytes = FileManager.default.contents(atPath: path) else { continue }
                    #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
                }
            }
        }
    }

    @Test func `the person's own devices are told of the request, and nobody else's`() async throws {
        try await BackchannelStage.run { stage in
            let (ada, bob) = (try await stage.bench.signIn(), try await stage.bench.signIn("bob@example.com"))
            let begun = try await stage.begin("ada@example.com", as: "bank", ["binding_message": "W4SCT"])
            let before = try await stage.bench.owned(ada)
            let seen = try #require(before.first { $0.client == "bank" })
            #expect(seen.authorizationLink == begun.authorizationLink && seen.message == "W4SCT")
            let others = try await stage.bench.owned(bob)
            #expect(!others.contains { $0.client == "bank" })
            try await stage.approve(begun)
            let after = try await stage.bench.owned(ada)
            let decided = try #require(after.first { $0.client == "bank" })
            #expect(decided.authorizationLink == nil)
        }
    }
}
