internal import FoundationEssentials
internal import SwiftASN1
internal import X509

/// The certificates that an operator trusts for attestations: authorities, or the attestation certificates themselves.
package struct TrustAnchors: Sendable {
    /// A file in the folder of trust anchors.
    package struct File: Sendable {
        package let name: String
        package let bytes: [UInt8]
        /// The attestation format that the certificates vouch for; `nil` for every format.
        package let format: String?

        package init(name: String, bytes: [UInt8], format: String? = nil) {
            self.name = name
            self.bytes = bytes
            self.format = format
        }
    }

    /// The most bytes of a file; the largest bundles of vendors have some thousands.
    package static let maximumFileLength = 1024 * 1024
    /// The most certificates in all files.
    package static let maximumCount = 4096

    /// A certificate, and the format that it vouches for.
    private struct Anchor: Sendable {
        let certificate: Certificate
        let format: String?
    }

    private let anchors: [Anchor]

    /// Creates an empty set of anchors, with which nothing is trusted.
    package init() { anchors = [] }

    /// Reads certificates in PEM, or one per file in DER, and reports the errors of all files at once.
    package init(files: [File]) throws(TrustAnchorErrors) {
        var anchors: [Anchor] = []
        var faults: [TrustAnchorError] = []
        for file in files {
            do throws(TrustAnchorError.FileError) {
                anchors += try Self.certificates(file.bytes).map { Anchor(certificate: $0, format: file.format) }
            } catch {
                faults.append(TrustAnchorError(file: file.name, kind: error))
            }
        }
        if anchors.count > Self.maximumCount {
            faults.append(TrustAnchorError(file: files.last?.name ?? "", kind: .tooMany))
        }
        guard faults.isEmpty else { throw TrustAnchorErrors(faults: faults) }
        self.anchors = anchors
    }

    package var count: Int { anchors.count }

    /// The certificates for all formats.
    var certificates: [Certificate] { anchors.map(\.certificate) }

    /// Returns the certificates for attestations of that format (WebAuthn L3 §7.1 step 23).
    func certificates(for format: String) -> [Certificate] {
        anchors.filter { $0.format == nil || $0.format == format }.map(\.certificate)
    }

    private static func certificates(_ bytes: [UInt8]) throws(TrustAnchorError.FileError) -> [Certificate] {
        guard bytes.count <= maximumFileLength else { throw .tooLong }
        let documents = try documents(bytes)
        guard !documents.isEmpty else { throw .noCertificate }
        var certificates: [Certificate] = []
        for der in documents {
            guard let certificate = try? Certificate(derEncoded: der) else { throw .unreadable }
            // With such an anchor, every registration would fail as untrusted, without a visible reason.
            guard CriticalExtensions.understood.coverAll(of: certificate) else { throw .criticalExtension }
            certificates.append(certificate)
        }
        return certificates
    }

    private static func documents(_ bytes: [UInt8]) throws(TrustAnchorError.FileError) -> [[UInt8]] {
        // DER begins with a SEQUENCE, which no text does.
        if bytes.first == 0x30 { return [bytes] }
        guard let text = String(validating: bytes, as: UTF8.self),
            let documents = try? PEMDocument.parseMultiple(pemString: text)
        else { throw .unreadable }
        guard documents.allSatisfy({ $0.discriminator == "CERTIFICATE" }) else { throw .notCertificate }
        return documents.map(\.derBytes)
    }
}

/// The error of one file in the folder of trust anchors.
package struct TrustAnchorError: Sendable, Equatable {
    package enum FileError: String, Error, Sendable, CaseIterable {
        case tooLong = "anchor_file_too_long"
        case tooMany = "anchor_files_too_many"
        case noCertificate = "anchor_file_no_certificate"
        /// The file has something else than certificates, such as a private key.
        case notCertificate = "anchor_file_not_certificate"
        case unreadable = "anchor_certificate_unreadable"
        case criticalExtension = "anchor_certificate_critical_extension"
    }

    package let file: String
    package let kind: FileError

    /// A stable code for programs.
    package var code: String { kind.rawValue }

    /// The error and its remedy, in one sentence for an operator.
    package var explanation: String {
        switch kind {
        case .tooLong: "\(file) is longer than \(TrustAnchors.maximumFileLength) bytes. Split it."
        case .tooMany: "There are more than \(TrustAnchors.maximumCount) trust anchors. Keep those that you need."
        case .noCertificate: "\(file) has no certificate. Remove it, or put one in as PEM or DER."
        case .notCertificate: "\(file) has something else than certificates. Leave only these in it."
        case .unreadable: "\(file) has a certificate that can't be read. Export it again as PEM or DER."
        case .criticalExtension:
            "\(file) has a certificate with a critical extension that isn't understood here. It can't be an anchor."
        }
    }
}

/// All errors in a folder of trust anchors.
package struct TrustAnchorErrors: Error, Sendable, Equatable {
    package let faults: [TrustAnchorError]
}
