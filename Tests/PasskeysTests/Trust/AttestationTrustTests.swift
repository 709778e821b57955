import Crypto
import Foundation
import Kernel
import Testing
import X509

@testable import Passkeys

@Suite struct AttestationTrustTests {
    private let model = AAGUID(Array(1...16))
    private let vendor: TestAuthority
    private let leaf: Certificate

    init() throws {
        vendor = try TestAuthority(.authority("Vendor"))
        leaf = try vendor.issue(.packed(), to: Certificate.PrivateKey.p256().publicKey)
    }

    @Test func `the operator's anchors count where no metadata knows the model`() async throws {
        #expect(await fault(AttestationTrust(anchors: try anchors(vendor))) == nil)
        #expect(await fault(AttestationTrust(anchors: TrustAnchors())) == .untrusted)
        var other = MetadataModel()
        other.aaguid = "ffffffff-ffff-ffff-ffff-ffffffffffff"
        #expect(await fault(AttestationTrust(anchors: try anchors(vendor), metadata: try await blob(other))) == nil)
    }

    @Test func `the anchors of the metadata count for their model`() async throws {
        var entry = MetadataModel()
        entry.roots = [vendor.certificate]
        #expect(await fault(AttestationTrust(anchors: TrustAnchors(), metadata: try await blob(entry))) == nil)
    }

    @Test func `a vendor whom the operator trusts doesn't speak for the model of another`() async throws {
        var entry = MetadataModel()
        entry.roots = [try TestAuthority().certificate]
        let trust = AttestationTrust(anchors: try anchors(vendor), metadata: try await blob(entry))
        #expect(await fault(trust) == .untrusted)
    }

    @Test func `a single certificate may be the anchor of its model`() async throws {
        var entry = MetadataModel()
        entry.roots = [leaf]
        #expect(await fault(AttestationTrust(anchors: TrustAnchors(), metadata: try await blob(entry))) == nil)
    }

    @Test func `a model from before WebAuthn is known by its certificates`() async throws {
        var entry = MetadataModel()
        entry.aaguid = nil
        entry.roots = [vendor.certificate]
        entry.keyIdentifiers = [MetadataBlob.keyIdentifier(leaf).uppercased()]
        let trust = AttestationTrust(anchors: TrustAnchors(), metadata: try await blob(entry))
        #expect(await fault(trust, aaguid: AAGUID(Array(repeating: 0, count: 16))) == nil)
        #expect(await fault(trust) == .untrusted)
        entry.reports = ["{\"status\":\"REVOKED\"}"]
        let revoked = AttestationTrust(anchors: try anchors(vendor), metadata: try await blob(entry))
        #expect(await fault(revoked, aaguid: AAGUID(Array(repeating: 0, count: 16))) == .status(.revoked))
        // Under an AAGUID that nobody knows it is still that key.
        #expect(await fault(revoked) == .status(.revoked))
    }

    @Test(arguments: AuthenticatorStatus.undesired)
    func `a model that is not to be relied on is refused`(status: AuthenticatorStatus) async throws {
        let report = "{\"status\":\"\(status.name)\"}"
        let reports = [report, "{\"status\":\"UPDATE_AVAILABLE\",\"effectiveDate\":\"2026-01-01\"}"]
        let trust = try await trust(reports: reports)
        #expect(await fault(trust) == .status(status))
    }

    @Test(arguments: ["FIDO_CERTIFIED", "NOT_FIDO_CERTIFIED", "UPDATE_AVAILABLE", "SOMETHING_NEW"])
    func `other reports refuse nothing`(status: String) async throws {
        let trust = try await trust(reports: ["{\"status\":\"\(status)\"}"])
        #expect(await fault(trust) == nil)
    }

    @Test func `a report counts from its day on`() async throws {
        let coming = try await trust(reports: ["{\"status\":\"REVOKED\",\"effectiveDate\":\"2026-11-23\"}"])
        #expect(await fault(coming) == nil)
        let today = try await trust(reports: ["{\"status\":\"REVOKED\",\"effectiveDate\":\"2026-11-22\"}"])
        #expect(await fault(today) == .status(.revoked))
        let someday = try await trust(reports: ["{\"status\":\"REVOKED\",\"effectiveDate\":\"soon\"}"])
        #expect(await fault(someday) == .status(.revoked))
    }

