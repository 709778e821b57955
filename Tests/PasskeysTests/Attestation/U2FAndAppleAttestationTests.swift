import Crypto
import Foundation
import Testing
import X509

@testable import Passkeys

@Suite struct FIDOU2FAttestationTests {
    private let format = FIDOU2FFormat()
    private let credential = TestCredential(aaguid: Array(repeating: 0, count: 16))
    private let attestationKey = P256.Signing.PrivateKey()

    @Test func `a signature over what U2F signs holds`() throws {
        let result = try format.verify(try credential.input("fido-u2f", try members()))
        #expect(result.type == .basic)
        #expect(result.trustPath.count == 1)
    }

    /// Each part of the message in turn (FIDO U2F Raw Message Formats §4.3).
    @Test(arguments: 0..<5)
    func `a signature over another message is refused`(part: Int) throws {
        var parts = try messageParts()
        parts[part][0] ^= 1
        var members = try members()
        members["sig"] = try attestationKey.sign(parts.flatMap { $0 })
        #expect(format.fault(try credential.input("fido-u2f", members)) == .signatureInvalid)
    }

    @Test func `there is one certificate and no more`() throws {
        var members = try members()
        let certificates = try #require(members["x5c"]?.elements)
        members["x5c"] = .array(certificates + certificates)
        #expect(format.fault(try credential.input("fido-u2f", members)) == .certificateCount)
        members["x5c"] = .array([])
        #expect(format.fault(try credential.input("fido-u2f", members)) == .certificateCount)
    }

    @Test func `an algorithm is not said`() throws {
        var members = try members()
        members["alg"] = .negative(6)
        #expect(format.fault(try credential.input("fido-u2f", members)) == .malformed)
    }

    @Test func `the certificate's key is on P-256`() throws {
        var members = try members()
        let key = P384.Signing.PrivateKey().publicKey
        let certificate = try TestAuthority().issue(.packed(), to: Certificate.PublicKey(key))
        members["x5c"] = .array([.bytes(try certificate.der())])
        #expect(format.fault(try credential.input("fido-u2f", members)) == .u2fKey)
    }

    @Test func `the credential's key is on P-256`() throws {
        let other = TestCredential(publicKeyBytes: TestCredential.cose(P384.Signing.PrivateKey().publicKey))
        #expect(format.fault(try other.input("fido-u2f", try members())) == .u2fKey)
    }

    @Test func `a certificate of another kind attests no U2F key`() throws {
        for identifier in [AndroidKeyDescription.identifier, AppleFormat.nonceExtension] {
            let foreign = try members(.packed().adding(.test(identifier, [0x30, 0x00])))
            #expect(format.fault(try credential.input("fido-u2f", foreign)) == .u2fCertificate)
        }
        let authority = try members(.authority("Vendor"))
        #expect(format.fault(try credential.input("fido-u2f", authority)) == .u2fCertificate)
        // Old ones say nothing of what they are for.
        let silent = try members(CertificateRecipe(subject: .test(commonName: "Old Key"), extensions: []))
        #expect(format.fault(try credential.input("fido-u2f", silent)) == nil)
    }

    @Test func `an AAGUID that nobody signed is not the model's`() throws {
        let result = try format.verify(try credential.input("fido-u2f", try members()))
        #expect(result.model == .unknown)
        let named = TestCredential(key: credential.key, aaguid: Array(1...16))
        let claimed = try format.verify(try named.input("fido-u2f", try members()))
        #expect(claimed.model == .unknown)
    }

    @Test func `the certificate may tell the model, and no other is claimed then`() throws {
        let model = Array(UInt8(1)...16)
        let members = try members(
            .packed().adding(.test(ModelExtension.identifier, [0x04, 0x10] + model))
        )
        let proven = AttestedModel.proven(try #require(AAGUID(model)))
        let silent = try format.verify(try credential.input("fido-u2f", members))
        #expect(silent.model == proven)
        let same = try format.verify(try TestCredential(key: credential.key, aaguid: model).input("fido-u2f", members))
        #expect(same.model == proven)
        let other = TestCredential(key: credential.key, aaguid: Array(2...17))
        #expect(format.fault(try other.input("fido-u2f", members)) == .aaguidMismatch)
    }

    private func messageParts() throws -> [[UInt8]] {
        [
            [0], credential.rpIDHash, credential.clientDataHash, credential.id,
            Array(credential.key.publicKey.x963Representation),
        ]
    }

    private func members(_ recipe: CertificateRecipe = .packed()) throws -> [String: CBORValue] {
        let certificate = try TestAuthority().issue(recipe, to: Certificate.PublicKey(attestationKey.publicKey))
        return [
            "sig": try attestationKey.sign(try messageParts().flatMap { $0 }),
            "x5c": .array([.bytes(try certificate.der())]),
        ]
    }
}

@Suite struct AppleAttestationTests {
    private let format = AppleFormat()
    private let credential = TestCredential()

    @Test func `a certificate made for the credential and its data holds`() throws {
        let result = try format.verify(try input(nonce()))
        #expect(result.type == .anonymizationCA)
        #expect(result.trustPath.count == 1)
    }

    @Test(
        arguments: [
            // Without the tag, with another tag, with a byte behind it, and no DER.
            [0x30, 0x22, 0x04, 0x20] + Array(repeating: 0, count: 32),
            [0x30, 0x24, 0xA2, 0x22, 0x04, 0x20] + Array(repeating: 0, count: 32),
            [0x30, 0x24, 0xA1, 0x22, 0x04, 0x20] + Array(repeating: 0, count: 33),
            [1, 2, 3],
        ] as [[UInt8]]
    )
    func `a nonce that can't be read is none`(value: [UInt8]) throws {
        #expect(format.fault(try input(value)) == .appleNonceMissing)
    }

    @Test func `a certificate without a nonce is refused`() throws {
        #expect(format.fault(try input(nil)) == .appleNonceMissing)
    }

    @Test func `a nonce of other data is refused`() throws {
        var value = nonce()
        value[value.count - 1] ^= 1
        #expect(format.fault(try input(value)) == .appleNonce)
    }

    @Test func `a certificate of another key is refused`() throws {
        let other = P256.Signing.PrivateKey().publicKey
        #expect(format.fault(try input(nonce(), key: other)) == .publicKeyMismatch)
    }

    @Test func `there is nothing but certificates`() throws {
        let certificate = try TestAuthority().certificate
        let members: [String: CBORValue] = ["alg": .negative(6), "x5c": .array([.bytes(try certificate.der())])]
        #expect(format.fault(try credential.input("apple", members)) == .malformed)
    }

    private func nonce() -> [UInt8] {
        [0x30, 0x24, 0xA1, 0x22, 0x04, 0x20] + Array(SHA256.hash(data: credential.signedBytes))
    }

    private func input(_ nonce: [UInt8]?, key: P256.Signing.PublicKey? = nil) throws -> AttestationInput {
        var recipe = CertificateRecipe.packed()
        if let nonce { recipe = recipe.adding(.test(AppleFormat.nonceExtension, nonce)) }
        let certificate = try TestAuthority()
            .issue(recipe, to: Certificate.PublicKey(key ?? credential.key.publicKey))
        return try credential.input("apple", ["x5c": .array([.bytes(try certificate.der())])])
    }
}
