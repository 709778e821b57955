import Outbound
import Testing
import Wire

extension EndToEnd {
    /// However many ask us, we ask the provider at our own pace.
    @Suite struct ProviderSilence {
        private static let polls = 1000

        // T-237
        @Test func `a thousand polls cause no call at the provider beyond the watcher's own`() async throws {
            try await Fixture.run(
                ["limits.off=true", "faceLogin.hotCheck=1s", "faceLogin.coldCheck=5s"],
                people: ["ada@example.com"]
            ) {
                fixture in
                let scanned = try await fixture.app.begin("ada@example.com")
                let unopened = try await fixture.app.initiate("ada@example.com")
                try await fixture.app.waitFor(hint: "user_in_provider", scanned)
                let before = try await fixture.mock.calls()
                let start = ContinuousClock.now
                try await ask([scanned, unopened], fixture.app)
                let time = ContinuousClock.now - start
                let after = try await fixture.mock.calls()

                // The cadence varies by a tenth; one check may have been due, and one in progress.
                let allowed = Int(time / .milliseconds(900)) + 2
                let checks = (after["transaction_status"] ?? 0) - (before["transaction_status"] ?? 0)
                #expect(checks <= allowed, "\(checks) checks in \(time)")
                for call in after.keys where call != "transaction_status" {
                    #expect(after[call] == before[call], "\(call)")
                }
            }
        }

        // T-032
        @Test func `a login that nobody opens is never spoken of to the provider`() async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let before = try await fixture.mock.calls()
                for email in ["ada@example.com", "nobody@example.com"] {
                    let login = try await fixture.app.initiate(email)
                    let page = try await fixture.web.send(.get, fixture.daemon.url + login.page)
                    #expect(page.status == 200)
                    for _ in 0..<10 { _ = try await fixture.app.poll(login) }
                }
                try await Task.sleep(for: .seconds(1))
                #expect(try await fixture.mock.calls() == before)
            }
        }

        /// Polls from eight connections at a time, and lets nothing fail.
        private func ask(_ logins: [App.Login], _ app: App) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<8 {
                    group.addTask {
                        for _ in 0..<(Self.polls / 8) {
                            let answer = try await app.poll(logins[lane % logins.count])
                            #expect(answer.status == .pending)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
