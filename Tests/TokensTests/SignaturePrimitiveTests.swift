import Crypto
import CryptoExtras
import Foundation
import JWTKit
import Kernel
import Testing
import TokenReading

@testable import Tokens

struct SignaturePrimitiveTests {
    @Test func `no new key has an id that a command would take for an option`() throws {
        // One in 64 would begin with a hyphen.
        for _ in 0..<1000 {
            #expect(try !SigningKey.generate(.edDSA).verificationKey.thumbprint.text.hasPrefix("-"))
        }
    }

    // T-087
    @Test func `the signature of RFC 8037 A_4 verifies, and not when one bit differs`() throws {
        let compact =
            "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
            + ".hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        let parts = Forge.parts(compact)
        let message = Array((parts[0] + "." + parts[1]).utf8)
        var signature = try Forge.signature(of: compact)
        let x = try #require(Base64URL.decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"))
        let key = VerificationKey.edDSA(try Curve25519.Signing.PublicKey(rawRepresentation: x))
        #expect(key.isValid(signature, for: message))
        signature[10] ^= 1
        #expect(!key.isValid(signature, for: message))
    }

    // T-087
    @Test func `the signature of RFC 7515 A_3 verifies`() throws {
        let compact =
            "eyJhbGciOiJFUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
        let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
        let point = try #require(Base64URL.decode(x)) + #require(Base64URL.decode(y))
        let key = VerificationKey.es256(try P256.Signing.PublicKey(rawRepresentation: point))
        let message = Array(Forge.parts(compact).prefix(2).joined(separator: ".").utf8)
        #expect(key.isValid(try Forge.signature(of: compact), for: message))
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `a key reads back from its PEM as the same key`(algorithm: SigningAlgorithm) throws {
        let key = try SigningKey.generate(algorithm)
        let again = try #require(SigningKey(pem: key.pem, algorithm: algorithm))
        #expect(again.verificationKey.thumbprint == key.verificationKey.thumbprint)
        #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(key.pem.hasSuffix("-----END PRIVATE KEY-----\n"))
    }

    @Test func `another implementation reads our PEM files as the same keys`() throws {
        let p256 = try SigningKey.generate(.es256)
        let parsedP256 = try ES256PrivateKey(pem: p256.pem)
        #expect(
            SigningKey(pem: parsedP256.pemRepresentation, algorithm: .es256)?.verificationKey.thumbprint
                == p256.verificationKey.thumbprint
        )

        let ed25519 = try SigningKey.generate(.edDSA)
        let parsedEd25519 = try EdDSA.PrivateKey(pem: ed25519.pem)
        #expect(
            SigningKey(pem: parsedEd25519.pemRepresentation, algorithm: .edDSA)?.verificationKey.thumbprint
                == ed25519.verificationKey.thumbprint
        )
    }

    @Test func `a PEM of the other algorithm, or none at all, is not read as a key`() throws {
        #expect(try SigningKey(pem: SigningKey.generate(.edDSA).pem, algorithm: .es256) == nil)
        #expect(try SigningKey(pem: SigningKey.generate(.es256).pem, algorithm: .edDSA) == nil)
        #expect(try SigningKey(pem: SigningKey.generate(.rs256).pem, algorithm: .es256) == nil)
        #expect(try SigningKey(pem: SigningKey.generate(.es256).pem, algorithm: .rs256) == nil)
        let small = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024))
        #expect(SigningKey(pem: small.pkcs8PEMRepresentation, algorithm: .rs256) == nil, "RFC 7518 §3.3")
        for algorithm in SigningAlgorithm.allCases {
            #expect(SigningKey(pem: "", algorithm: algorithm) == nil)
            #expect(
                try SigningKey(pem: String(SigningKey.generate(algorithm).pem.dropLast(40)), algorithm: algorithm)
                    == nil
            )
        }
    }
}
