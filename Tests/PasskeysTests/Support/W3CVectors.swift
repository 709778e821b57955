import Foundation
import Kernel
import Testing

@testable import Passkeys

/// The test vectors of WebAuthn L3 §16, as they stand in Fixtures.
struct W3CVector: Sendable, CustomTestStringConvertible {
    /// The expectations of one of its two ceremonies.
    struct Expected: Sendable, Decodable {
        let challenge: String
        let rpId: String
        let origin: String
        let topOrigin: String?
        let crossOrigin: Bool
        let requireUserVerification: Bool
        let credentialPublicKeyCose: String?
        let credentialCurrentSignCount: UInt32?
    }

    struct Decoded: Sendable, Decodable {
        let fmt: String?
        let flags: UInt8
        let signCount: UInt32
        let aaguid: String?
        let credentialId: String?
        let cosePublicKey: String?
        let coseAlg: Int64?
    }

    private struct Ceremony: Decodable {
        let expected: Expected
        let decoded: Decoded
    }

    private struct Case: Decodable {
        let id: String
        let registration: Ceremony
        let authentication: Ceremony
    }

    private struct Root: Decodable {
        let certificate: String

        enum CodingKeys: String, CodingKey { case certificate = "attestation_ca_cert" }
    }

    private struct File: Decodable {
        let cases: [Case]
        let root: Root

        enum CodingKeys: String, CodingKey {
            case cases
            case root = "attestation_root"
        }
    }

    let id: String
    let registration: (expected: Expected, decoded: Decoded, json: JSONValue)
    let authentication: (expected: Expected, decoded: Decoded, json: JSONValue)

    var testDescription: String { id }

    /// Every one; none if the file can't be read, which a test would notice.
    static let all: [W3CVector] = (try? read()) ?? []

    /// The certificate that the attestations end at.
    static func root() throws -> [UInt8] {
        try #require([UInt8](hex: JSONDecoder().decode(File.self, from: data()).root.certificate))
    }

    private static func data() throws -> Data {
        try Data(contentsOf: #require(Bundle.module.url(forResource: "Fixtures/webauthn-l3", withExtension: "json")))
    }

    private static func read() throws -> [W3CVector] {
        let data = try data()
        let file = try JSONDecoder().decode(File.self, from: data)
        guard case .object(let root) = try JSONReader.read(Array(data)), case .array(let cases) = root["cases"] else {
            return []
        }
        return zip(file.cases, cases).compactMap { decoded, json in
            guard case .object(let members) = json, let registration = response(members["registration"]),
                let authentication = response(members["authentication"])
            else { return nil }
            return W3CVector(
                id: decoded.id,
                registration: (decoded.registration.expected, decoded.registration.decoded, registration),
                authentication: (decoded.authentication.expected, decoded.authentication.decoded, authentication)
            )
        }
    }

    private static func response(_ ceremony: JSONValue?) -> JSONValue? {
        guard case .object(let members) = ceremony else { return nil }
        return members["json"]
    }
}

extension W3CVector.Expected {
    func relyingParty() throws -> RelyingParty {
        try RelyingParty(
            id: rpId,
            name: "Example",
            origins: [Origin(origin)],
            frames: crossOrigin
                ? .allowed(topOrigins: try topOrigin.map { [try Origin($0)] } ?? [], unnamed: topOrigin == nil)
                : .refused
        )
    }

    func challengeBytes() throws -> [UInt8] { try #require(Base64URL.decode(challenge)) }
}
