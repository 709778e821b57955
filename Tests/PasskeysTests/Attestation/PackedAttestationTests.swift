import Crypto
import Foundation
import SwiftASN1
import Testing
import X509

@testable import Passkeys

@Suite struct PackedAttestationTests {
    private let format = PackedFormat()
    private let credential = TestCredential()
    private let attestationKey = P256.Signing.PrivateKey()
    private let root: TestAuthority

    init() throws { root = try TestAuthority() }

    @Test func `a certified statement gives its certificates`() throws {
        let result = try format.verify(try certified())
        #expect(result.type == .basic)
        #expect(result.trustPath.map(\.subject) == [.attestation()])
        #expect(result.model.isProven && result.serialNumber == nil)
    }

    @Test(
        arguments: [
            ([0x04, 0x02, 0x2A, 0x2B], false, nil), ([0x04, 0x02, 0x2A, 0x2B], true, .serialNumberExtension),
            ([0x04, 0x00], false, .serialNumberExtension), ([0x2A, 0x2B], false, .serialNumberExtension),
            ([0x0C, 0x02, 0x2A, 0x2B], false, .serialNumberExtension),
        ] as [([UInt8], Bool, AttestationError?)]
    )
    func `an enterprise's certificate has the device's number`(
        value: [UInt8],
        critical: Bool,
        fault: AttestationError?
    ) throws {
        let number = Certificate.Extension.test(SerialNumberExtension.identifier, value, critical: critical)
        let input = try certified(.packed().adding(number))
        #expect(format.fault(input) == fault)
        guard fault == nil else { return }
        let result = try format.verify(input)
        #expect(result.serialNumber == [0x2A, 0x2B])
    }

    @Test func `a credential that attests itself has no certificates`() throws {
        let result = try format.verify(try own())
        #expect(result == AttestationResult(.selfAttestation))
    }

    @Test func `a certificate for the model has its AAGUID`() throws {
        let model = Certificate.Extension.test(ModelExtension.identifier, [0x04, 0x10] + credential.aaguid)
        #expect(format.fault(try certified(.packed().adding(model))) == nil)
    }

    @Test(
        arguments: [
            ([0x04, 0x10] + Array(2...17), false, AttestationError.aaguidMismatch),
            ([0x04, 0x10] + Array(1...16), true, .aaguidExtensionCritical),
            (Array(1...16), false, .aaguidExtensionMalformed),
            ([0x04, 0x0F] + Array(1...15), false, .aaguidExtensionMalformed),
            ([0x04, 0x10] + Array(1...17), false, .aaguidExtensionMalformed),
        ] as [([UInt8], Bool, AttestationError)]
    )
    func `a certificate for another model is refused`(value: [UInt8], critical: Bool, fault: AttestationError) throws {
        let model = Certificate.Extension.test(ModelExtension.identifier, value, critical: critical)
        #expect(format.fault(try certified(.packed().adding(model))) == fault)
    }

    @Test(
        arguments: [
            ([:], ["x5c"], AttestationError.algorithmMismatch),
            ([:], ["sig"], .malformed),
            ([:], ["alg"], .malformed),
            (["more": .null], [], .malformed),
            (["alg": .text("ES256")], [], .malformed),
            (["sig": .text("")], [], .malformed),
            (["x5c": .bytes([])], [], .malformed),
            (["x5c": .array([.text("")])], [], .malformed),
            (["x5c": .array([])], [], .certificateCount),
            (["x5c": .array(Array(repeating: .bytes([0x30, 0]), count: 7))], [], .certificateCount),
            (["x5c": .array([.bytes([0x30, 0])])], [], .certificateUnreadable),
            // RS1 (RFC 8812 §2): SHA-1.
            (["alg": .negative(65_534)], [], .algorithmUnsupported),
            // Ed448.
            (["alg": .negative(52)], [], .algorithmUnsupported),
            // ES384 with a key on P-256.
            (["alg": .negative(34)], [], .algorithmMismatch),
            (["alg": .negative(256)], [], .algorithmMismatch),
            (["sig": .bytes([])], [], .signatureInvalid),
        ] as [([String: CBORValue], [String], AttestationError)]
    )
    func `a member that is wrong is refused`(
        changes: [String: CBORValue],
        missing: [String],
        fault: AttestationError
    ) throws {
        // Without certificates it is a statement of the credential about itself, and by another algorithm than its own.
        var members = try members(.packed()).merging(changes) { $1 }
        for name in missing { members[name] = nil }
        if missing == ["x5c"] { members["alg"] = .negative(34) }
        #expect(format.fault(try credential.input("packed", members)) == fault)
    }

