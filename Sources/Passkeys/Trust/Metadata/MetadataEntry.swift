internal import FoundationEssentials
internal import Kernel
internal import SwiftASN1
internal import X509

/// The FIDO Metadata Service's entry of one authenticator model (MDS3 §3.1.1).
struct MetadataEntry: Sendable {
    /// The description of the model; empty if the service has none.
    let description: String
    let aaguid: AAGUID?
    /// SHA-1 of the public keys of the attestation certificates, in hexadecimal, for models that are older than
    /// WebAuthn.
    let keyIdentifiers: Set<String>
    /// The attestation types, by the names of the FIDO Registry (§3.6.3).
    let attestationTypes: Set<String>
    let anchors: [Certificate]
    /// The number of anchors that the X.509 library can't read; no attestation is trusted through them.
    let unreadableAnchors: Int
    let reports: [StatusReport]

    /// Reads an entry; `nil` if it is for UAF, and so for no WebAuthn credential.
    static func read(_ value: JSONValue) throws(MetadataError) -> MetadataEntry? {
        let entry = try MetadataMembers(value)
        let aaguid = try entry.string("aaguid").map(Self.aaguid)
        let identifiers = try entry.strings("attestationCertificateKeyIdentifiers")
        let reports = try entry.array("statusReports").map(StatusReport.init)
        if aaguid == nil, identifiers.isEmpty { return nil }
        let statement = try MetadataMembers(entry["metadataStatement"] ?? .object([:]))
        let roots = try statement.strings("attestationRootCertificates")
        let anchors = roots.compactMap(MetadataEntry.certificate)
        return MetadataEntry(
            description: try statement.string("description") ?? "",
            aaguid: aaguid,
            keyIdentifiers: Set(identifiers.map { $0.lowercased() }),
            attestationTypes: Set(try statement.strings("attestationTypes")),
            anchors: anchors,
            unreadableAnchors: roots.count - anchors.count,
            reports: reports
        )
    }

    /// Returns the undesired status that applies at `now` to a credential of the model with these certificates.
    ///
    /// A later report does not lift an earlier one: an update helps only if the owner installs it, which is unknown. A
    /// status of a single batch (MDS3.1 `batchCertificate`) applies to the whole model: that refuses too many
    /// credentials rather than too few.
    func undesiredStatus(of path: [Certificate], at now: Instant) -> AuthenticatorStatus? {
        reports.first { $0.concerns(path, at: now) }?.status
    }

    private static func aaguid(_ text: String) throws(MetadataError) -> AAGUID {
        let digits = Array(text.lowercased().utf8).filter { $0 != UInt8(ascii: "-") }
        guard let bytes = hexadecimal(digits), let aaguid = AAGUID(bytes), aaguid.text == text.lowercased() else {
            throw .payload
        }
        return aaguid
    }

    private static func hexadecimal(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[start..<start + 2], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// Reads base64, in which some of the service's statements have spaces and line ends.
    static func certificate(_ base64: String) -> Certificate? {
        guard let der = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else { return nil }
        return try? Certificate(derEncoded: Array(der))
    }
}

/// One report about a model (MDS3 §3.1.3).
struct StatusReport: Sendable {
    let status: AuthenticatorStatus
    /// The time from which the report applies; `nil` if it always does.
    let effectiveFrom: Instant?
    /// The only certificate that a report of a compromised key is about, an attestation's or an issuer's (MDS3 §3.1.3).
    let certificate: ReportedCertificate

    enum ReportedCertificate: Sendable {
        case all
        case one(Certificate)
    }

    init(_ value: JSONValue) throws(MetadataError) {
        let report = try MetadataMembers(value)
        guard let name = try report.string("status") else { throw .payload }
        status = AuthenticatorStatus(name)
        effectiveFrom = try report.string("effectiveDate").flatMap(MetadataDate.start)
        // An unreadable certificate can't be compared, so the report applies to the whole model.
        certificate = try report.string("certificate").flatMap(MetadataEntry.certificate).map { .one($0) } ?? .all
    }

    func concerns(_ path: [Certificate], at now: Instant) -> Bool {
        guard AuthenticatorStatus.undesired.contains(status) else { return false }
        if let effectiveFrom, now < effectiveFrom { return false }
        guard status == .attestationKeyCompromise, case .one(let certificate) = certificate else { return true }
        // The report applies to the compromised key in any certificate, and to certificates that the key signed.
        return path.contains { $0.publicKey == certificate.publicKey || certificate.hasSigned($0) }
    }
}
