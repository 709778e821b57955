import Testing
import Wire

extension EndToEnd {
    /// The provider does badly: nobody is let in for it, and nobody is turned away for it.
    @Suite struct ProviderFaults {
        private static let settings = [
            "providers.mock.requestTimeout=2s", "providers.mock.connectTimeout=2s",
            "faceLogin.approvalWindow=60s",
        ]
        private static let person = ["ada@example.com"]

        /// Faults that leave no usable answer.
        static let outages = ["http_500", "http_429", "http_401", "http_409", "hang", "slow", "truncate", "reset"]
        /// Answers that say nothing that could be acted upon.
        static let nonsense = ["garbage", "wrong_transaction"]

        @Test(arguments: outages)
        func `a login waits while its checks fail, and completes after the outage`(fault: String) async throws {
            try await Fixture.run(Self.settings, people: Self.person) { fixture in
                let login = try await fixture.app.begin(Self.person[0])
                try await fixture.mock.breakDown("status", fault, milliseconds: Self.length(of: fault))
                try await fixture.mock.decide(Self.person[0], "accept")
                try await fixture.app.waitFor(hint: "provider_degraded", login)
                try await staysPending(login, fixture, for: .milliseconds(800))
                try await fixture.mock.mend()
                #expect(try await fixture.app.follow(login).status == .completed)
            }
        }

        // T-050
        @Test(arguments: nonsense)
        func `status answers without a valid meaning end a login as provider_error and never sign in`(
            fault: String
        ) async throws {
            try await Fixture.run(Self.settings, people: Self.person) { fixture in
                let login = try await fixture.app.begin(Self.person[0])
                try await fixture.mock.breakDown("status", fault)
                try await fixture.mock.decide(Self.person[0], "accept")
                let answer = try await fixture.app.follow(login)
                #expect(answer.status == .failed && answer.code == "provider_error", "\(answer)")
                // Terminal is terminal: a provider that comes to its senses changes nothing.
                try await fixture.mock.mend()
                try await Task.sleep(for: .milliseconds(600))
                #expect(try await fixture.app.poll(login) == answer)
            }
        }

        @Test(arguments: nonsense)
        func `a login survives four seconds of meaningless status answers and then completes`(
            fault: String
        ) async throws {
            try await Fixture.run(Self.settings, people: Self.person) { fixture in
                let login = try await fixture.app.begin(Self.person[0])
                try await fixture.mock.breakDown("status", fault)
                try await fixture.mock.decide(Self.person[0], "accept")
                try await staysPending(login, fixture, for: .seconds(4))
                try await fixture.mock.mend()
                #expect(try await fixture.app.follow(login).status == .completed)
            }
        }

        @Test func `a login waits while the provider does not know its scan yet`() async throws {
            try await Fixture.run(Self.settings, people: Self.person) { fixture in
                let login = try await fixture.app.begin(Self.person[0])
                try await fixture.mock.breakDown("status", "not_found")
                try await fixture.mock.decide(Self.person[0], "accept")
                try await staysPending(login, fixture, for: .seconds(2))
                try await fixture.mock.mend()
                #expect(try await fixture.app.follow(login).status == .completed)
            }
        }

        @Test func `a login completes although every other check fails`() async throws {
            try await Fixture.run(Self.settings, people: Self.person) { fixture in
                let login = try await fixture.app.begin(Self.person[0])
                try await fixture.mock.breakDown("status", "flap")
                try await fixture.mock.decide(Self.person[0], "accept")
                #expect(try await fixture.app.follow(login).status == .completed)
            }
        }

        @Test func `after a failed start of a scan, opening the link again succeeds once the provider is back`()
            async throws
        {
            try await Fixture.run(Self.settings, people: Self.person) { fixture in
                for fault in Self.outages + ["not_found", "garbage"] {
                    try await fixture.mock.breakDown("create", fault, milliseconds: Self.length(of: fault))
                    try await startsOnceMended(fixture, fault)
                }
            }
        }

        @Test func `after the provider refused tokens, opening the link again succeeds once it is back`() async throws {
            try await Fixture.run(Self.settings, people: Self.person) { fixture in
                for fault in Self.outages + ["not_found", "garbage"] {
                    try await fixture.mock.breakDown("token", fault, milliseconds: Self.length(of: fault))
                    // The token in hand is refused, so that a new one is needed.
                    try await fixture.mock.breakDown("create", "http_401", count: 1)
                    try await startsOnceMended(fixture, fault)
                }
            }
        }

