import Testing
import Wire

extension EndToEnd {
    /// The mock's webhooks at the daemon's door, both as they are shipped.
    @Suite struct Webhooks {
        private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        /// Without webhooks the provider is asked so seldom that no test would wait for it.
        private static let settings = [
            "faceLogin.hotCheck=30s", "faceLogin.coldCheck=60s", "providers.mock.webhook.secrets=\(secret)",
            "providers.mock.webhook.reference=/data/id",
        ]

        @Test func `a login completes by its webhook, long before the next check is due`() async throws {
            for change in ["", #","copies":3,"disorderMs":500"#] {
                try await Fixture.run(Self.settings, people: ["ada@example.com"]) { fixture in
                    let hook = fixture.daemon.url + "/webhooks/mock"
                    try await fixture.mock.sendWebhooks(to: hook, secret: Self.secret, change)
                    let login = try await fixture.app.begin("ada@example.com")
                    let before = try await fixture.mock.calls()["transaction_status"] ?? 0
                    try await fixture.mock.decide("ada@example.com", "accept")
                    let answer = try await fixture.app.follow(login, within: .seconds(25))
                    #expect(answer.status == .completed)
                    let checks = (try await fixture.mock.calls()["transaction_status"] ?? 0) - before
                    #expect(checks <= 6, "\(checks) checks")
                    try await eventually("every webhook to be answered") {
                        let sent = try await fixture.mock.webhooks()
                        return sent.count == (change.isEmpty ? 2 : 6) && sent.allSatisfy { $0.status == 200 }
                    }
                }
            }
        }

        @Test func `a login completes by a webhook with an HMAC header, and a forged one is refused`() async throws {
            let settings = Self.settings.map {
                $0.hasSuffix(Self.secret) ? "providers.mock.webhook.secrets=a-key-of-the-mock" : $0
            }
            let form = ["scheme=hmac", "header=X-Signature", "timestampHeader=X-Timestamp"].map {
                "providers.mock.webhook.\($0)"
            }
            try await Fixture.run(settings + form, people: ["ada@example.com"]) { fixture in
                let hook = fixture.daemon.url + "/webhooks/mock"
                try await fixture.mock.sendWebhooks(to: hook, secret: "a-key-of-the-mock", #","scheme":"hmac""#)
                let login = try await fixture.app.begin("ada@example.com")
                try await fixture.mock.decide("ada@example.com", "accept")
                #expect(try await fixture.app.follow(login, within: .seconds(25)).status == .completed)
                let scan = try await fixture.mock.newestScan(of: "ada@example.com")
                #expect(try await fixture.mock.webhook(about: scan, "forged") == [401])
                #expect(try await fixture.mock.webhook(about: scan, "stale") == [400])
            }
        }

        // T-057
        @Test func `each wrong webhook has its answer, and none moves a login`() async throws {
            try await Fixture.run(Self.settings, people: ["ada@example.com"]) { fixture in
                let hook = fixture.daemon.url + "/webhooks/mock"
                let login = try await fixture.app.begin("ada@example.com")
                let scan = try await fixture.mock.newestScan(of: "ada@example.com")
                try await fixture.mock.sendWebhooks(to: hook, secret: Self.secret, #","delayMs":600000"#)
                let before = try await fixture.mock.calls()["transaction_status"] ?? 0
                let answers = [
                    ("forged", 401), ("unsigned", 401), ("tampered", 401), ("stale", 400), ("early", 400),
                    ("oversized", 413),
                    ("foreign", 200), ("garbage", 200),
                ]
                for (mangling, status) in answers {
                    #expect(try await fixture.mock.webhook(about: scan, mangling) == [status], "\(mangling)")
                }
                #expect((try await fixture.mock.calls()["transaction_status"] ?? 0) == before, "nobody was asked")
                #expect(try await fixture.app.poll(login).status == .pending)
                // A replay is the same webhook once more: taken, and acted on once.
                #expect(try await fixture.mock.webhook(about: scan, copies: 5) == [200, 200, 200, 200, 200])
                try await eventually("the check that it causes") {
                    try await fixture.mock.calls()["transaction_status"] ?? 0 > before
                }
                try await Task.sleep(for: .seconds(2))
                #expect((try await fixture.mock.calls()["transaction_status"] ?? 0) == before + 1)
                try await fixture.mock.sendWebhooks(to: fixture.daemon.url + "/webhooks/nobody", secret: Self.secret)
                #expect(try await fixture.mock.webhook(about: scan) == [404])
            }
        }

        @Test func `with each fault of the provider a webhook is answered at once`() async throws {
            try await Fixture.run(Self.settings, people: ["ada@example.com"]) { fixture in
                try await fixture.mock.sendWebhooks(
                    to: fixture.daemon.url + "/webhooks/mock",
                    secret: Self.secret,
                    #","delayMs":600000"#
                )
                let login = try await fixture.app.begin("ada@example.com")
                let scan = try await fixture.mock.newestScan(of: "ada@example.com")
                for fault in ["hang", "http_500", "http_429", "slow", "garbage", "truncate", "reset", "flap"] {
                    try await fixture.mock.breakDown("status", fault)
                    // The mock gives a receiver five seconds; a hanging check takes ten.
                    let answers = try await fixture.mock.webhook(about: scan, copies: 3)
                    #expect(answers == [200, 200, 200], "\(fault)")
                }
                try await fixture.mock.mend()
                #expect(try await fixture.app.poll(login).status == .pending)
                try await fixture.mock.decide("ada@example.com", "accept")
                _ = try await fixture.mock.webhook(about: scan)
                #expect(try await fixture.app.follow(login, within: .seconds(25)).status == .completed)
            }
        }
    }
}
