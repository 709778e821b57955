import HTTPTypes
import HummingbirdTesting
import MemoryStore
import Settings
import Testing

@testable import Assembly

/// Connections through a proxy.
struct TrustedProxyTests {
    private static func from(_ address: String) -> HTTPFields { [.named("X-Forwarded-For"): address] }

    @Test func `the log has the address that a trusted proxy names`() async throws {
        try await Harness.run(.live) {
            $0.listen.trustedProxies = ["127.0.0.0/8", "::1"]
        } _: { harness in
            try await harness.send(.get, "/livez", Self.from("203.0.113.7"))
            #expect(harness.log.requests.last?.metadata["address"] == "203.0.113.7")
        }
    }

    @Test func `attack: X-Forwarded-For of an untrusted peer is not logged as the address`() async throws {
        try await Harness.run(.live) { harness in
            try await harness.send(.get, "/livez", Self.from("203.0.113.7"))
            let address = harness.log.requests.last?.metadata["address"]
            #expect(address == "127.0.0.1" || address == "::1")
        }
    }

    @Test func `clients of one proxy are told apart: only the one that collected gets its tokens again`() async throws {
        try await Harness.run(.live) {
            $0.listen.trustedProxies = ["127.0.0.0/8", "::1"]
        } _: { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            #expect(try await harness.word(login, Self.from("203.0.113.7")) == "completed")
            #expect(try await harness.word(login, Self.from("203.0.113.8")) == "created")
            #expect(try await harness.word(login, Self.from("198.51.100.1, 203.0.113.7")) == "completed")
        }
    }

    // T-086, O-091
    @Test func `attack: X-Forwarded-For of an untrusted peer does not change whose login it is`() async throws {
        try await Harness.run(.live) { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            #expect(try await harness.word(login, Self.from("203.0.113.7")) == "completed")
            #expect(
                try await harness.word(login, Self.from("203.0.113.8")) == "completed",
                "the header counts for nothing"
            )
        }
    }
}
