import Foundation
import Outbound
import Testing

extension EndToEnd {
    /// A phone and a bank, with the daemon between them, on every way that an enrolment can go.
    @Suite struct WalletBanks {
        private struct Synced: Decodable {
            let cards: [Phone.Card]
            let added, removed: Int
        }

        private struct Summary: Decodable {
            struct Bank: Decodable { let bsimId: String, cardCount: Int }

            let cards: [Phone.Card]
            let enrolledBanks: [Bank]
            let biometricEnabled: Bool
        }

        private struct Refusal: Decodable {
            let code: String
        }

        @Test func `a bank's cards come into the wallet, and a removed one stays out of it`() async throws {
            try await WalletScene.run { scene in
                let phone = try await Phone(of: "accept@example.com", scene)
                let page = try await phone.startEnrolment()
                #expect(parameter("code_challenge_method", of: page) == "S256")
                #expect(parameter("redirect_uri", of: page) == scene.callback(BankProgram.id))
                let back = try scene.bank.letIn("alice", at: page)
                let arrived = try scene.arrive(at: back)
                let link = try #require(arrived.location)
                #expect(arrived.status == "303" && link.hasPrefix("mwsim://enrollment/callback?"), "\(link)")
                #expect(parameter("success", of: link) == "true" && parameter("cardCount", of: link) == "2")
                #expect(parameter("bsimId", of: link) == BankProgram.id)
                #expect(parameter("bankName", of: link) == BankProgram.name)

                let cards = try await phone.cards()
                #expect(Set(cards.map(\.lastFour)) == ["4242", "5454"] && cards.filter { $0.isDefault }.count == 1)
                let gone = try #require(cards.first { $0.isDefault })
                #expect(try await phone.send(.delete, "mobile/wallet/cards/\(gone.id)").status == 200)
                let left = try await phone.cards()
                #expect(left.count == 1 && left[0].isDefault, "the default passes on")
                #expect(try await phone.send(.delete, "mobile/wallet/cards/\(gone.id)").status == 404)

                try await scene.bank.give(
                    "alice",
                    cards: [("card-alice-1", "4242"), ("card-alice-2", "5454"), ("card-alice-3", "6060")]
                )
                let synced = try await phone.send(.post, "mobile/wallet/banks/\(BankProgram.id)/sync")
                let news = try synced.json(Synced.self)
                #expect(news.added == 1 && news.removed == 0)
                #expect(!news.cards.contains { $0.lastFour == gone.lastFour }, "the bank does not overrule its owner")
                let summary = try await phone.send(.get, "mobile/wallet/summary").json(Summary.self)
                #expect(summary.cards.count == 2 && summary.biometricEnabled)
                #expect(summary.enrolledBanks.map(\.cardCount) == [2])

                #expect(try await phone.send(.delete, "mobile/wallet/banks/\(BankProgram.id)").status == 200)
                let empty = try await phone.cards()
                #expect(empty.isEmpty)
            }
        }

        // T-217
        @Test func `attack: the data folder holds no bank token in clear`() async throws {
            try await WalletScene.run { scene in
                let phone = try await Phone(of: "accept@example.com", scene)
                try await phone.enrol()
                let folder = scene.fixture.daemon.dataFolder
                let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("sqlite") }
                #expect(!files.isEmpty)
                for file in files {
                    let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
                    // The prefix of every token of the mock.
                    let leaks = ["bank-at-", "bank-rt-"].filter { bytes.range(of: Data($0.utf8)) != nil }
                    #expect(leaks.isEmpty, "\(file)")
                }
                // They are there all the same: the next request to the bank shows them.
                #expect(try await phone.send(.post, "mobile/wallet/banks/\(BankProgram.id)/sync").status == 200)
            }
        }

        @Test func `a person who declines is back in the app, with nothing added and nothing requested from the bank`()
            async throws
        {
            try await WalletScene.run { scene in
                let phone = try await Phone(of: "accept@example.com", scene)
                let back = try scene.bank.cancel(at: try await phone.startEnrolment())
                let link = try #require(try scene.arrive(at: back).location)
                #expect(link.hasPrefix("mwsim://enrollment/callback?"))
                // Both dialects of the apps.
                #expect(parameter("success", of: link) == "false" && parameter("error", of: link) == "user_cancelled")
                #expect(parameter("bsimId", of: link) == BankProgram.id && parameter("message", of: link) != nil)
                let asked = try await scene.bank.count("token")
                #expect(asked == 0)
                #expect(try await phone.cards().isEmpty)
                let again = try await phone.enrol()
                #expect(parameter("success", of: again) == "true", "and may think again")
            }
        }

