import Crypto
import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

struct CheckpointSignerTests {
    private let fixture: TokenFixture
    private let signer: CheckpointSigner
    private let claims = CheckpointClaims(
        node: "local",
        number: 42,
        hash: Digest256(Array(repeating: 7 as UInt8, count: 32)) ?? .zero,
        at: TokenFixture.now
    )

    init() throws {
        fixture = try TokenFixture()
        signer = try CheckpointSigner(fixture.folder)
    }

    @Test func `a signed checkpoint is read again, to the millisecond, also after a restart`() throws {
        let line = try signer.sign(claims)
        #expect(try signer.read(line) == claims)
        let later = try CheckpointSigner(TokenFixture.openFolder(fixture.home))
        #expect(try later.read(line) == claims)
        #expect(later.publicKey == signer.publicKey)
    }

    @Test func `the checkpoint of a chain without rows is read again, and one of a row before it is none`() throws {
        let empty = CheckpointClaims(node: "local", number: 0, hash: .zero, at: TokenFixture.now)
        #expect(try signer.read(try signer.sign(empty)) == empty)
        let before = CheckpointClaims(node: "local", number: -1, hash: .zero, at: TokenFixture.now)
        #expect(throws: TokenError.claims) { try signer.read(try signer.sign(before)) }
    }

    @Test func `a line with another signature is read without a check of it, and one of another key is not`() throws {
        let line = try signer.sign(claims)
        let parts = line.split(separator: ".")
        let forged = "\(parts[0]).\(parts[1]).\(String(repeating: "A", count: 86))"
        #expect(throws: TokenError.signature) { try signer.read(forged) }
        #expect(try signer.readUnverified(forged) == claims)
        let other = try CheckpointSigner(TokenFixture().folder)
        #expect(throws: TokenError.unknownKey) { try other.readUnverified(line) }
    }

    @Test func `rotating the ring leaves checkpoints readable`() throws {
        let line = try signer.sign(claims)
        try fixture.ring.rotate(now: TokenFixture.now)
        try fixture.ring.advance(now: TokenFixture.now + .seconds(10 * 365 * 86_400))
        #expect(try signer.read(line) == claims)
    }

    // RFC 8037 §3.1: anybody with the JWK can check a checkpoint, here with the library alone.
    @Test func `the public key verifies it without any secret`() throws {
        let line = try signer.sign(claims)
        let jwk = try #require(try JSONSerialization.jsonObject(with: Data(signer.publicKey.utf8)) as? [String: String])
        #expect(Set(jwk.keys) == ["alg", "crv", "kid", "kty", "use", "x"])
        let coordinate = try #require(jwk["x"])
        let point = try #require(Base64URL.decode(coordinate))
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: point)
        let parts = line.split(separator: ".").map(String.init)
        let signature = try #require(Base64URL.decode(parts[2]))
        #expect(key.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
        let header = try #require(Base64URL.decode(parts[0]))
        #expect(
            String(decoding: header, as: UTF8.self)
                == #"{"alg":"EdDSA","kid":"\#(jwk["kid"] ?? "")","typ":"audit-checkpoint+jwt"}"#
        )
    }

    // T-213
    @Test func `attack: a checkpoint with a changed claim, signature or header is refused`() throws {
        let parts = try signer.sign(claims).split(separator: ".").map(String.init)
        let other = try signer.sign(CheckpointClaims(node: "local", number: 43, hash: .zero, at: TokenFixture.now))
            .split(separator: ".").map(String.init)
        #expect(throws: TokenError.signature) { try signer.read("\(parts[0]).\(other[1]).\(parts[2])") }
        #expect(throws: TokenError.signature) { try signer.read("\(parts[0]).\(parts[1]).\(other[2])") }
        for text in ["", ".", "..", parts[0], "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])"] {
            #expect(throws: TokenError.self) { try signer.read(text) }
        }
    }

    // T-213
    @Test func `attack: another server's checkpoint is refused`() throws {
        let line = try CheckpointSigner(TokenFixture().folder).sign(claims)
        #expect(throws: TokenError.unknownKey) { try signer.read(line) }
    }

    // RFC 8725 §3.11: the explicit type keeps one kind of token from being taken for another.
    // T-088
    @Test func `attack: a token is not accepted as a checkpoint, nor a checkpoint as a token`() throws {
        let access = try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose()
        let refresh = fixture.issuer.sign(refresh: TokenFixture.refreshClaims()).expose()
        for token in [access, refresh] {
            #expect(throws: TokenError.wrongType) { try signer.read(token) }
        }
        let line = try signer.sign(claims)
        #expect(throws: TokenError.wrongType) { try fixture.verify(access: line) }
        #expect(throws: TokenError.wrongType) { try fixture.verify(refresh: line) }
    }
}
