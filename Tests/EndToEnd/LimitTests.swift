import Foundation
import Outbound
import Testing

extension EndToEnd {
    /// Limits over real connections.
    @Suite struct Limits {
        /// The bursts of config/vestibule.yaml, which the other tests raise.
        ///
        /// Budgets refill slowly, so that a busy machine still polls fast enough to be refused.
        private static let shipped = [
            "limits.pollsPerOperation.burst=20", "limits.pollsPerOperation.rate=1/m",
            "limits.strangersPerAddress.burst=200",
            "limits.initiatePerAccount.burst=15", "limits.initiatePerAddress.burst=300",
        ]

        // T-239
        @Test func `a flood of starts on a victim is refused, and the victim signs in on a linked device`() async throws
        {
            try await Fixture.run(Self.shipped, people: ["accept@example.com"]) { fixture in
                let first = try await fixture.app.begin("accept@example.com")
                let signedIn = try await Self.collect(first, fixture.app)
                let device = try #require(signedIn.cookies.first { $0.hasPrefix("vst_device=") })
                var refused: WebClient.Reply?
                for _ in 0..<20 where refused == nil {
                    let reply = try await fixture.web.send(
                        .post,
                        fixture.app.address("initiate"),
                        json: #"{"email":"accept@example.com"}"#
                    )
                    if reply.status == 429 { refused = reply }
                }
                let answer = try #require(refused)
                #expect(answer.headers.contains { $0.name.lowercased() == "retry-after" })
                #expect(String(decoding: answer.body, as: UTF8.self).contains(#""code":"rate_limited""#))

                var victim = fixture.app
                victim.headers = ["Cookie": device]
                let begun = try await victim.begin("accept@example.com")
                victim.headers = [:]
                _ = try await Self.collect(begun, victim)
            }
        }

        @Test func `a client that polls too fast is told to slow down, and its result is not lost`() async throws {
            try await Fixture.run(Self.shipped, people: ["ada@example.com"]) { fixture in
                let login = try await fixture.app.begin("ada@example.com")
                var advice: WebClient.Reply?
                for _ in 0..<200 where advice == nil {
                    let reply = try await fixture.app.ask(login)
                    if reply.status == 429 { advice = reply }
                }
                let told = try #require(advice)
                let body = try #require(JSONSerialization.jsonObject(with: told.body) as? [String: Any])
                #expect(body["code"] as? String == "slow_down" && body["interval"] as? Int == 7)
                try await fixture.mock.decide("ada@example.com", "accept")
                _ = try await Self.collect(login, fixture.app)
            }
        }

        /// Polls as the published app does, which takes whatever is not 200 for a reason to ask again.
        private static func collect(_ login: App.Login, _ app: App) async throws -> WebClient.Reply {
            try await eventually("the tokens", within: .seconds(90), every: .seconds(1)) {
                let reply = try await app.ask(login)
                let text = String(decoding: reply.body, as: UTF8.self)
                return reply.status == 200 && text.contains(#""accessToken""#) ? reply : nil
            }
        }
    }
}
