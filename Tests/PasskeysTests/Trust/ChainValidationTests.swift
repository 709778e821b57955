import Crypto
import CryptoExtras
import Foundation
import Kernel
import SwiftASN1
import Testing
import X509

@testable import Passkeys

@Suite struct ChainValidationTests {
    private static let now = Instant.test("2026-11-22")
    private let root: TestAuthority
    private let intermediate: TestAuthority
    private let key = Certificate.PrivateKey.p256().publicKey

    init() throws {
        root = try TestAuthority()
        intermediate = try root.intermediate()
    }

    @Test func `a certificate of the anchor leads to it`() async throws {
        let leaf = try root.issue(.packed(), to: key)
        let chain = try await validation().chain(of: [leaf])
        #expect(chain == [leaf, root.certificate])
    }

    @Test func `a chain leads to the anchor, with the anchor in it or without`() async throws {
        let leaf = try intermediate.issue(.packed(), to: key)
        #expect(await fault([leaf, intermediate.certificate]) == nil)
        #expect(await fault([leaf, intermediate.certificate, root.certificate]) == nil)
    }

    @Test func `a certificate that is an anchor itself is trusted as it is`() async throws {
        let leaf = try TestAuthority().issue(.packed(), to: key)
        #expect(await fault([leaf]) == .untrusted)
        #expect(await fault([leaf], anchors: [leaf]) == nil)
        // Another certificate of the same name and key is not the anchor.
        let other = try TestAuthority().issue(.packed(), to: key)
        #expect(await fault([other], anchors: [leaf]) == .untrusted)
    }

    @Test func `without anchors nothing is trusted`() async throws {
        #expect(await fault([try root.issue(.packed(), to: key)], anchors: []) == .untrusted)
        #expect(await fault([]) == .untrusted)
    }

    // T-132
    @Test func `another certificate of the anchor's name is not the anchor`() async throws {
        let impostor = try TestAuthority()
        #expect(impostor.certificate.subject == root.certificate.subject)
        let leaf = try impostor.issue(.packed(), to: key)
        #expect(await fault([leaf]) == .untrusted)
        #expect(await fault([leaf, impostor.certificate]) == .untrusted)
    }

    // T-132
    @Test func `a certificate that its issuer didn't sign is not trusted`() async throws {
        let other = try root.intermediate()
        let leaf = try other.issue(.packed(), to: key)
        #expect(await fault([leaf, intermediate.certificate]) == .untrusted)
    }

    // T-132
    @Test func `a chain has its order`() async throws {
        let leaf = try intermediate.issue(.packed(), to: key)
        #expect(await fault([leaf, root.certificate, intermediate.certificate]) == .order)
        #expect(await fault([leaf]) == .untrusted)
    }

    @Test func `every certificate of a chain is valid at the time`() async throws {
        var late = CertificateRecipe.authority("Example Intermediate")
        late.notBefore = Self.now + .seconds(1)
        var ended = CertificateRecipe.authority("Example Intermediate")
        ended.notAfter = Self.now - .seconds(1)
        for (recipe, expected) in [(late, TrustError.notYetValid), (ended, .expired)] {
            let issuer = try root.intermediate(recipe)
            let leaf = try issuer.issue(.packed(), to: key)
            #expect(await fault([leaf, issuer.certificate]) == expected)
            // The anchor's own dates count too, and those of a pinned certificate.
            let anchor = try TestAuthority(recipe)
            let below = try anchor.issue(.packed(), to: key)
            #expect(await fault([below], anchors: [anchor.certificate]) == expected)
            #expect(await fault([anchor.certificate], anchors: [anchor.certificate]) == expected)
        }
    }

    @Test func `a certificate is valid from its first second to its last`() async throws {
        var recipe = CertificateRecipe.packed()
        recipe.notBefore = Self.now
        recipe.notAfter = Self.now
        let leaf = try root.issue(recipe, to: key)
        #expect(await fault([leaf]) == nil)
        #expect(await fault([leaf], now: Self.now - .seconds(1)) == .notYetValid)
        #expect(await fault([leaf], now: Self.now + .seconds(1)) == .expired)
    }