    @Test func `a compromised key is that of its certificate, if the report names one`() async throws {
        let other = try vendor.issue(.packed(), to: Certificate.PrivateKey.p256().publicKey)
        for (certificate, expected) in [
            (Data(try other.der()).base64EncodedString(), nil),
            (Data(try leaf.der()).base64EncodedString(), TrustError.status(.attestationKeyCompromise)),
            ("AAAA", .status(.attestationKeyCompromise)),
        ] {
            let report = "{\"status\":\"ATTESTATION_KEY_COMPROMISE\",\"certificate\":\"\(certificate)\"}"
            let trust = try await trust(reports: [report])
            #expect(await fault(trust) == expected)
        }
        // Any other status is about the model, whatever certificate stands beside it.
        let certificate = Data(try other.der()).base64EncodedString()
        let revoked = try await trust(reports: ["{\"status\":\"REVOKED\",\"certificate\":\"\(certificate)\"}"])
        #expect(await fault(revoked) == .status(.revoked))
    }

    @Test(arguments: [
        AuthenticatorStatus.attestationKeyCompromise, .userKeyRemoteCompromise, .userKeyPhysicalCompromise,
    ])
    func `a report about one batch counts for the whole model`(status: AuthenticatorStatus) async throws {
        let other = try vendor.issue(.packed(), to: Certificate.PrivateKey.p256().publicKey)
        let batch = Data(try other.der()).base64EncodedString()
        let trust = try await trust(reports: ["{\"status\":\"\(status.name)\",\"batchCertificate\":\"\(batch)\"}"])
        #expect(await fault(trust) == .status(status))
    }

    @Test func `a model that is named twice is refused if one of the two is`() async throws {
        var first = MetadataModel()
        first.roots = [vendor.certificate]
        var second = first
        second.reports = ["{\"status\":\"REVOKED\"}"]
        for entries in [[first, second], [second, first]] {
            let trust = AttestationTrust(anchors: TrustAnchors(), metadata: try await blob(entries))
            #expect(await fault(trust) == .status(.revoked))
        }
    }

    @Test func `a model attests as the metadata says`() async throws {
        var entry = MetadataModel()
        entry.roots = [vendor.certificate]
        entry.types = ["basic_surrogate"]
        let own = AttestationTrust(anchors: TrustAnchors(), metadata: try await blob(entry))
        #expect(await fault(own) == .attestationType)
        #expect(selfFault(own) == nil)
        entry.types = ["basic_full"]
        let certified = AttestationTrust(anchors: TrustAnchors(), metadata: try await blob(entry))
        #expect(await fault(certified) == nil)
        #expect(selfFault(certified) == .attestationType)
        #expect(selfFault(AttestationTrust(anchors: TrustAnchors())) == nil)
    }

    @Test func `metadata that should have been replaced is relied on for a while`() async throws {
        var entry = MetadataModel()
        entry.roots = [vendor.certificate]
        let trust = AttestationTrust(anchors: TrustAnchors(), metadata: try await blob(entry), grace: .seconds(86_400))
        #expect(await fault(trust, now: .test("2026-12-03") - .seconds(1)) == nil)
        #expect(await fault(trust, now: .test("2026-12-03")) == .metadataOverdue)
    }

    @Test func `only a TPM's certificate may have a critical name`() async throws {
        let certificate = try vendor.issue(.tpm(), to: Certificate.PrivateKey.p256().publicKey)
        let trust = AttestationTrust(anchors: try anchors(vendor))
        #expect(await fault(trust, [certificate], format: "tpm") == nil)
        #expect(await fault(trust, [certificate], format: "packed") == .criticalExtension)
    }

    private func trust(reports: [String]) async throws -> AttestationTrust {
        var entry = MetadataModel()
        entry.roots = [vendor.certificate]
        entry.reports = reports
        return AttestationTrust(anchors: TrustAnchors(), metadata: try await blob(entry))
    }

    private func blob(_ entries: MetadataModel...) async throws -> MetadataBlob { try await blob(entries) }

    private func blob(_ entries: [MetadataModel]) async throws -> MetadataBlob {
        var service = try MetadataService()
        service.entries = "[\(try entries.map { try $0.json() }.joined(separator: ","))]"
        return try await service.read(try service.blob())
    }

    private func anchors(_ authority: TestAuthority) throws -> TrustAnchors {
        try TrustAnchors(files: [.init(name: "vendor.der", bytes: try authority.certificate.der())])
    }

    private func fault(
        _ trust: AttestationTrust,
        _ path: [Certificate]? = nil,
        format: String = "packed",
        aaguid: AAGUID? = nil,
        now: Instant = MetadataService.now
    ) async -> TrustError? {
        guard let aaguid = aaguid ?? model else { return nil }
        do throws(TrustError) {
            try await trust.assess(path ?? [leaf], format: format, model: .proven(aaguid), at: now)
            return nil
        } catch { return error }
    }

    private func selfFault(_ trust: AttestationTrust) -> TrustError? {
        guard let model else { return .untrusted }
        do throws(TrustError) {
            try trust.assessSelf(aaguid: model, at: MetadataService.now)
            return nil
        } catch { return error }
    }
}
