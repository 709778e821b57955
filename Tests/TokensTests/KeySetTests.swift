import Foundation
import Kernel
import Testing

@testable import Tokens

struct KeySetTests {
    private struct KeySet: Decodable {
        var keys: [[String: String]]
    }

    private func published(_ bench: TokenBench) throws -> [[String: String]] {
        try JSONDecoder().decode(KeySet.self, from: Data(bench.ring.snapshot.jwks)).keys
    }

    @Test func `an ES256 key is published with these members and no other`() throws {
        let bench = try TokenBench()
        let key = try #require(try published(bench).first)
        #expect(key.keys.sorted() == ["alg", "crv", "kid", "kty", "use", "x", "y"])
        #expect(key["kty"] == "EC" && key["crv"] == "P-256" && key["alg"] == "ES256" && key["use"] == "sig")
        #expect(key["kid"] == bench.ring.snapshot.keys[0].id.text)
        #expect(try #require(key["x"].flatMap { Base64URL.decode($0) }).count == 32)
        #expect(try #require(key["y"].flatMap { Base64URL.decode($0) }).count == 32)
    }

    @Test func `an Ed25519 key is published with these members and no other`() throws {
        let bench = try TokenBench(.edDSA)
        let key = try #require(try published(bench).first)
        #expect(key.keys.sorted() == ["alg", "crv", "kid", "kty", "use", "x"])
        #expect(key["kty"] == "OKP" && key["crv"] == "Ed25519" && key["alg"] == "EdDSA" && key["use"] == "sig")
        #expect(try #require(key["x"].flatMap { Base64URL.decode($0) }).count == 32)
    }

    @Test func `the signing key stands first, then the last retired, and the bytes are the same after a restart`()
        throws
    {
        let bench = try TokenBench()
        let first = bench.ring.snapshot.keys[0].id
        let second = try bench.ring.rotate(now: TokenBench.now + .seconds(1))
        let third = try bench.ring.rotate(now: TokenBench.now + .seconds(2))
        #expect(try published(bench).map { $0["kid"] } == [third.text, second.text, first.text])
        #expect(try TokenBench(home: bench.home).ring.snapshot.jwks == bench.ring.snapshot.jwks)
    }

    @Test func `a pruned key is published no more`() throws {
        let bench = try TokenBench()
        let old = bench.ring.snapshot.keys[0].id
        let new = try bench.ring.rotate(now: TokenBench.now)
        let end = TokenBench.now + TokenBench.retiredKeysVerifyFor
        #expect(try bench.ring.prune(now: end - .milliseconds(1)).isEmpty)
        #expect(try published(bench).count == 2)
        #expect(try bench.ring.prune(now: end) == [old])
        #expect(try published(bench).map { $0["kid"] } == [new.text])
    }
}
