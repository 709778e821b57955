import Kernel
import Passkeys

extension AdminReply {
    /// A passkey as operators see it.
    package struct PasskeyView: Codable, Sendable, Equatable {
        package let id: String
        /// base64url.
        package let credentialId: String
        package let name: String
        package let rpId: String
        /// `singleDevice` or `multiDevice`.
        package let deviceType: String
        package let backedUp: Bool
        /// The authenticator's model, as a UUID.
        package let aaguid: String
        /// The format of its attestation, and whether an anchor vouches for it.
        package let attestation: String
        package let trusted: Bool
        package let signCount: UInt32
        package let cloneSigns: Int64
        /// Milliseconds since 1970.
        package let createdAt: Int64
        package let lastUsedAt: Int64?

        init(_ passkey: Passkey) {
            let record = passkey.record
            id = passkey.id.description
            credentialId = record.id.text
            name = passkey.label
            rpId = passkey.rpID
            deviceType = passkey.deviceType
            backedUp = record.isBackedUp
            aaguid = record.aaguid.text
            attestation = record.attestation.format
            trusted = record.attestation.isTrusted
            signCount = record.signCount
            cloneSigns = passkey.cloneSigns
            createdAt = passkey.createdAt.milliseconds
            lastUsedAt = passkey.lastUsedAt?.milliseconds
        }
    }
}
