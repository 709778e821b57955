import Crypto
import Foundation
import Kernel
import Testing
import X509

@testable import Passkeys

/// Ways around the metadata that whoever sends an attestation could try.
@Suite struct TrustEvasionTests {
    private let model = AAGUID(Array(1...16))
    private let other = AAGUID(Array(repeating: 0xFF, count: 16))
    private let vendor: TestAuthority
    private let leaf: Certificate

    init() throws {
        vendor = try TestAuthority(.authority("Vendor"))
        leaf = try vendor.issue(.packed(), to: Certificate.PrivateKey.p256().publicKey)
    }

    // T-132
    @Test func `a compromised root counts though nobody sends it`() async throws {
        let trust = try await self.trust(compromised: vendor.certificate, roots: [vendor.certificate])
        let model = try proven()
        for path in [[leaf], [leaf, vendor.certificate]] {
            #expect(await fault(trust, path, model) == .status(.attestationKeyCompromise))
        }
    }

    // T-132
    @Test func `a compromised issuer counts though it is an anchor that nobody sends`() async throws {
        let issuer = try vendor.intermediate()
        let below = try issuer.issue(.packed(), to: Certificate.PrivateKey.p256().publicKey)
        for compromised in [issuer.certificate, vendor.certificate] {
            let trust = try await self.trust(compromised: compromised, roots: [issuer.certificate])
            let model = try proven()
            #expect(await fault(trust, [below], model) == .status(.attestationKeyCompromise))
        }
    }

    // T-132
    @Test func `a compromised key counts in another certificate of the same key`() async throws {
        let model = try proven()
        let renewed = try TestAuthority(.authority("Vendor"), key: vendor.key)
        #expect(renewed.certificate != vendor.certificate)
        let trust = try await self.trust(compromised: renewed.certificate, roots: [vendor.certificate])
        #expect(await fault(trust, [leaf], model) == .status(.attestationKeyCompromise))
        let outsider = try TestAuthority(.authority("Vendor"))
        let clean = try await self.trust(compromised: outsider.certificate, roots: [vendor.certificate])
        #expect(await fault(clean, [leaf], model) == nil)
    }

    // T-132
    @Test func `a certificate that signed nothing here applies no entry`() async throws {
        let listed = try vendor.issue(.packed(), to: Certificate.PrivateKey.p256().publicKey)
        var entry = MetadataModel()
        entry.aaguid = nil
        entry.keyIdentifiers = [MetadataBlob.keyIdentifier(listed)]
        entry.roots = [vendor.certificate]
        let trust = AttestationTrust(anchors: TrustAnchors(), metadata: try await blob(entry))
        let junk = try CertificateRecipe(subject: vendor.certificate.subject, extensions: []).certificate(
            of: listed.publicKey,
            issuer: vendor.certificate.subject,
            signedBy: .p256()
        )
        for model in [AttestedModel.unknown, .proven(try zero())] {
            #expect(await fault(trust, [leaf], model) == .untrusted)
            #expect(await fault(trust, [leaf, junk], model) == .untrusted)
            #expect(await fault(trust, [listed], model) == nil)
        }
    }

    // T-132
    @Test func `a made-up AAGUID doesn't lead around a model's entry, where software writes it`() async throws {
        var entry = MetadataModel()
        entry.roots = [vendor.certificate]
        entry.reports = ["{\"status\":\"REVOKED\"}"]
        let trust = AttestationTrust(anchors: try anchors(vendor), metadata: try await blob(entry))
        let made = try #require(other)
        #expect(await fault(trust, [leaf], .claimed(made)) == .untrusted)
        #expect(await fault(trust, [leaf], .unknown) == .untrusted)
        let known = try #require(model)
        #expect(await fault(trust, [leaf], .claimed(known)) == .status(.revoked))
        // The attestation key doesn't sign AAGUIDs of other models.
        #expect(await fault(trust, [leaf], .proven(made)) == nil)
        // An anchor of the operator's own is not the metadata's business.
        let own = try TestAuthority(.authority("Own"))
        let apart = AttestationTrust(anchors: try anchors(own), metadata: try await blob(entry))
        let below = try own.issue(.packed(), to: Certificate.PrivateKey.p256().publicKey)
        #expect(await fault(apart, [below], .claimed(made)) == nil)
    }

    // T-132
    @Test func `a vendor's key from before WebAuthn doesn't speak for the model of another`() async throws {
        var old = MetadataModel()
        old.aaguid = nil
        old.keyIdentifiers = [MetadataBlob.keyIdentifier(leaf)]
        old.roots = [vendor.certificate]
        var another = MetadataModel()
        another.roots = [try TestAuthority(.authority("Another")).certificate]
        let trust = AttestationTrust(anchors: TrustAnchors(), metadata: try await blob(old, another))
        let named = try proven()
        #expect(await fault(trust, [leaf], named) == .untrusted)
        #expect(await fault(trust, [leaf], .unknown) == nil)
    }

    // T-132
    @Test func `an anchor of one format doesn't vouch for another`() async throws {
        let bytes = try vendor.certificate.der()
        let model = try proven()
        for (format, expected) in [("packed", nil), (nil, nil), ("fido-u2f", .untrusted)] as [(String?, TrustError?)] {
            let anchors = try TrustAnchors(files: [.init(name: "vendor.der", bytes: bytes, format: format)])
            #expect(anchors.count == 1)
            #expect(await fault(AttestationTrust(anchors: anchors), [leaf], model) == expected)
        }
    }

    // T-132
    @Test func `a report counts though the metadata is overdue`() async throws {
        let trust = try await self.trust(compromised: vendor.certificate, roots: [vendor.certificate])
        let late = Instant.test("2030-01-01")
        let model = try proven()
        #expect(await fault(trust, [leaf], model, now: late) == .status(.attestationKeyCompromise))
    }

    private func proven() throws -> AttestedModel { .proven(try #require(model)) }

    private func zero() throws -> AAGUID { try #require(AAGUID(Array(repeating: 0, count: 16))) }

    private func trust(compromised: Certificate, roots: [Certificate]) async throws -> AttestationTrust {
        var entry = MetadataModel()
        entry.roots = roots
        let certificate = Data(try compromised.der()).base64EncodedString()
        entry.reports = ["{\"status\":\"ATTESTATION_KEY_COMPROMISE\",\"certificate\":\"\(certificate)\"}"]
        return AttestationTrust(anchors: TrustAnchors(), metadata: try await blob(entry))
    }

    private func blob(_ entries: MetadataModel...) async throws -> MetadataBlob {
        var service = try MetadataService()
        service.entries = "[\(try entries.map { try $0.json() }.joined(separator: ","))]"
        return try await service.read(try service.blob())
    }

    private func anchors(_ authority: TestAuthority) throws -> TrustAnchors {
        try TrustAnchors(files: [.init(name: "anchor.der", bytes: try authority.certificate.der())])
    }

    private func fault(
        _ trust: AttestationTrust,
        _ path: [Certificate],
        _ model: AttestedModel,
        now: Instant = MetadataService.now
    ) async -> TrustError? {
        do throws(TrustError) {
            try await trust.assess(path, format: "packed", model: model, at: now)
            return nil
        } catch { return error }
    }
}
