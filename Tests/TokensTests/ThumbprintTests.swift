import Crypto
import Foundation
import Kernel
import Testing

@testable import TokenReading

struct ThumbprintTests {
    @Test func `the thumbprint of RFC 7638 section 3_1 comes out`() {
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3okn"
            + "jhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6q"
            + "MQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJ"
            + "zKnqDKgw"
        let id = KeyID(thumbprintOf: [("e", "AQAB"), ("kty", "RSA"), ("n", modulus)])
        #expect(id.text == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    @Test func `the Ed25519 thumbprint of RFC 8037 A_3 comes out`() throws {
        let x = try #require(Base64URL.decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"))
        let key = VerificationKey.edDSA(try Curve25519.Signing.PublicKey(rawRepresentation: x))
        #expect(key.thumbprint.text == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }

    @Test func `the P-256 thumbprint is over crv, kty, x and y in that order`() throws {
        // The key of RFC 7515 A.3.
        let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
        let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
        let point = try #require(Base64URL.decode(x)) + #require(Base64URL.decode(y))
        let key = VerificationKey.es256(try P256.Signing.PublicKey(rawRepresentation: point))
        let canonical = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        #expect(key.thumbprint.text == Base64URL.encode(SHA256.hash(data: Data(canonical.utf8))))
    }

    @Test(arguments: [
        "", "../root.key", "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9X", String(repeating: "/", count: 43),
    ])
    func `a key id other than a thumbprint names no file`(text: String) {
        #expect(KeyID(text) == nil)
    }
}
