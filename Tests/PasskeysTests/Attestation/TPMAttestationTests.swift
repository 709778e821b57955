import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import Testing
import X509

@testable import Passkeys

@Suite struct TPMAttestationTests {
    private let format = TPMFormat(.sha2)

    @Test func `a key that a TPM certified holds`() throws {
        let result = try format.verify(try TPMStatement().input())
        #expect(result.type == .basic)
        #expect(result.trustPath.count == 1)
    }

    @Test(arguments: [[0, 0, 0, 0], [0, 1, 0, 1]] as [[UInt8]])
    func `an RSA key holds, with its exponent written or not`(exponent: [UInt8]) throws {
        let modulus = [0x80] + [UInt8](repeating: 1, count: 255)
        var statement = TPMStatement(TestCredential(publicKeyBytes: TestCredential.cose(modulus: modulus)))
        statement.publicArea = TPMStatement.rsa(modulus: modulus, exponent: exponent)
        #expect(format.fault(try statement.input()) == nil)
        statement.publicArea = TPMStatement.rsa(modulus: modulus, exponent: [0, 1, 0, 3])
        #expect(format.fault(try statement.input()) == .publicKeyMismatch)
    }

    @Test func `the structures are those of version 2`() throws {
        var statement = TPMStatement()
        statement.version = "1.2"
        #expect(format.fault(try statement.input()) == .tpmVersion)
    }

    @Test func `a public area that can't be read is refused`() throws {
        var statement = TPMStatement()
        statement.publicArea += [0]
        #expect(format.fault(try statement.input()) == .tpmPublicArea)
    }

    @Test func `the public area is that of the credential's key`() throws {
        var statement = TPMStatement()
        statement.publicArea = TPMStatement.ellipticCurve(P256.Signing.PrivateKey().publicKey)
        #expect(format.fault(try statement.input()) == .publicKeyMismatch)
        statement.publicArea = TPMStatement.ellipticCurve(statement.credential.key.publicKey, curve: 0x04)
        #expect(format.fault(try statement.input()) == .publicKeyMismatch)
    }

    @Test func `a name made with SHA-1 is not relied on`() throws {
        var statement = TPMStatement()
        statement.publicArea = TPMStatement.ellipticCurve(statement.credential.key.publicKey, nameAlgorithm: 0x04)
        statement.name = [0x00, 0x04] + Array(Insecure.SHA1.hash(data: statement.publicArea))
        #expect(format.fault(try statement.input()) == .tpmNameAlgorithm)
    }

    @Test func `a name made with a longer hash holds`() throws {
        var statement = TPMStatement()
        statement.publicArea = TPMStatement.ellipticCurve(statement.credential.key.publicKey, nameAlgorithm: 0x0C)
        statement.name = [0x00, 0x0C] + Array(SHA384.hash(data: statement.publicArea))
        #expect(format.fault(try statement.input()) == nil)
    }

    @Test func `the certified name is that of the public area`() throws {
        var statement = TPMStatement()
        let other = TPMStatement.ellipticCurve(P256.Signing.PrivateKey().publicKey)
        statement.name = [0x00, 0x0B] + Array(SHA256.hash(data: other))
        #expect(format.fault(try statement.input()) == .tpmName)
        statement.name = Array(SHA256.hash(data: statement.publicArea))
        #expect(format.fault(try statement.input()) == .tpmName)
    }

    @Test func `only what a TPM made itself counts`() throws {
        var statement = TPMStatement()
        statement.magic[0] ^= 1
        #expect(format.fault(try statement.input()) == .tpmMagic)
    }

    @Test func `a TPM signs much else`() throws {
        var statement = TPMStatement()
        // TPM_ST_ATTEST_QUOTE
        statement.type = [0x80, 0x18]
        #expect(format.fault(try statement.input()) == .tpmType)
    }

    @Test func `an attestation of other data is refused`() throws {
        var statement = TPMStatement()
        statement.extraData = Array(SHA256.hash(data: statement.credential.signedBytes + [0]))
        #expect(format.fault(try statement.input()) == .tpmExtraData)
    }

