import Testing
import Wire

extension EndToEnd {
    /// The result of each outcome at the provider.
    @Suite struct Outcomes {
        /// The provider's outcomes with our codes; `nil` signs in.
        static let codes: [(outcome: String, code: String?)] = [
            ("accept", nil), ("reject_match", "not_matched"), ("reject_liveness", "liveness_failed"),
            ("reject_both", "liveness_failed"), ("decline", "declined"), ("expire", "expired"),
            ("error", "provider_error"), ("cancel", "canceled"),
        ]

        @Test func `each outcome of the scan has its own code, for every client alike`() async throws {
            try await Fixture.run(people: Self.codes.map { "\($0.outcome)-by-hand@example.com" }) { fixture in
                for (outcome, code) in Self.codes {
                    let email = "\(outcome)-by-hand@example.com"
                    let login = try await fixture.app.begin(email)
                    try await fixture.app.waitFor(hint: "user_in_provider", login)
                    try await fixture.mock.decide(email, outcome)
                    let answer = try await fixture.app.follow(login)
                    guard let code else {
                        #expect(answer.status == .completed, "\(outcome): \(answer)")
                        #expect(answer.code == nil && answer.failure == nil)
                        continue
                    }
                    #expect(answer.status == .failed, "\(outcome): \(answer)")
                    #expect(answer.failure?.code == code, "\(outcome)")
                    #expect(answer.code == code, "\(outcome)")
                    #expect(answer.message == answer.failure?.message)
                    #expect(answer.tokens == nil && answer.accessToken == nil)
                    // The published app asks on after a failure: it stays the same.
                    #expect(try await fixture.app.poll(login) == answer, "\(outcome)")
                }
            }
        }

        @Test func `a login that its client calls off is over for the provider's verdict too`() async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let login = try await fixture.app.begin("ada@example.com")
                #expect(try await fixture.cookielessApp.cancel(login).status == 401)
                #expect(try await fixture.app.cancel(login).status == 200)
                try await fixture.mock.decide("ada@example.com", "accept")
                for _ in 0..<5 {
                    let answer = try await fixture.app.poll(login)
                    #expect(answer.status == .failed && answer.code == "canceled")
                    try await Task.sleep(for: .milliseconds(200))
                }
            }
        }
    }
}
