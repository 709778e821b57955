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
        /// Why not, where the policy asked and took it all the same: a code.
        package let doubt: String?
        /// The device's number of an enterprise attestation, base64url.
        package let serialNumber: String?
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
            doubt = record.attestation.doubt
            serialNumber = record.attestation.serialNumber.map { Base64URL.encode($0) }
            signCount = record.signCount
            cloneSigns = passkey.cloneSigns
            createdAt = passkey.createdAt.milliseconds
            lastUsedAt = passkey.lastUsedAt?.milliseconds
        }
    }
}