    @Test func `bytes behind the certified ones are refused`() throws {
        var statement = TPMStatement()
        statement.behind = [0]
        #expect(format.fault(try statement.input()) == .tpmCertInfo)
    }

    @Test func `a signature of another key is refused`() throws {
        var statement = TPMStatement()
        statement.signature = try P256.Signing.PrivateKey().sign(statement.certInfo)
        #expect(format.fault(try statement.input()) == .signatureInvalid)
    }

    @Test func `an algorithm of other keys is refused`() throws {
        var statement = TPMStatement()
        statement.algorithm = .negative(256)
        #expect(format.fault(try statement.input()) == .algorithmMismatch)
        statement.algorithm = .negative(65_534)
        #expect(TPMFormat(.sha1).fault(try statement.input()) == .algorithmMismatch)
    }

    @Test(arguments: [
        (COSEAlgorithm.rs256, 32), (.rs384, 48), (.rs512, 64), (.ps256, 32), (.ps384, 48), (.ps512, 64), (.es256, 32),
        (.es384, 48), (.es512, 64),
    ])
    func `the data are hashed by the algorithm's own hash`(_ algorithm: COSEAlgorithm, _ length: Int) throws {
        let digest = try TPMAlgorithm(algorithm.rawValue, .sha2).digest([1, 2, 3])
        let message: [UInt8] = [1, 2, 3]
        let hashes = [
            32: Array(SHA256.hash(data: message)), 48: Array(SHA384.hash(data: message)),
            64: Array(SHA512.hash(data: message)),
        ]
        #expect(digest == hashes[length])
    }