    @Test func `a signature over anything else is refused`() throws {
        var members = try members(.packed())
        members["sig"] = try attestationKey.sign(credential.signedBytes + [0])
        #expect(format.fault(try credential.input("packed", members)) == .signatureInvalid)
        members["sig"] = try credential.key.sign(credential.signedBytes)
        #expect(format.fault(try credential.input("packed", members)) == .signatureInvalid)
    }

    @Test func `another key's signature does not count as self attestation`() throws {
        let signature = try attestationKey.sign(credential.signedBytes)
        let members: [String: CBORValue] = ["alg": .negative(6), "sig": signature]
        #expect(format.fault(try credential.input("packed", members)) == .signatureInvalid)
    }

    @Test func `the certificate is of version 3`() throws {
        var recipe = CertificateRecipe.packed()
        recipe.version = .v1
        recipe.extensions = []
        #expect(format.fault(try certified(recipe)) == .certificateVersion)
    }

    @Test(
        arguments: [
            (.RDNAttributeType.countryName, [], AttestationError.subjectCountry),
            (.RDNAttributeType.countryName, ["se"], .subjectCountry),
            (.RDNAttributeType.countryName, ["SWE"], .subjectCountry),
            (.RDNAttributeType.countryName, ["SE", "SE"], .subjectCountry),
            (.RDNAttributeType.organizationName, [], .subjectOrganization),
            (.RDNAttributeType.organizationName, [""], .subjectOrganization),
            (.RDNAttributeType.organizationalUnitName, [], .subjectUnit),
            (.RDNAttributeType.organizationalUnitName, ["authenticator attestation"], .subjectUnit),
            (.RDNAttributeType.organizationalUnitName, ["Authenticator Attestation", "Other"], .subjectUnit),
            (.RDNAttributeType.commonName, [], .subjectCommonName),
        ] as [(ASN1ObjectIdentifier, [String], AttestationError)]
    )
    func `the subject says who made the authenticator`(
        type: ASN1ObjectIdentifier,
        texts: [String],
        fault: AttestationError
    ) throws {
        var recipe = CertificateRecipe.packed()
        recipe.subject = .attestation([type: texts])
        #expect(format.fault(try certified(recipe)) == fault)
    }

    @Test(
        arguments: [[], [.test(BasicConstraints.isCertificateAuthority(maxPathLength: nil))]]
            as [[Certificate.Extension]]
    )
    func `the certificate says that it is not an authority`(extensions: [Certificate.Extension]) throws {
        var recipe = CertificateRecipe.packed()
        recipe.extensions = extensions
        #expect(format.fault(try certified(recipe)) == .certificateIsAuthority)
    }

    private func members(_ recipe: CertificateRecipe) throws -> [String: CBORValue] {
        let certificate = try root.issue(recipe, to: Certificate.PublicKey(attestationKey.publicKey))
        return [
            "alg": .negative(6), "sig": try attestationKey.sign(credential.signedBytes),
            "x5c": .array([.bytes(try certificate.der())]),
        ]
    }

    private func certified(_ recipe: CertificateRecipe = .packed()) throws -> AttestationInput {
        try credential.input("packed", try members(recipe))
    }

    private func own() throws -> AttestationInput {
        try credential.input("packed", ["alg": .negative(6), "sig": try credential.key.sign(credential.signedBytes)])
    }
}
