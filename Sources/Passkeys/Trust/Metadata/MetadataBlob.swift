internal import Crypto
package import Kernel
internal import SwiftASN1
internal import X509

/// The BLOB of the FIDO Metadata Service, version 3 (MDS3 §3.1.6).
///
/// It lists the authenticator models, the trust anchors of each, and the models that must not be relied on.
package struct MetadataBlob: Sendable {
    /// The most bytes; the service's BLOB has about eight million.
    package static let maximumLength = 64 * 1024 * 1024
    /// The host name in the certificate of the service.
    package static let service = "mds.fidoalliance.org"

    /// The serial number, which grows with every BLOB.
    package let number: Int64
    /// The end of the day by which the next BLOB is due.
    package let nextUpdate: Instant
    /// The number of listed models that a WebAuthn credential can be of.
    package let count: Int
    /// The number of anchors that can't be read, so that no attestation is trusted through them.
    package let unreadableAnchors: Int
    private let byAAGUID: [AAGUID: [MetadataEntry]]
    private let byKeyIdentifier: [String: [MetadataEntry]]
    /// The public keys of all anchors of all models.
    let anchorKeys: Set<Certificate.PublicKey>

    /// Returns a BLOB that the service signed, and that is not older than the last accepted one (MDS3 §3.2).
    ///
    /// The certificates of the signature must lead to `roots`, and the first must be for the host `signer`. Their
    /// revocation is not checked.
    ///
    /// `latest`: the number of the last accepted BLOB. A BLOB with a lower number is refused, because it would undo
    /// later revocations.
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
    /// More than one entry is possible only if the service lists a model twice. Then all of them apply.
    func entries(of aaguid: AAGUID) -> [MetadataEntry] { aaguid.isZero ? [] : byAAGUID[aaguid] ?? [] }

    /// Returns the entries of models that are identified by the key of that certificate.
    func entries(keyOf certificate: Certificate) -> [MetadataEntry] {
        byKeyIdentifier[Self.keyIdentifier(certificate)] ?? []
    }

    /// Returns SHA-1 of the public key's bits (RFC 5280 §4.2.1.2, the first method), which names a key but proves
    /// nothing.
    static func keyIdentifier(_ certificate: Certificate) -> String {
        Hex.encode(Insecure.SHA1.hash(data: Array(certificate.publicKey.subjectPublicKeyInfoBytes)))
    }
}