    @Test(arguments: [COSEAlgorithm.edDSA, .mlDSA65, .mlDSA87])
    func `no TPM signs by EdDSA or ML-DSA`(_ algorithm: COSEAlgorithm) throws {
        #expect(throws: AttestationError.algorithmUnsupported) {
            try TPMAlgorithm(algorithm.rawValue, .sha2).digest([1])
        }
    }

    @Test func `an RSA key of the TPM attests with SHA-384 and SHA-512, and with no other hash than it names`() throws {
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        var statement = TPMStatement()
        statement.certificateKey = Certificate.PublicKey(rsa.publicKey)
        statement.algorithm = .negative(257)
        statement.extraData = Array(SHA384.hash(data: statement.credential.signedBytes))
        let digest = SHA384.hash(data: statement.certInfo)
        statement.signature = .bytes(
            Array(try rsa.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
        )
        #expect(format.fault(try statement.input()) == nil)
        statement.algorithm = .negative(258)
        #expect(format.fault(try statement.input()) == .signatureInvalid)
        statement.algorithm = .negative(37)
        #expect(format.fault(try statement.input()) == .signatureInvalid)
    }

    @Test func `SHA-1 is taken only where somebody said so`() throws {
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        var statement = TPMStatement()
        statement.certificateKey = Certificate.PublicKey(rsa.publicKey)
        statement.algorithm = .negative(65_534)
        statement.extraData = Array(Insecure.SHA1.hash(data: statement.credential.signedBytes))
        let sign = { (bytes: [UInt8]) throws -> CBORValue in
            let digest = Insecure.SHA1.hash(data: bytes)
            return .bytes(Array(try rsa.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation))
        }
        statement.signature = try sign(statement.certInfo)
        #expect(format.fault(try statement.input()) == .algorithmUnsupported)
        #expect(TPMFormat(.sha1).fault(try statement.input()) == nil)
        statement.signature = try sign(statement.certInfo + [0])
        #expect(TPMFormat(.sha1).fault(try statement.input()) == .signatureInvalid)
        // The data are hashed as the signature is.
        statement.extraData = Array(SHA256.hash(data: statement.credential.signedBytes))
        statement.signature = try sign(statement.certInfo)
        #expect(TPMFormat(.sha1).fault(try statement.input()) == .tpmExtraData)
    }

    @Test func `the certificate is of version 3`() throws {
        var statement = TPMStatement()
        statement.recipe.version = .v1
        statement.recipe.extensions = []
        #expect(format.fault(try statement.input()) == .certificateVersion)
    }

    @Test func `the certificate has no subject`() throws {
        var statement = TPMStatement()
        statement.recipe.subject = .test(commonName: "Example TPM")
        #expect(format.fault(try statement.input()) == .tpmSubjectNotEmpty)
    }

    @Test(
        arguments: [
            nil,
            [.dnsName("example.com")],
            [.directoryName(.tpm(["2.23.133.2.1": []]))],
            [.directoryName(.tpm(["2.23.133.2.1": ["4E544300"]]))],
            [.directoryName(.tpm(["2.23.133.2.1": ["id:4E5443"]]))],
            [.directoryName(.tpm(["2.23.133.2.1": ["id:4E54430G"]]))],
            [.directoryName(.tpm(["2.23.133.2.2": []]))],
            [.directoryName(.tpm(["2.23.133.2.3": [""]]))],
            [.directoryName(.tpm()), .directoryName(.tpm())],
        ] as [[GeneralName]?]
    )
    func `the alternative name tells which TPM it is`(names: [GeneralName]?) throws {
        var statement = TPMStatement()
        let identifier = ASN1ObjectIdentifier.X509ExtensionID.subjectAlternativeName
        statement.recipe = statement.recipe.replacing(identifier, by: names.map { .test($0) })
        #expect(format.fault(try statement.input()) == .tpmAlternativeName)
    }

    @Test(arguments: [nil, ["1.3.6.1.5.5.7.3.1"]] as [[ASN1ObjectIdentifier]?])
    func `the key is for attesting keys`(usages: [ASN1ObjectIdentifier]?) throws {
        var statement = TPMStatement()
        let identifier = ASN1ObjectIdentifier.X509ExtensionID.extendedKeyUsage
        statement.recipe = statement.recipe.replacing(identifier, by: usages.map { .test($0) })
        #expect(format.fault(try statement.input()) == .tpmKeyUsage)
    }

    @Test(arguments: [nil, .isCertificateAuthority(maxPathLength: nil)] as [BasicConstraints?])
    func `the certificate says that it is not an authority`(constraints: BasicConstraints?) throws {
        var statement = TPMStatement()
        let identifier = ASN1ObjectIdentifier.X509ExtensionID.basicConstraints
        statement.recipe = statement.recipe.replacing(identifier, by: constraints.map { .test($0) })
        #expect(format.fault(try statement.input()) == .certificateIsAuthority)
    }

    @Test func `a certificate for another model is refused`() throws {
        var statement = TPMStatement()
        statement.recipe = statement.recipe.adding(.test(ModelExtension.identifier, [0x04, 0x10] + Array(2...17)))
        #expect(format.fault(try statement.input()) == .aaguidMismatch)
    }

    @Test func `a structure that ends anywhere else can't be read`() throws {
        let statement = TPMStatement()
        let modulus = [0x80] + [UInt8](repeating: 1, count: 255)
        for area in [statement.publicArea, TPMStatement.rsa(modulus: modulus)] {
            #expect(TPMPublicArea(area) != nil)
            #expect(TPMPublicArea(area + [0]) == nil)
            for length in 0..<area.count { #expect(TPMPublicArea(Array(area[..<length])) == nil) }
        }
        #expect(TPMAttestedName(statement.certInfo)?.name != nil)
        for length in 0..<statement.certInfo.count {
            #expect(TPMAttestedName(Array(statement.certInfo[..<length]))?.name == nil)
        }
    }

    @Test func `a key that is neither RSA nor on a curve can't be read`() {
        var area = TPMStatement().publicArea
        // TPM_ALG_KEYEDHASH
        area[1] = 0x08
        #expect(TPMPublicArea(area) == nil)
    }
}
