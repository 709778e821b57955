/// The new credential in the authenticator data of a registration (WebAuthn L3 §6.5.1).
package struct AttestedCredential: Sendable, Equatable {
    package let aaguid: AAGUID
    package let id: CredentialID
    /// The COSE_Key, as it was sent.
    package let publicKeyBytes: [UInt8]
    /// The parsed public key, still to be checked by ``COSEKey``.
    package let publicKey: CBORMap

    /// Reads the credential that begins at `start`, and returns it with its end.
    static func read(_ bytes: [UInt8], from start: Int) throws(AuthenticatorDataError) -> (AttestedCredential, Int) {
        let fixed = start + 18
        guard bytes.count >= fixed, let aaguid = AAGUID(Array(bytes[start..<start + 16])) else { throw .truncated }
        let length = Int(bytes[start + 16]) << 8 | Int(bytes[start + 17])
        guard length > 0 else { throw .credentialID }
        guard bytes.count - fixed >= length else { throw .truncated }
        let keyStart = fixed + length
        let value: CBORValue
        let end: Int
        do throws(CBORError) {
            (value, end) = try CBORReader.readFirst(bytes, from: keyStart)
        } catch { throw .publicKey(error) }
        guard let publicKey = value.mapping else { throw .publicKeyType }
        let credential = AttestedCredential(
            aaguid: aaguid,
            id: CredentialID(Array(bytes[fixed..<keyStart])),
            publicKeyBytes: Array(bytes[keyStart..<end]),
            publicKey: publicKey
        )
        return (credential, end)
    }
}
