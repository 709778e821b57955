import Crypto
import CryptoExtras
import Foundation
import Kernel

/// A client's key, and the tokens that it signs with it: right ones, and every kind of wrong.
struct ClientSigner: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case es256 = "ES256"
        case edDSA = "EdDSA"
        case ps256 = "PS256"
        case rs256 = "RS256"
    }

    let kind: Kind
    let kid: String?
    private let sign: @Sendable ([UInt8]) throws -> [UInt8]
    /// The public key's members.
    let jwk: [String: String]

    init(_ kind: Kind, kid: String? = nil) throws {
        self.kind = kind
        self.kid = kid
        var jwk = kid.map { ["kid": $0] } ?? [:]
        switch kind {
        case .es256:
            let key = P256.Signing.PrivateKey()
            let point = Array(key.publicKey.rawRepresentation)
            jwk.merge([
                "kty": "EC", "crv": "P-256", "x": Base64URL.encode(point.prefix(32)),
                "y": Base64URL.encode(point.suffix(32)),
            ]) { $1 }
            sign = { Array(try key.signature(for: $0).rawRepresentation) }
        case .edDSA:
            let key = Curve25519.Signing.PrivateKey()
            jwk.merge([
                "kty": "OKP", "crv": "Ed25519", "x": Base64URL.encode(Array(key.publicKey.rawRepresentation)),
            ]) { $1 }
            sign = { Array(try key.signature(for: $0)) }
        case .ps256, .rs256:
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let numbers = try key.publicKey.getKeyPrimitives()
            jwk.merge([
                "kty": "RSA", "n": Base64URL.encode(Array(numbers.modulus)),
                "e": Base64URL.encode(Array(numbers.publicExponent)),
            ]) { $1 }
            let padding: _RSA.Signing.Padding = kind == .ps256 ? .PSS : .insecurePKCS1v1_5
            sign = { Array(try key.signature(for: $0, padding: padding).rawRepresentation) }
        }
        self.jwk = jwk
    }

    /// The key set that a client registers.
    var keySet: String { Self.keySet([jwk]) }

    static func keySet(_ keys: [[String: String]]) -> String {
        let members = keys.map { key in
            "{" + key.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",") + "}"
        }
        return "{\"keys\":[\(members.joined(separator: ","))]}"
    }

    /// A token with those claims, and a header that may be changed.
    func token(_ claims: String, header changes: [String: String?] = [:]) throws -> String {
        var header: [String: String] = ["alg": kind.rawValue]
        header["kid"] = kid
        for (name, value) in changes { header[name] = value }
        let json =
            "{" + header.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
        let input = Base64URL.encode(Array((json + "}").utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        return input + "." + Base64URL.encode(try sign(Array(input.utf8)))
    }
}

/// The claims of an assertion: good ones, unless something is changed.
struct AssertionClaims {
    static let issuer = "https://login.example.com"
    static let now = Instant(milliseconds: 1_800_000_000_500)

    var iss: String? = "\"backend\""
    var sub: String? = "\"backend\""
    var aud: String? = "\"\(issuer)\""
    var exp: String? = "1800000060"
    var iat: String? = "1800000000"
    var nbf: String?
    var jti: String? = "\"one\""

    var json: String {
        let members = [
            ("iss", iss), ("sub", sub), ("aud", aud), ("exp", exp), ("iat", iat), ("nbf", nbf), ("jti", jti),
        ]
        return "{" + members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.joined(separator: ",")
            + "}"
    }

    static func with(_ change: (inout AssertionClaims) -> Void) -> String {
        var claims = AssertionClaims()
        change(&claims)
        return claims.json
    }
}
