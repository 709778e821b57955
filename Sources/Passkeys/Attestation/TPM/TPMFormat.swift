/// Attestation by a Trusted Platform Module (WebAuthn L3 §8.3).
package struct TPMFormat: AttestationFormat {
    /// The accepted signatures of a TPM.
    package enum Signatures: String, Sendable, CaseIterable {
        /// No SHA-1.
        case sha2
        /// Also SHA-1, with which the TPMs of many Windows devices sign (RS1).
        ///
        /// A SHA-1 collision gains a client nothing: the client may let the TPM sign any hash (`extraData`) anyhow.
        case sha1
    }

    package let identifier = "tpm"
    private let signatures: Signatures

    package init(_ signatures: Signatures) { self.signatures = signatures }

    package func verify(_ input: AttestationInput) throws(AttestationError) -> AttestationResult {
        let names: Set<String> = ["ver", "alg", "x5c", "sig", "certInfo", "pubArea"]
        let members = try AttestationMembers(input.statement.members, exactly: names)
        guard try members.text("ver") == "2.0" else { throw .tpmVersion }
        let publicArea = try members.bytes("pubArea")
        let nameAlgorithm = try checkKey(publicArea, input.publicKey)
        let path = try members.certificates()
        try TPMCertificate.check(path.leaf)
        // The AAGUID in the authenticator data proves nothing: the client chooses the hash that the TPM signs.
        let aaguid = input.credential.aaguid
        let model: AttestedModel = try ModelExtension.check(path.leaf, aaguid) ? .proven(aaguid) : .claimed(aaguid)
        let algorithm = try TPMAlgorithm(try members.integer("alg"), signatures)
        let certInfo = try members.bytes("certInfo")
        try algorithm.check(try members.bytes("sig"), over: certInfo, by: path.key)
        let attested = try attested(certInfo, extraData: try algorithm.digest(input.signedBytes))
        try checkName(attested, publicArea: publicArea, nameAlgorithm)
        return AttestationResult(.basic, trustPath: path.certificates, model: model)
    }

    /// Checks that `pubArea` describes the credential's key, and returns its `nameAlg`.
    private func checkKey(_ bytes: [UInt8], _ credential: COSEKey) throws(AttestationError) -> UInt16 {
        guard let area = TPMPublicArea(bytes) else { throw .tpmPublicArea }
        guard area.key.matches(credential) else { throw .publicKeyMismatch }
        return area.nameAlgorithm
    }

    private func attested(_ certInfo: [UInt8], extraData: [UInt8]) throws(AttestationError) -> TPMAttestedName {
        guard let attested = TPMAttestedName(certInfo) else { throw .tpmCertInfo }
        guard attested.magic == TPMAttestedName.generated else { throw .tpmMagic }
        guard attested.type == TPMAttestedName.certify else { throw .tpmType }
        guard attested.extraData == extraData else { throw .tpmExtraData }
        return attested
    }

    /// Checks the name: the number of its hash, then that hash of the public area (TPM 2.0 Library, part 1 §16).
    private func checkName(
        _ attested: TPMAttestedName,
        publicArea: [UInt8],
        _ algorithm: UInt16
    ) throws(AttestationError) {
        guard let hash = TPMHash(rawValue: algorithm) else { throw .tpmNameAlgorithm }
        guard let name = attested.name else { throw .tpmCertInfo }
        let number = [UInt8(algorithm >> 8), UInt8(algorithm & 0xFF)]
        guard name == number + hash.digest(publicArea) else { throw .tpmName }
    }
}

extension TPMPublicArea.Key {
    /// Whether this is the credential's key; the curves are numbered as TPM_ECC_CURVE (part 2 §6.4).
    func matches(_ credential: COSEKey) -> Bool {
        switch (self, credential.material) {
        case (.rsa(let modulus, let exponent), .rsa(let key)):
            modulus == key.modulus && UInt64(exponent) == key.exponent.reduce(0) { $0 << 8 | UInt64($1) }
        case (.ellipticCurve(0x0003, let x, let y), .p256),
            (.ellipticCurve(0x0004, let x, let y), .p384),
            (.ellipticCurve(0x0005, let x, let y), .p521):
            credential.point == Self.point(x, y, length: credential.point?.count ?? 0)
        default:
            false
        }
    }

    /// Returns the point uncompressed in `length` bytes, with the leading zeros that a TPM may omit.
    private static func point(_ x: [UInt8], _ y: [UInt8], length: Int) -> [UInt8]? {
        let size = length / 2
        guard x.count <= size, y.count <= size else { return nil }
        let padding = { (bytes: [UInt8]) in [UInt8](repeating: 0, count: size - bytes.count) + bytes }
        return [0x04] + padding(x) + padding(y)
    }
}