        @Test func `when every other start of a scan fails, the second press begins it`() async throws {
            try await Fixture.run(Self.settings, people: Self.person) { fixture in
                try await fixture.mock.breakDown("create", "flap")
                let login = try await fixture.app.initiate(Self.person[0])
                #expect(try await fixture.app.open(login) == 503)
                #expect(try await fixture.app.open(login) == 303)
                try await fixture.mock.decide(Self.person[0], "accept")
                #expect(try await fixture.app.follow(login).status == .completed)
            }
        }

        // T-054
        @Test func `a scan begun under another transaction's id ends as provider_error and never signs in`()
            async throws
        {
            try await Fixture.run(Self.settings, people: Self.person) { fixture in
                try await fixture.mock.breakDown("create", "wrong_transaction", count: 1)
                let login = try await fixture.app.begin(Self.person[0])
                try await fixture.mock.decide(Self.person[0], "accept")
                // It is taken for one that the provider does not know yet, for fifteen seconds.
                let answer = try await fixture.app.follow(login)
                #expect(answer.status == .failed && answer.code == "provider_error", "\(answer)")
            }
        }

        @Test func `a scan whose acceptance comes late stays pending until then`() async throws {
            try await Fixture.run(Self.settings, people: Self.person) { fixture in
                try await fixture.mock.breakDown("create", "late_accept", count: 1)
                let login = try await fixture.app.begin(Self.person[0])
                try await fixture.mock.decide(Self.person[0], "accept")
                try await staysPending(login, fixture, for: .seconds(2))
            }
        }

        // T-259
        @Test func `while the provider is gone logins start, and when it is back they complete`() async throws {
            try await Fixture.run(Self.settings, people: Self.person) { fixture in
                let lost = try await fixture.app.begin(Self.person[0])
                await fixture.mock.destroy()
                try await fixture.app.waitFor(hint: "provider_degraded", lost)
                let started = try await fixture.app.initiate(Self.person[0])
                #expect(try await fixture.app.open(started) == 503)
                try await fixture.app.waitFor(hint: "provider_degraded", started)
                #expect(try await fixture.app.poll(lost).status == .pending)

                try await fixture.mock.start()
                let number = try await providerAccount(fixture)
                try await fixture.mock.enroll(number, email: Self.person[0])
                #expect(try await fixture.app.open(started) == 303)
                try await fixture.mock.decide(Self.person[0], "accept")
                #expect(try await fixture.app.follow(started).status == .completed)
                // The mock forgot the other scan: a fresh start from the same link works all the same.
                #expect(try await fixture.app.open(lost) == 303)
                try await fixture.mock.decide(Self.person[0], "accept")
                #expect(try await fixture.app.follow(lost).status == .completed)
            }
        }

        /// Starts a login while a fault is in force, mends it, and sees the login through.
        private func startsOnceMended(_ fixture: Fixture, _ fault: String) async throws {
            let login = try await fixture.app.initiate(Self.person[0])
            #expect(try await fixture.app.open(login) == 503, "\(fault)")
            #expect(try await fixture.app.poll(login).status == .pending, "\(fault)")
            try await fixture.mock.mend()
            // A press that comes while the circuit is open still is one in vain.
            try await eventually("a scan after \(fault)") { try await fixture.app.open(login) == 303 }
            try await fixture.mock.decide(Self.person[0], "accept")
            #expect(try await fixture.app.follow(login).status == .completed, "\(fault)")
        }

        private func staysPending(_ login: App.Login, _ fixture: Fixture, for time: Duration) async throws {
            let end = ContinuousClock.now + time
            while ContinuousClock.now < end {
                let answer = try await fixture.app.poll(login)
                #expect(answer.status == .pending && answer.tokens == nil, "\(answer)")
                try await Task.sleep(for: .milliseconds(100))
            }
        }

        private func providerAccount(_ fixture: Fixture) async throws -> String {
            struct Account: Decodable { let enrolments: [String] }
            let account = try await fixture.daemon.order(["accounts", "show", Self.person[0]]).json(Account.self)
            let enrolment = try #require(account.enrolments.first)
            return String(enrolment.dropFirst("mock:".count))
        }

        private static func length(of fault: String) -> Int? { fault == "slow" ? 6000 : nil }
    }
}
