internal import Crypto
package import Kernel
internal import SwiftASN1
internal import X509

/// The BLOB of the FIDO Metadata Service, version 3 (MDS3 §3.1.6).
///
/// It lists the authenticator models, the anchors of each, and which of them are not to be relied on.
package struct MetadataBlob: Sendable {
    /// Bytes; the service's has about eight million.
    package static let maximumLength = 64 * 1024 * 1024
    /// The name in the certificate of the service.
    package static let service = "mds.fidoalliance.org"

    /// Grows with every BLOB.
    package let number: Int64
    /// The end of the day by which the next one comes.
    package let nextUpdate: Instant
    /// Models that a WebAuthn credential can be of.
    package let count: Int
    /// Anchors that can't be read, so that their models are not trusted by them.
    package let unreadableAnchors: Int
    private let byAAGUID: [AAGUID: [MetadataEntry]]
    private let byKeyIdentifier: [String: [MetadataEntry]]
    /// The keys of every anchor of every model.
    let anchorKeys: Set<Certificate.PublicKey>

    /// Returns a BLOB that the service signed, and that is not older than the last one (MDS3 §3.2).
    ///
    /// The certificates of its signature have to lead to `roots`, and the first to be that of the host `signer`.
    /// Revocation of the chain's certificates is not checked.
    ///
    /// `latest`: the number of the last accepted BLOB: lower ones are refused, which would undo later revocations.
    package static func verified(
        _ bytes: [UInt8],
        roots: TrustAnchors,
        signer: String = service,
        latest: Int64? = nil,
        now: Instant
    ) async throws(MetadataError) -> MetadataBlob {
        guard bytes.count <= maximumLength else { throw .tooLong }
        let signature = try MetadataSignature(bytes)
        let validation = ChainValidation(
            anchors: roots.certificates,
            checked: [.X509ExtensionID.subjectAlternativeName],
            now: now
        )
        do throws(TrustError) {
            try await validation.chain(of: signature.path)
        } catch { throw .chain(error) }
        guard signature.isSigned(by: signer) else { throw .signer }
        let blob = try MetadataBlob(try signature.payload())
        guard blob.number >= latest ?? blob.number else { throw .numberWentBack }
        guard now < blob.nextUpdate else { throw .overdue }
        return blob
    }

    private init(_ payload: JSONValue) throws(MetadataError) {
        let members = try MetadataMembers(payload)
        guard let number = members["no"]?.integer, let day = try members.string("nextUpdate"),
            let nextUpdate = MetadataDate.start(of: day)
        else { throw .payload }
        self.number = number
        self.nextUpdate = nextUpdate + .seconds(86_400)
        var entries: [MetadataEntry] = []
        for value in try members.array("entries") {
            if let entry = try MetadataEntry.read(value) { entries.append(entry) }
        }
        count = entries.count
        unreadableAnchors = entries.reduce(0) { $0 + $1.unreadableAnchors }
        anchorKeys = Set(entries.flatMap(\.anchors).map(\.publicKey))
        var byAAGUID: [AAGUID: [MetadataEntry]] = [:]
        var byKeyIdentifier: [String: [MetadataEntry]] = [:]
        for entry in entries {
            if let aaguid = entry.aaguid { byAAGUID[aaguid, default: []].append(entry) }
            for identifier in entry.keyIdentifiers { byKeyIdentifier[identifier, default: []].append(entry) }
        }
        self.byAAGUID = byAAGUID
        self.byKeyIdentifier = byKeyIdentifier
    }

    /// Returns the entries of the model with that AAGUID; zero belongs to no model.
    ///
    /// More than one entry is possible only if the service names a model twice; then each counts.
    func entries(of aaguid: AAGUID) -> [MetadataEntry] { aaguid.isZero ? [] : byAAGUID[aaguid] ?? [] }

    /// Returns the entries of models that are identified by the key of that certificate.
    func entries(keyOf certificate: Certificate) -> [MetadataEntry] {
        byKeyIdentifier[Self.keyIdentifier(certificate)] ?? []
    }

    /// SHA-1 of the bits of the public key (RFC 5280 §4.2.1.2, the first method): a name, which nothing is proved by.
    static func keyIdentifier(_ certificate: Certificate) -> String {
        Hex.encode(Insecure.SHA1.hash(data: Array(certificate.publicKey.subjectPublicKeyInfoBytes)))
    }
}
