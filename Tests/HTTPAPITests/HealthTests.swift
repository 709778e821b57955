import Audit
import HTTPAPI
import HTTPTypes
import HummingbirdTesting
import MemoryStore
import Operations
import Settings
import Telemetry
import Testing
import TokenReading
import Tokens

@testable import Admin
@testable import Assembly

struct HealthTests {
    @Test func `readyz answers 200 with the state of the store and of each provider`() async throws {
        try await Harness.run { harness in
            let response = try await harness.send(.get, "/readyz")
            #expect(response.status == .ok)
            #expect(
                response.text
                    == #"{"circuits":{},"draining":false,"providers":{"mock":"ok"},"status":"ready","store":"ok"}"#
            )
        }
    }

    @Test(arguments: ["/livez", "/readyz", "/version"])
    func `HEAD says what GET says, without a body`(_ path: String) async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let full = try await harness.send(.get, path)
            let head = try await harness.send(.head, path)
            #expect(head.status == full.status && head.text.isEmpty)
            #expect(head.headerNames.contains("content-type"))
            try harness.composition.stores.upkeep.close()
            let (fullDown, headDown) = (try await harness.send(.get, path), try await harness.send(.head, path))
            #expect(headDown.status == fullDown.status)
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `a store that is down is not ready, and still alive`(_ storage: HarnessStorage) async throws {
        try await Harness.run(storage: storage) { harness in
            try harness.composition.stores.upkeep.close()
            let response = try await harness.send(.get, "/readyz")
            #expect(response.status == .serviceUnavailable)
            let body = try response.json()
            #expect(body["status"] as? String == "unavailable" && body["store"] as? String == "unavailable")
            #expect(try await harness.send(.get, "/livez").text == #"{"status":"ok"}"#)
        }
    }

    @Test func `whoever drains is not ready, and still alive`() async throws {
        try await Harness.run { harness in
            harness.api.drain.drain()
            let response = try await harness.send(.get, "/readyz")
            #expect(response.status == .serviceUnavailable)
            let body = try response.json()
            #expect(body["draining"] as? Bool == true && body["store"] as? String == "ok")
            #expect(body["reason"] as? String == "draining")
            #expect(try await harness.send(.get, "/livez").status == .ok)
        }
    }

    @Test(.ofOneDaemon("It drains one daemon."))
    func `a daemon that an operator drains is not ready, serves what arrives, and is ready again when it is undone`()
        async throws
    {
        // On PostgreSQL the daemon reads it when it renews its lease.
        try await Harness.run(storage: .memory) { harness in
            let administration = harness.composition.administration
            let drain = DrainNode(node: nil, isUndone: false, isLastAllowed: true)
            #expect(try await administration.execute(drain).map(\.state) == ["draining"])
            let response = try await harness.send(.get, "/readyz")
            let body = try response.json()
            #expect(response.status == .serviceUnavailable && body["reason"] as? String == "drained")
            #expect(body["draining"] as? Bool == false && body["store"] as? String == "ok")
            #expect(harness.composition.readiness[.drained] == 1)
            // What still arrives is served, on connections that stay open.
            let version = try await harness.send(.get, "/version")
            #expect(version.status == .ok && version.headers[.connection] == nil)
            _ = try await harness.start()
            let undo = DrainNode(node: "local", isUndone: true, isLastAllowed: false)
            #expect(try await administration.execute(undo).map(\.state) == ["starting"])
            #expect(try await harness.send(.get, "/readyz").status == .ok)
            _ = try await administration.execute(undo)
            let (drained, undrained) = (
                try await harness.audited("node.drained"), try await harness.audited("node.undrained")
            )
            #expect(drained.map(\.subject) == ["local"] && drained.map(\.detail) == ["by local even as the last"])
            #expect(undrained.map(\.subject) == ["local"] && undrained.map(\.detail) == ["by local"], "once")
        }
    }

    @Test(.ofOneDaemon(.ownHealth)) func `readyz shows a provider's outage and stays 200`() async throws {
        try await Harness.run { harness in
            harness.provider.fail(with: .unavailable(cause: "down"))
            for _ in 0..<2 { try await harness.open(harness.start()) }
            let response = try await harness.send(.get, "/readyz")
            #expect(response.status == .ok)
            #expect(try response.json()["providers"] as? [String: String] == ["mock": "degraded"])
            harness.provider.fail(with: nil)
            try await harness.open(harness.start())
            #expect(try await harness.send(.get, "/readyz").json()["providers"] as? [String: String] == ["mock": "ok"])
        }
    }

    @Test(arguments: [ProviderCircuit.closed, .open, .halfOpen])
    func `readyz and the metrics show a provider's circuit, and readyz stays 200`(
        _ circuit: ProviderCircuit
    ) async throws {
        try await Harness.run(.router, { $0.metrics.enabled = true }) { harness in
            harness.provider.switchCircuit(to: circuit)
            let response = try await harness.send(.get, "/readyz")
            #expect(response.status == .ok)
            #expect(try response.json()["circuits"] as? [String: String] == ["mock": circuit.rawValue])
            let text = try #require(harness.composition.metrics).text()
            for state in ProviderCircuit.allCases {
                let line = "vestibule_provider_circuit_state{provider=\"mock\",state=\"\(state.rawValue)\"} "
                #expect(text.contains(line + (state == circuit ? "1\n" : "0\n")))
            }
        }
    }

    @Test func `alive answers GET and HEAD with the same headers`() async throws {
        try await Harness.run { harness in
            let get = try await harness.send(.get, "/livez")
            let head = try await harness.send(.head, "/livez")
            #expect(get.status == .ok && head.status == .ok)
            #expect(get.headerNames == head.headerNames)
        }
    }

    @Test func `the version is the program's`() async throws {
        try await Harness.run { harness in
            let body = try await harness.send(.get, "/version").json()
            #expect(body as? [String: String] == ["name": "vestibule", "version": Version.number])
        }
    }

    // RFC 9110 §9.1: every server has GET and HEAD.
    @Test func `HEAD of the public documents has the type and length of GET`() async throws {
        try await Harness.run { harness in
            for path in ["jwks.json", "openid-configuration", "oauth-authorization-server"].map({ "/.well-known/\($0)" }
            ) {
                let get = try await harness.send(.get, path)
                let head = try await harness.send(.head, path)
                #expect(get.status == .ok && head.status == .ok, "\(path)")
                #expect(head.text.isEmpty && head.headers[.contentType] == get.headers[.contentType])
                #expect(head.headers[.contentLength] == String(get.text.utf8.count))
            }
        }
    }

    @Test func `attack: the JWKS holds the current and the next public key and no private members`() async throws {
        try await Harness.run { harness in
            let response = try await harness.send(.get, "/.well-known/jwks.json")
            #expect(response.status == .ok && response.headers[.cacheControl] == "public, max-age=300")
            let keys = try #require(try response.json()["keys"] as? [[String: String]])
            #expect(keys.count == 2, "the one that signs, and the next")
            for key in keys { #expect(Set(key.keys) == ["kty", "crv", "alg", "use", "kid", "x", "y"]) }
            #expect(keys.map { $0["kid"] } == harness.composition.keys.snapshot.keys.map(\.id.text))
        }
    }
}
