import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

struct KeySetTests {
    private struct KeySet: Decodable {
        var keys: [[String: String]]
    }

    private func published(_ fixture: TokenFixture) throws -> [[String: String]] {
        try JSONDecoder().decode(KeySet.self, from: Data(fixture.ring.snapshot.jwks)).keys
    }

    @Test func `an ES256 key is published with these members and no other`() throws {
        let fixture = try TokenFixture()
        let key = try #require(try published(fixture).first)
        #expect(key.keys.sorted() == ["alg", "crv", "kid", "kty", "use", "x", "y"])
        #expect(key["kty"] == "EC" && key["crv"] == "P-256" && key["alg"] == "ES256" && key["use"] == "sig")
        #expect(key["kid"] == fixture.ring.snapshot.keys[0].id.text)
        #expect(try #require(key["x"].flatMap { Base64URL.decode($0) }).count == 32)
        #expect(try #require(key["y"].flatMap { Base64URL.decode($0) }).count == 32)
    }

    @Test func `an Ed25519 key is published with these members and no other`() throws {
        let fixture = try TokenFixture(.edDSA)
        let key = try #require(try published(fixture).first)
        #expect(key.keys.sorted() == ["alg", "crv", "kid", "kty", "use", "x"])
        #expect(key["kty"] == "OKP" && key["crv"] == "Ed25519" && key["alg"] == "EdDSA" && key["use"] == "sig")
        #expect(try #require(key["x"].flatMap { Base64URL.decode($0) }).count == 32)
    }

    @Test func `an RSA key is published with these members and no other`() throws {
        let fixture = try TokenFixture(.rs256)
        let key = try #require(try published(fixture).first)
        #expect(key.keys.sorted() == ["alg", "e", "kid", "kty", "n", "use"])
        #expect(key["kty"] == "RSA" && key["e"] == "AQAB" && key["alg"] == "RS256" && key["use"] == "sig")
        #expect(try #require(key["n"].flatMap { Base64URL.decode($0) }).count == 256)
    }

    @Test
    func `the signing key stands first, then the next, then the last that retired, and a restart changes no byte`()
        throws
    {
        let fixture = try TokenFixture()
        let first = fixture.ring.snapshot.keys[0].id
        let second = try fixture.ring.rotate(now: TokenFixture.now + .seconds(1))
        let third = try fixture.ring.rotate(now: TokenFixture.now + .seconds(2))
        let next = fixture.ring.snapshot.keys[1].id
        #expect(try published(fixture).map { $0["kid"] } == [third.text, next.text, second.text, first.text])
        #expect(try TokenFixture(home: fixture.home).ring.snapshot.jwks == fixture.ring.snapshot.jwks)
    }

    @Test func `a key is published before it signs, until its last token has expired, and not a moment longer`() throws
    {
        let fixture = try TokenFixture()
        let old = fixture.ring.snapshot.keys[0].id
        let new = fixture.ring.snapshot.keys[1].id
        #expect(try published(fixture).map { $0["kid"] } == [old.text, new.text])
        #expect(try fixture.ring.rotate(now: TokenFixture.now) == new)
        let end = TokenFixture.now + TokenFixture.retiredKeysVerifyFor
        #expect(try fixture.ring.advance(now: end - .milliseconds(1)).isEmpty)
        #expect(try published(fixture).count == 3)
        #expect(try fixture.ring.advance(now: end) == [.retired(old)])
        #expect(try published(fixture).map { $0["kid"] } == [new.text, fixture.ring.snapshot.keys[1].id.text])
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `published keys are read back as the same keys`(algorithm: SigningAlgorithm) throws {
        let fixture = try TokenFixture(algorithm)
        let keys = try #require(PublishedKeys(fixture.ring.snapshot.jwks))
        #expect(keys.count == 2)
        for summary in fixture.ring.snapshot.keys {
            #expect(keys[summary.id.text]?.thumbprint == summary.id)
            #expect(keys[summary.id.text]?.algorithm == algorithm)
        }
        #expect(keys[""] == nil)
    }

    // T-204
    @Test func `keys that don't match their members are skipped, and an invalid set is refused`() throws {
        let fixture = try TokenFixture()
        let good = try #require(try published(fixture).first)
        func set(_ name: String, _ value: String?) throws -> PublishedKeys? {
            var key = good
            key[name] = value
            let other = ["kty": "oct", "k": "c2VjcmV0", "kid": "x", "alg": "HS256", "use": "sig"]
            return PublishedKeys(Array(try JSONEncoder().encode(["keys": [key, other]])))
        }
        #expect(try set("kty", "EC")?.count == 1)
        let changes: [(String, String?)] = [
            ("alg", "EdDSA"), ("alg", "HS256"), ("alg", nil), ("use", "enc"), ("use", nil), ("kty", "OKP"),
            ("crv", "P-384"), ("kid", "1"), ("kid", nil), ("x", "AA"), ("y", good["x"]),
        ]
        for (name, value) in changes { #expect(try set(name, value)?.count == 0, "\(name) \(value ?? "-")") }
        let text = String(decoding: try JSONEncoder().encode(good), as: UTF8.self)
        for document in [
            "", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[\#(text),\#(text)]}"#, #"{"keys":[],"keys":[]}"#,
            #"{"keys":[\#(Array(repeating: "{}", count: 65).joined(separator: ","))]}"#,
        ] {
            #expect(PublishedKeys(Array(document.utf8)) == nil, "\(document.prefix(40))")
        }
        #expect(PublishedKeys(Array(#"{"keys":[1,null,"x",{}]}"#.utf8))?.count == 0)
    }
}
