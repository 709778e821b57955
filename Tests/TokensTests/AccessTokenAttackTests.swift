import Crypto
import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

struct AccessTokenAttackTests {
    private let fixture: TokenFixture
    private let forge: Forge

    init() throws {
        fixture = try TokenFixture()
        forge = Forge(fixture: fixture)
    }

    private func refuses(
        _ token: String,
        _ refusal: TokenError,
        at now: Instant = TokenFixture.now,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: refusal, sourceLocation: location) { try fixture.verify(access: token, at: now) }
    }

    @Test func `the forge's untampered token is accepted, so that the rest of this suite means something`() throws {
        _ = try fixture.verify(access: try forge.signed())
        let inFull = forge.accessHeader.replacing("at+jwt", with: "application/at+jwt")
        _ = try fixture.verify(access: try forge.signed(header: inFull))
    }

    // MARK: The algorithm

    // T-087
    @Test(arguments: ["none", "None", "NONE", ""])
    func `an unsigned token is refused`(algorithm: String) throws {
        let header = forge.accessHeader.replacing("ES256", with: algorithm)
        refuses(Forge.input(header, forge.accessPayload()) + ".", .algorithm)
        refuses(try forge.signed(header: header), .algorithm)
    }

    // T-087
    @Test func `the public key's bytes do not work as an HMAC key`() throws {
        guard case .es256(let key) = fixture.ring.snapshot.current else {
            Issue.record("the bench signs with ES256")
            return
        }
        let header = forge.accessHeader.replacing("ES256", with: "HS256")
        let encodings: [Data] = [
            key.publicKey.rawRepresentation, key.publicKey.x963Representation, key.publicKey.derRepresentation,
            Data(key.publicKey.pemRepresentation.utf8), Data(fixture.ring.snapshot.jwks),
        ]
        for encoding in encodings {
            let token = Forge.hmac(header, forge.accessPayload(), key: SymmetricKey(data: encoding))
            refuses(token, .algorithm)
            let honestHeader = Forge.hmac(forge.accessHeader, forge.accessPayload(), key: SymmetricKey(data: encoding))
            refuses(honestHeader, .signature)
        }
    }

    // T-087
    @Test(arguments: ["ES384", "ES256K", "EdDSA", "RS256", "es256", "ES256 "])
    func `a token can't choose another algorithm than its key's`(algorithm: String) throws {
        refuses(try forge.signed(header: forge.accessHeader.replacing("ES256", with: algorithm)), .algorithm)
    }

    // MARK: The key

    // T-087
    @Test func `an unknown key is refused, and so is the wrong one of two`() throws {
        let outsider = try Forge(fixture: TokenFixture())
        refuses(try outsider.signed(), .unknownKey)
        refuses(try outsider.signed(header: forge.accessHeader), .signature)

        let old = try forge.signed()
        let oldID = forge.kid
        try fixture.ring.rotate(now: TokenFixture.now)
        #expect(forge.kid != oldID)
        refuses(try forge.signed(header: forge.accessHeader.replacing(forge.kid, with: oldID)), .signature)
        _ = try fixture.verify(access: old)
    }

    @Test func `a retired key verifies until its time is over, to the millisecond`() throws {
        let long = TokenFixture.accessClaims(lifetime: .seconds(86_400))
        let token = try fixture.issuer.sign(access: long).expose()
        try fixture.ring.rotate(now: TokenFixture.now)
        let end = TokenFixture.now + TokenFixture.retiredKeysVerifyFor
        #expect(try fixture.verify(access: token, at: end - .milliseconds(1)) == long)
        refuses(token, .retiredKey, at: end)
        #expect(try fixture.ring.advance(now: end).count == 1)
        refuses(token, .retiredKey, at: end)
    }

    @Test func `nothing is accepted that says it is signed by the next key, before it is`() throws {
        let next = try #require(fixture.ring.snapshot.ring.next)
        let header = forge.accessHeader.replacing(forge.kid, with: next.id.text)
        let input = Forge.input(header, forge.accessPayload())
        let signature = try #require(try next.key?.signature(for: Array(input.utf8)))
        let token = input + "." + Base64URL.encode(signature)
        refuses(token, .unknownKey)
        try fixture.ring.rotate(now: TokenFixture.now)
        _ = try fixture.verify(access: token)
    }

    // MARK: The signature

    // T-087
    @Test func `a signature that is flipped, cut, padded, doubled or missing is refused`() throws {
        let token = try forge.signed()
        let good = try Forge.signature(of: token)
        for index in good.indices {
            var flipped = good
            flipped[index] ^= 1 << UInt8(index % 8)
            refuses(Forge.resigned(token, flipped), .signature)
        }
        for wrong in [Array(good.dropLast()), Array(good.dropFirst()), good + [0], [0] + good, good + good, []] {
            refuses(Forge.resigned(token, wrong), .signature)
        }
    }

    @Test func `a DER signature is refused`() throws {
        let token = try forge.signed()
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try Forge.signature(of: token))
        refuses(Forge.resigned(token, signature.derRepresentation), .signature)
    }

    // T-087
    @Test func `zeros and the group order are not a signature (CVE-2022-21449)`() throws {
        let token = try forge.signed()
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
        let zero = [UInt8](repeating: 0, count: 32)
        let one = zero.dropLast() + [1]
        let good = try Forge.signature(of: token)
        for signature in [
            zero + zero, order + order, zero + one, one + zero, zero + good.suffix(32), good.prefix(32) + zero,
            good.prefix(32) + order, [UInt8](repeating: 0xFF, count: 64),
        ] {
            refuses(Forge.resigned(token, signature), .signature)
        }
    }

    // T-087
    @Test func `a changed payload or header is refused`() throws {
        let parts = Forge.parts(try forge.signed())
        let other = Base64URL.encode(Array(forge.accessPayload().utf8))
        refuses([parts[0], other, parts[2]].joined(separator: "."), .signature)
        let inFull = Base64URL.encode(Array(forge.accessHeader.replacing("at+jwt", with: "application/at+jwt").utf8))
        refuses([inFull, parts[1], parts[2]].joined(separator: "."), .signature)
    }

    // MARK: The header

    // T-087
    @Test func `header members that we never write are refused, crit above all`() throws {
        for member in [
            #""crit":["exp"]"#, #""crit":[]"#, #""crit":["b64"],"b64":false"#, #""jwk":{}"#,
            #""jku":"https://example.com/keys""#, #""x5c":[]"#, #""cty":"JWT""#,
        ] {
            refuses(try forge.signed(header: forge.accessHeader.dropLast() + ",\(member)}"), .header)
        }
    }

    @Test func `a header that lacks a member or has one of another type is refused`() throws {
        for header in [
            #"{"alg":"ES256","typ":"at+jwt"}"#, #"{"alg":"ES256","kid":"\#(forge.kid)"}"#,
            #"{"kid":"\#(forge.kid)","typ":"at+jwt"}"#, #"{"alg":["ES256"],"kid":"\#(forge.kid)","typ":"at+jwt"}"#,
            #"{"alg":"ES256","kid":null,"typ":"at+jwt"}"#, "{}",
        ] {
            refuses(try forge.signed(header: header), .header)
        }
    }

    @Test func `duplicate members and anything but a JSON object are malformed`() throws {
        let members = forge.accessHeader.dropFirst().dropLast()
        for header in [
            #"{"alg":"none",\#(members)}"#, #"{\#(members),"alg":"none"}"#, #"{\#(members),"\u0061lg":"ES256"}"#,
            #"{\#(members),"kid":"\#(forge.kid)"}"#, "[]", "\"x\"", "", forge.accessHeader + " x",
            forge.accessHeader + forge.accessHeader,
        ] {
            refuses(try forge.signed(header: header), .malformed)
        }
    }

    // T-088
    @Test(arguments: ["JWT", "at+JWT", "rt+jwt", "jwt", "application/jwt", "", "at+jwt;v=1"])
    func `another typ is refused`(type: String) throws {
        refuses(try forge.signed(header: forge.accessHeader.replacing("at+jwt", with: type)), .wrongType)
    }

    @Test func `oversized headers and tokens are refused`() throws {
        refuses(try forge.signed(header: forge.accessHeader + String(repeating: " ", count: 512)), .malformed)
        let large = TokenFixture.accessClaims(deviceID: String(repeating: "d", count: 8000))
        refuses(try fixture.issuer.sign(access: large).expose(), .malformed)
    }

    // MARK: The encoding

    @Test func `four parts, two parts, empty parts and stray text are malformed`() throws {
        let token = try forge.signed()
        let parts = Forge.parts(token)
        for text in [
            "", ".", "..", "...", "abc", token + ".", "." + token, token + "." + parts[2], parts[0] + "." + parts[1],
            parts[0] + ".." + parts[2], "." + parts[1] + "." + parts[2], " " + token, token + "\n",
            token + "=", "Bearer " + token, parts.joined(separator: "。"),
        ] {
            refuses(text, .malformed)
        }
    }

    @Test func `base64 that is padded, of the other alphabet or not canonical is malformed`() throws {
        let parts = Forge.parts(try forge.signed())
        // 64 bytes end in a digit of which only the top two bits count: its three neighbours decode alike elsewhere.
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = try #require(parts[2].last.flatMap { alphabet.firstIndex(of: $0) })
        #expect(last % 16 == 0)
        for stray in 1...15 {
            refuses("\(parts[0]).\(parts[1]).\(parts[2].dropLast())\(alphabet[last + stray])", .malformed)
        }
        refuses("\(parts[0]).\(parts[1]).\(parts[2])==", .malformed)
        refuses("\(parts[0])=.\(parts[1]).\(parts[2])", .malformed)
        refuses("\(parts[0]).\(parts[1]).+/\(parts[2].dropFirst(2))", .malformed)
        refuses("\(parts[0]).\(parts[1]).\(parts[2].dropFirst())", .malformed)
    }

    @Test func `a payload in base64 that is not canonical is malformed even when it is signed`() throws {
        let header = Base64URL.encode(Array(forge.accessHeader.utf8))
        let payload = Base64URL.encode(Array(forge.accessPayload().utf8)) + "=="
        let input = "\(header).\(payload)"
        let signature = try fixture.ring.snapshot.current.signature(for: Array(input.utf8))
        refuses("\(input).\(Base64URL.encode(signature))", .malformed)
    }
}
