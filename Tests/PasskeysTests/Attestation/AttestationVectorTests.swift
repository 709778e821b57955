import Crypto
import Foundation
import Kernel
import Testing
import X509

@testable import Passkeys

/// The attestations among the specification's examples (WebAuthn L3, Test Vectors), each to the specification's own root.
@Suite struct AttestationVectorTests {
    private static let now = Instant.test("2026-11-22")

    /// Every one with certificates, but the one whose credential is an Ed448 key, which is not taken.
    static let certified: [(String, AttestationType)] = [
        ("packed-es256", .basic), ("packed-es384", .basic), ("packed-es512", .basic), ("packed-rs256", .basic),
        ("packed-eddsa", .basic), ("tpm-es256", .basic), ("android-key-es256", .basic),
        ("apple-es256", .anonymizationCA), ("fido-u2f-es256", .basic),
    ]

    @Test(arguments: certified)
    func `a certified example holds and leads to its root`(id: String, type: AttestationType) async throws {
        let vectors = try AttestationVectors()
        let input = try vectors.input(id)
        let result = try vectors.format(of: input).verify(input)
        #expect(result.type == type)
        let trust = AttestationTrust(anchors: try vectors.anchors())
        let chain = try await trust.assess(
            result.trustPath,
            format: input.statement.format,
            model: result.model,
            at: Self.now
        )
        #expect(try chain.last?.der() == vectors.root)
        let others = AttestationTrust(anchors: TrustAnchors())
        await #expect(throws: TrustError.untrusted) {
            try await others.assess(result.trustPath, format: input.statement.format, model: result.model, at: Self.now)
        }
    }

    @Test(arguments: [("none-es256", AttestationType.none), ("packed-self-es256", .selfAttestation)])
    func `an example without certificates holds`(id: String, type: AttestationType) throws {
        let vectors = try AttestationVectors()
        let input = try vectors.input(id)
        #expect(try vectors.format(of: input).verify(input) == AttestationResult(type))
    }

    @Test(arguments: certified.map(\.0) + ["packed-self-es256"])
    func `no example holds for other client data`(id: String) throws {
        let vectors = try AttestationVectors()
        let input = try vectors.input(id, clientDataHash: Array(SHA256.hash(data: [1])))
        let fault = try vectors.format(of: input).fault(input)
        let expected: AttestationError =
            switch id {
            case "tpm-es256": .tpmExtraData
            case "apple-es256": .appleNonce
            default: .signatureInvalid
            }
        #expect(fault == expected)
    }

    @Test func `the example of Android is a key of the system's software`() throws {
        let vectors = try AttestationVectors()
        let input = try vectors.input("android-key-es256")
        #expect(AndroidKeyFormat(.hardware).fault(input) == .androidSecurityLevel)
    }
}

/// The specification's examples, as far as attestations go.
struct AttestationVectors {
    /// In DER.
    let root: [UInt8]
    private let cases: [String: [String: JSONValue]]

    init() throws {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/webauthn-l3", withExtension: "json"))
        let document = try JSONReader.read(Array(try Data(contentsOf: url)))
        root = try #require(document["attestation_root"]?["attestation_ca_cert"]?.hexadecimal)
        guard case .array(let elements)? = document["cases"] else { throw MalformedJSONError() }
        var cases: [String: [String: JSONValue]] = [:]
        for element in elements {
            guard case .string(let id)? = element["id"], case .object(let raw)? = element["registration"]?["raw"] else {
                throw MalformedJSONError()
            }
            cases[id] = raw
        }
        self.cases = cases
    }

    func anchors() throws -> TrustAnchors { try TrustAnchors(files: [.init(name: "root.der", bytes: root)]) }

    /// Among all formats, with Android keys of any sort.
    func format(of input: AttestationInput) throws -> any AttestationFormat {
        try #require(
            AttestationFormats.formats(androidKeys: .any).first {
                $0.identifier == input.statement.format
            }
        )
    }

    func input(_ id: String, clientDataHash: [UInt8]? = nil) throws -> AttestationInput {
        let raw = try #require(cases[id])
        let object = try AttestationObject(try #require(raw["attestationObject"]?.hexadecimal))
        let credential = try #require(object.authenticatorData.credential)
        let clientData = try #require(raw["clientDataJSON"]?.hexadecimal)
        return AttestationInput(
            statement: object.statement,
            authenticatorData: object.authenticatorData,
            credential: credential,
            publicKey: try COSEKey(credential.publicKeyBytes),
            clientDataHash: clientDataHash ?? Array(SHA256.hash(data: clientData)),
            now: .test("2026-11-22")
        )
    }
}

extension JSONValue {
    fileprivate subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    fileprivate var hexadecimal: [UInt8]? {
        guard case .string(let text) = self else { return nil }
        let digits = Array(text)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }
}