    // T-132
    @Test func `SHA-1 is nobody's signature`() async throws {
        let rsa = Certificate.PrivateKey(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        let anchor = try TestAuthority(key: rsa)
        var recipe = CertificateRecipe.packed()
        #expect(await fault([try anchor.issue(recipe, to: key)], anchors: [anchor.certificate]) == nil)
        recipe.algorithm = .sha1WithRSAEncryption
        #expect(await fault([try anchor.issue(recipe, to: key)], anchors: [anchor.certificate]) == .weakSignature)
    }

    @Test func `an anchor may have signed itself with SHA-1`() async throws {
        let rsa = Certificate.PrivateKey(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        var recipe = CertificateRecipe.authority("Example Root")
        recipe.algorithm = .sha1WithRSAEncryption
        let anchor = try TestAuthority(recipe, key: rsa)
        #expect(await fault([try anchor.issue(.packed(), to: key)], anchors: [anchor.certificate]) == nil)
    }

    /// The library's doing, which nothing here repeats.
    @Test func `an RSA key of too few or too many bits can't be read`() throws {
        for (bytes, isRead) in [(128, false), (255, false), (256, true), (1024, true), (1025, false)] {
            let modulus = [0x80] + [UInt8](repeating: 1, count: bytes - 1)
            let key = try? Certificate.PublicKey(derEncoded: subjectPublicKeyInfo(modulus: modulus))
            #expect((key != nil) == isRead, "\(bytes * 8) bits")
        }
    }

    @Test func `an issuer's key is for signing certificates`() async throws {
        var recipe = CertificateRecipe.authority("Example Intermediate")
        recipe = recipe.replacing(.X509ExtensionID.keyUsage, by: .test(KeyUsage(digitalSignature: true)))
        let issuer = try root.intermediate(recipe)
        #expect(await fault([try issuer.issue(.packed(), to: key), issuer.certificate]) == .keyUsage)
        // One that says nothing is an old one.
        recipe = recipe.replacing(.X509ExtensionID.keyUsage, by: nil)
        let silent = try root.intermediate(recipe)
        #expect(await fault([try silent.issue(.packed(), to: key), silent.certificate]) == nil)
    }

    // T-132
    @Test(arguments: [nil, .notCertificateAuthority] as [BasicConstraints?])
    func `a certificate that is not an authority issues nothing`(constraints: BasicConstraints?) async throws {
        let recipe = CertificateRecipe.authority("Example Intermediate")
            .replacing(.X509ExtensionID.basicConstraints, by: constraints.map { .test($0) })
        let issuer = try root.intermediate(recipe)
        #expect(await fault([try issuer.issue(.packed(), to: key), issuer.certificate]) == .constraints)
    }

    @Test func `an issuer of version 1 can't say that it is an authority`() async throws {
        var recipe = CertificateRecipe.authority("Example Intermediate")
        recipe.version = .v1
        recipe.extensions = []
        let issuer = try root.intermediate(recipe)
        #expect(await fault([try issuer.issue(.packed(), to: key), issuer.certificate]) == .constraints)
        // An anchor was chosen by hand.
        let anchor = try TestAuthority(recipe)
        #expect(await fault([try anchor.issue(.packed(), to: key)], anchors: [anchor.certificate]) == nil)
    }

    @Test func `a chain is no longer than its issuers allow`() async throws {
        let short = try TestAuthority(.authority("Example Root", maxPathLength: 0))
        let issuer = try short.intermediate()
        let leaf = try issuer.issue(.packed(), to: key)
        #expect(await fault([leaf, issuer.certificate], anchors: [short.certificate]) == .constraints)
        #expect(await fault([try short.issue(.packed(), to: key)], anchors: [short.certificate]) == nil)
    }

    @Test func `an issuer certifies no names but those it may`() async throws {
        let constraints = NameConstraints(permittedSubtrees: [.dnsName("example.com")])
        let recipe = try CertificateRecipe.authority("Example Intermediate")
            .adding(Certificate.Extension(constraints, critical: true))
        let issuer = try root.intermediate(recipe)
        for (name, expected) in [("a.example.com", nil), ("example.org", TrustError.constraints)] {
            let leaf = try issuer.issue(
                .packed().adding(.test([GeneralName.dnsName(name)], critical: false)),
                to: key
            )
            #expect(await fault([leaf, issuer.certificate]) == expected)
        }
    }

    @Test func `an extension that isn't understood has to be understood`() async throws {
        let unknown = Certificate.Extension.test("1.3.6.1.4.1.99999.1", [0x05, 0x00], critical: true)
        let leaf = try root.issue(.packed().adding(unknown), to: key)
        #expect(await fault([leaf]) == .criticalExtension)
        #expect(await fault([leaf], anchors: [leaf]) == .criticalExtension)
        let issuer = try root.intermediate(.authority("Example Intermediate").adding(unknown))
        #expect(await fault([try issuer.issue(.packed(), to: key), issuer.certificate]) == .criticalExtension)
    }

    @Test(
        arguments: [
            // One policy; one with a user notice, as Windows' TPMs have it; one with a qualifier that nobody knows; no policies.
            ([0x30, 0x05, 0x30, 0x03, 0x06, 0x01, 0x2A], nil),
            (
                [0x30, 0x15, 0x30, 0x13, 0x06, 0x01, 0x2A, 0x30, 0x0E, 0x30, 0x0C, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05]
                    + [0x05, 0x07, 0x02, 0x02, 0x30, 0x00],
                nil
            ),
            (
                [0x30, 0x15, 0x30, 0x13, 0x06, 0x01, 0x2A, 0x30, 0x0E, 0x30, 0x0C, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05]
                    + [0x05, 0x07, 0x02, 0x03, 0x30, 0x00],
                .criticalExtension
            ),
            ([0x04, 0x00], .criticalExtension),
            ([0x30, 0x02, 0x30, 0x00], .criticalExtension),
        ] as [([UInt8], TrustError?)]
    )
    func `policies may be critical as long as they can be read`(value: [UInt8], expected: TrustError?) async throws {
        let policies = Certificate.Extension.test(CertificatePolicies.identifier, value, critical: true)
        let leaf = try root.issue(.packed().adding(policies), to: key)
        #expect(await fault([leaf]) == expected)
        // The anchor's own are looked at too.
        let anchor = try TestAuthority(.authority("Example Root").adding(policies))
        #expect(await fault([try anchor.issue(.packed(), to: key)], anchors: [anchor.certificate]) == expected)
        #expect(await fault([leaf], anchors: [leaf]) == expected)
    }

    @Test func `constraints for policies are not understood`() async throws {
        // requireExplicitPolicy: 0
        let constraints = Certificate.Extension.test("2.5.29.36", [0x30, 0x03, 0x80, 0x01, 0x00], critical: true)
        let issuer = try root.intermediate(.authority("Example Intermediate").adding(constraints))
        #expect(await fault([try issuer.issue(.packed(), to: key), issuer.certificate]) == .criticalExtension)
    }

    @Test func `an extension that the caller has checked may be critical`() async throws {
        let leaf = try root.issue(.tpm(), to: key)
        #expect(await fault([leaf]) == .criticalExtension)
        #expect(await fault([leaf], checked: [.X509ExtensionID.subjectAlternativeName]) == nil)
    }

    @Test func `an extension that the caller has checked in the leaf may not be critical in an issuer`() async throws {
        let checked: [ASN1ObjectIdentifier] = [
            .X509ExtensionID.subjectAlternativeName, .X509ExtensionID.extendedKeyUsage,
        ]
        let usage = try ExtendedKeyUsage([.serverAuth])
        for critical in [true, false] {
            let extended = try Certificate.Extension(usage, critical: critical)
            let issuer = try root.intermediate(.authority("Example Intermediate").adding(extended))
            let path = [try issuer.issue(.tpm(), to: key), issuer.certificate]
            let expected: TrustError? = critical ? .criticalExtension : nil
            #expect(await fault(path, checked: checked) == expected)
        }
    }

    @Test func `issuers of one name do not form a chain, so that nobody makes the server try every path through them`()
        async throws
    {
        let name = root.certificate.subject
        let mesh = try (1...5).map { number in
            let label = Certificate.Extension.test([.dnsName("\(number).example.com")], critical: false)
            var recipe = CertificateRecipe.authority("Example Root").adding(label)
            recipe.subject = name
            return try recipe.certificate(of: root.key.publicKey, issuer: name, signedBy: root.key)
        }
        let leaf = try root.issue(.packed(), to: key)
        #expect(await fault([leaf] + mesh) == .order)
        #expect(await fault([leaf] + mesh, anchors: []) == .order)
        #expect(await fault([leaf] + mesh.prefix(1)) == nil)
    }

    // T-132
    @Test func `certificates that name no anchor are not trusted, however they hang together`() async throws {
        let leaf = try intermediate.issue(.packed(), to: key)
        let other = try TestAuthority(.authority("Another Root"))
        #expect(await fault([leaf, intermediate.certificate], anchors: [other.certificate]) == .untrusted)
    }

    @Test func `only certificates that signed one another are taken for those of an authenticator`() throws {
        let leaf = try intermediate.issue(.packed(), to: key)
        let impostor = try root.intermediate()
        #expect([leaf, intermediate.certificate].signedInTurn == [leaf, intermediate.certificate])
        #expect([leaf, impostor.certificate, root.certificate].signedInTurn == [leaf])
        #expect([Certificate]().signedInTurn.isEmpty)
    }

    private func subjectPublicKeyInfo(modulus: [UInt8]) throws -> [UInt8] {
        var key = DER.Serializer()
        try key.appendConstructedNode(identifier: .sequence) { coder in
            coder.appendPrimitiveNode(identifier: .integer) { $0 += [0] + modulus }
            try coder.serialize(65_537)
        }
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize(ASN1ObjectIdentifier.AlgorithmIdentifier.rsaEncryption)
                try coder.serialize(ASN1Null())
            }
            try coder.serialize(ASN1BitString(bytes: key.serializedBytes[...]))
        }
        return serializer.serializedBytes
    }

    private func validation() -> ChainValidation { ChainValidation(anchors: [root.certificate], now: Self.now) }

    private func fault(
        _ path: [Certificate],
        anchors: [Certificate]? = nil,
        checked: [ASN1ObjectIdentifier] = [],
        now: Instant = now
    ) async -> TrustError? {
        let validation = ChainValidation(anchors: anchors ?? [root.certificate], checked: checked, now: now)
        do throws(TrustError) {
            try await validation.chain(of: path)
            return nil
        } catch { return error }
    }
}