        /// A bank's error, and the app's answer.
        private static let faults = [
            ("token", "down", "bank_unavailable"), ("token", "error", "bank_unavailable"),
            ("token", "slow", "bank_unavailable"), ("token", "reset", "bank_unavailable"),
            ("token", "truncate", "bank_unavailable"), ("token", "garbage", "bank_unavailable"),
            ("token", "malformed", "bank_unavailable"), ("token", "flood", "bank_unavailable"),
            ("token", "redirect", "bank_unavailable"), ("token", "refuse", "bank_refused"),
            ("cards", "down", "bank_unavailable"), ("cards", "slow", "bank_unavailable"),
            ("cards", "garbage", "bank_unavailable"), ("cards", "malformed", "bank_unavailable"),
            ("cards", "refuse", "bank_refused"),
        ]

        @Test func `each error of the bank has its code in the link, adds no card, and ends with its cause`()
            async throws
        {
            let settings = ["banks.\(BankProgram.id).timeout=5s", "limits.off=true"]
            try await WalletScene.run(settings) { scene in
                let phone = try await Phone(of: "accept@example.com", scene)
                for (target, fault, word) in Self.faults {
                    try await scene.bank.fail(target, fault, ms: 30_000)
                    let link = try await phone.enrol()
                    #expect(parameter("success", of: link) == "false", "\(target) \(fault)")
                    #expect(parameter("error", of: link) == word, "\(target) \(fault)")
                    #expect(try await phone.cards().isEmpty, "\(target) \(fault)")
                    try await scene.bank.recover()
                }
                let link = try await phone.enrol()
                #expect(parameter("success", of: link) == "true")
            }
        }

        @Test func `a bank that has gone is an outage, and the cards of before stay`() async throws {
            try await WalletScene.run(["banks.\(BankProgram.id).timeout=5s"]) { scene in
                let phone = try await Phone(of: "accept@example.com", scene)
                let back = try scene.bank.letIn("alice", at: try await phone.startEnrolment())
                await scene.bank.destroy()
                let link = try #require(try scene.arrive(at: back).location)
                #expect(parameter("error", of: link) == "bank_unavailable")
                #expect(try await phone.cards().isEmpty)

                try await scene.bank.start()
                let second = try await phone.enrol()
                #expect(parameter("cardCount", of: second) == "2")
                await scene.bank.destroy()
                let sync = try await phone.send(.post, "mobile/wallet/banks/\(BankProgram.id)/sync")
                #expect(sync.status == 503, "\(sync)")
                #expect(try sync.json(Refusal.self).code == "bank_unavailable")
                #expect(try await phone.cards().count == 2)

                try await scene.bank.start()
                // The bank has forgotten whom it let in: its tokens are worth nothing any more.
                let strange = try await phone.send(.post, "mobile/wallet/banks/\(BankProgram.id)/sync")
                #expect(strange.status == 409, "\(strange)")
                #expect(try strange.json(Refusal.self).code == "bank_sign_in_needed")
                #expect(try await phone.cards().count == 2)
            }
        }

        // T-152
        @Test func `attack: of two concurrent returns from the bank one succeeds, and the other gets state_used`()
            async throws
        {
            try await WalletScene.run { scene in
                let phone = try await Phone(of: "accept@example.com", scene)
                let back = try scene.bank.letIn("alice", at: try await phone.startEnrolment())
                let links = try scene.arriveTwice(at: back)
                #expect(links.filter { parameter("success", of: $0 ?? "") == "true" }.count == 1, "\(links)")
                #expect(links.filter { parameter("error", of: $0 ?? "") == "state_used" }.count == 1, "\(links)")
                let later = try #require(try scene.arrive(at: back).location)
                #expect(parameter("error", of: later) == "state_used")
                // Nobody handed the code in a second time (RFC 6749 §10.5).
                let redeemed = try await scene.bank.count("token")
                #expect(redeemed == 1)
                #expect(try await phone.cards().count == 2)
            }
        }

        // T-152
        @Test func `attack: an unknown state, or another bank's, leads to a page and not to the app`()
            async throws
        {
            try await WalletScene.run { scene in
                let phone = try await Phone(of: "accept@example.com", scene)
                let unknown = try scene.arrive(at: scene.callback(BankProgram.id) + "?code=c&state=nobodys")
                #expect(unknown.status == "400" && unknown.location == nil)
                // RFC 9700 §4.4.2: each bank has a callback of its own.
                let back = try scene.bank.letIn("alice", at: try await phone.startEnrolment())
                let mixed = try scene.arrive(at: scene.callback(WalletScene.otherBank) + "?" + query(of: back))
                #expect(mixed.status == "400" && mixed.location == nil)
                let redeemed = try await scene.bank.count("token")
                #expect(redeemed == 0)
                #expect(try await phone.cards().isEmpty)
            }
        }

