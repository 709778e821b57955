import ArgumentParser
import Crypto
import CryptoExtras
import Foundation

/// The algorithm of a load run's assertions, as a JWT's header names it.
enum AssertionAlgorithm: String, CaseIterable, ExpressibleByArgument {
    case es256 = "ES256"
    case edDSA = "EdDSA"
    /// Of 2048 bits.
    case rs256 = "RS256"

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// Signs assertions of a client as JWTs (RFC 7523 §3, RFC 7515).
struct AssertionSigner {
    private let algorithm: AssertionAlgorithm
    /// The members of the public key that are its own kind's, as they stand in a JWK.
    private let members: String
    private let signature: (Data) throws -> Data

    /// The key of the file, or a new one that is there from now on.
    init(_ algorithm: AssertionAlgorithm, key file: URL) throws {
        self.algorithm = algorithm
        switch algorithm {
        case .es256:
            let key = try Self.kept(
                in: file,
                read: { try P256.Signing.PrivateKey(rawRepresentation: $0) },
                made: { P256.Signing.PrivateKey() },
                written: { $0.rawRepresentation }
            )
            // The two coordinates, 32 bytes each (RFC 7518 §6.2.1).
            let point = key.publicKey.rawRepresentation
            let (x, y) = (Data(point.prefix(32)).base64URL, Data(point.suffix(32)).base64URL)
            members = #""kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)""#
            signature = { try key.signature(for: $0).rawRepresentation }
        case .edDSA:
            let key = try Self.kept(
                in: file,
                read: { try Curve25519.Signing.PrivateKey(rawRepresentation: $0) },
                made: { Curve25519.Signing.PrivateKey() },
                written: { $0.rawRepresentation }
            )
            members = #""kty":"OKP","crv":"Ed25519","x":"\#(key.publicKey.rawRepresentation.base64URL)""#
            signature = { try key.signature(for: $0) }
        case .rs256:
            let key = try Self.kept(
                in: file,
                read: { try _RSA.Signing.PrivateKey(derRepresentation: $0) },
                made: { try _RSA.Signing.PrivateKey(keySize: .bits2048) },
                written: { $0.derRepresentation }
            )
            let numbers = try key.publicKey.getKeyPrimitives()
            let (n, e) = (numbers.modulus.base64URL, numbers.publicExponent.base64URL)
            members = #""kty":"RSA","n":"\#(n)","e":"\#(e)""#
            signature = { try key.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation }
        }
    }

    /// The public key as a JWK set (RFC 7517 §5).
    var keySet: String {
        #"{"keys":[{\#(members),"kid":"bench","use":"sig","alg":"\#(algorithm.rawValue)"}]}"#
    }

    /// Another assertion each time, good from `start` until `end`, in seconds since 1970.
    ///
    /// Nothing in it needs escaping.
    func sign(client: String, audience: String, from start: Int, until end: Int) throws -> String {
        let header = Data(#"{"alg":"\#(algorithm.rawValue)","kid":"bench","typ":"JWT"}"#.utf8).base64URL
        let (names, id) = (#""iss":"\#(client)","sub":"\#(client)","aud":"\#(audience)""#, UUID().uuidString)
        let claims = #"{\#(names),"iat":\#(start),"exp":\#(end),"jti":"\#(id)"}"#
        let signed = "\(header).\(Data(claims.utf8).base64URL)"
        return "\(signed).\(try signature(Data(signed.utf8)).base64URL)"
    }

    private static func kept<Key>(
        in file: URL,
        read: (Data) throws -> Key,
        made: () throws -> Key,
        written: (Key) -> Data
    ) throws -> Key {
        if FileManager.default.fileExists(atPath: file.path) { return try read(Data(contentsOf: file)) }
        let key = try made()
        try written(key).write(to: file)
        return key
    }
}

extension Data {
    /// Without padding (RFC 4648 §5).
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