        /// Where the daemon sends a browser that comes with the app's token, and the cookie that ties the attempt to it.
        private static func depart(_ phone: Phone, _ scene: WalletScene) throws -> (page: String, cookie: String) {
            let connection = try RawConnection(port: scene.fixture.daemon.port)
            let path = "/api/enrollment/start/\(BankProgram.id)?mobile=true"
            try connection.send("GET", path, ["Authorization": "Bearer \(phone.token)"])
            let head = try connection.readHead()
            let set = try #require(Browser.field("Set-Cookie", of: head), "\(head)")
            return (try #require(Browser.field("Location", of: head), "\(head)"), String(set.prefix { $0 != ";" }))
        }

        // T-151
        @Test func `attack: an enrolment begun by another person adds no cards when the victim returns from the bank`()
            async throws
        {
            let people = ["accept@example.com", "accept+mallory@example.com"]
            try await WalletScene.run(people: people) { scene in
                let victim = try await Phone(of: people[0], scene)
                let mallory = try await Phone(of: people[1], scene)
                let hers = try Self.depart(mallory, scene)
                let own = try Self.depart(victim, scene)
                // The victim signs in at the bank by Mallory's link, and comes back with her own cookie (RFC 9700 §4.7).
                let back = try scene.bank.letIn("alice", at: hers.page)
                let refused = try scene.arrive(at: back, cookie: own.cookie)
                #expect(refused.status == "400" && refused.location == nil)
                // Shown in the wrong browser it is worth nothing in the right one either.
                let late = try scene.arrive(at: back, cookie: hers.cookie)
                #expect(parameter("success", of: late.location ?? "") != "true")
                for phone in [victim, mallory] {
                    #expect(try await phone.cards().isEmpty)
                }
                let redeemed = try await scene.bank.count("token")
                #expect(redeemed == 0)

                let honest = try scene.bank.letIn("alice", at: own.page)
                let arrived = try scene.arrive(at: honest, cookie: own.cookie)
                #expect(parameter("success", of: arrived.location ?? "") == "true", "\(arrived)")
                #expect(try await victim.cards().count == 2)
            }
        }

        // T-151
        @Test
        func `attack: without a cookie from the app's browser, cards are kept only after a confirmation page`()
            async throws
        {
            try await WalletScene.run(["wallet.confirmEnrollment=true"]) { scene in
                let phone = try await Phone(of: "accept@example.com", scene)
                let web = scene.fixture.web
                let confirm = scene.fixture.daemon.url + "/api/enrollment/confirm"
                let back = try scene.bank.letIn("alice", at: try await phone.startEnrolment())
                let asked = try await web.send(.get, try scene.local(back))
                #expect(asked.status == 200, "\(asked)")
                #expect(asked.text.contains(BankProgram.name) && !asked.text.contains("accept@example.com"), "masked")
                #expect(try await phone.cards().isEmpty)
                let token = try #require(asked.text.firstMatch(of: /name="token" value="([^"]+)"/)).output.1
                let forged = try await web.send(.post, confirm, form: "token=forged&decision=add")
                #expect(forged.status == 400, "\(forged)")
                #expect(try await phone.cards().isEmpty)
                #expect(try await web.send(.post, confirm, form: "token=\(token)&decision=add").status == 303)
                #expect(try await phone.cards().count == 2)

                #expect(try await phone.send(.delete, "mobile/wallet/banks/\(BankProgram.id)").status == 200)
                let second = try scene.bank.letIn("alice", at: try await phone.startEnrolment())
                let page = try await web.send(.get, try scene.local(second))
                let other = try #require(page.text.firstMatch(of: /name="token" value="([^"]+)"/)).output.1
                #expect(try await web.send(.post, confirm, form: "token=\(other)&decision=cancel").status == 303)
                #expect(try await phone.cards().isEmpty)
            }
        }

        @Test func `a person who signs out on the way to the bank comes back to no wallet`() async throws {
            try await WalletScene.run { scene in
                let phone = try await Phone(of: "accept@example.com", scene)
                let back = try scene.bank.letIn("alice", at: try await phone.startEnrolment())
                #expect(try await phone.send(.post, "mobile/auth/logout").status == 200)
                let link = try #require(try scene.arrive(at: back).location)
                #expect(parameter("error", of: link) == "account_unavailable")
                let redeemed = try await scene.bank.count("token")
                #expect(redeemed == 0)
            }
        }

        @Test func `an enrolment in progress outlives a kill of the daemon`() async throws {
            try await WalletScene.run { scene in
                let phone = try await Phone(of: "accept@example.com", scene)
                let back = try scene.bank.letIn("alice", at: try await phone.startEnrolment())
                try await scene.fixture.daemon.restart()
                let link = try #require(try scene.arrive(at: back).location)
                #expect(parameter("success", of: link) == "true", "\(link)")
                try await scene.fixture.daemon.restart()
                #expect(try await phone.cards().count == 2)
            }
        }
    }
}
