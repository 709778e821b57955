/// The purpose of a key derived from `root.key`.
///
/// There is one key per purpose, so that a value made for one is useless for another (key separation, NIST SP 800-108r1
/// §6.5).
///
/// The raw value is the label of the derivation. It is never renamed or reused: a changed label is a new key, and
/// everything made with the old one is lost.
package enum KeyPurpose: String, CaseIterable, Sendable {
    /// Chains the audit rows.
    case audit = "audit"
    /// Signs the audit's checkpoints (Ed25519).
    case auditCheckpoint = "audit-checkpoint"
    /// Keys the hashes of device cookies.
    case deviceCookie = "device-cookie"
    /// Keys the digests by which a client without cookies is known again.
    case callerFingerprint = "caller-fingerprint"
    /// Keys the secrets of the addresses that providers send browsers back to.
    case scanReturn = "scan-return"
    /// Signs refresh tokens (HS256).
    case refreshToken = "refresh-token"
    /// Names the refresh token that follows on another.
    case refreshSuccession = "refresh-succession"
    /// Makes codes that are sent by mail, and keys the digests of them.
    case emailCode = "email-code"
    /// Makes the tokens of links that prove an address.
    case addressProof = "address-proof"
    /// Makes the passkeys of names that nobody has.
    case passkeyDecoy = "passkey-decoy"
    /// Encrypts the state that browsers and apps carry between the broker and its upstreams (AES-GCM).
    case brokerTicket = "broker-ticket"
    /// Keys the hashes of OAuth clients' secrets.
    case clientSecret = "client-secret"
    /// Makes what the sign-in page of an authorization request knows again: the verifier of its face logins, the cookie of the
    /// session that one opens.
    case signInPage = "sign-in-page"
    /// Makes the links of backchannel requests, which have to be made again for the person's own devices.
    case backchannelTicket = "backchannel-ticket"
    /// Keys the digests of the codes that devices show.
    case userCode = "user-code"
    /// Makes the card tokens that confirmed payments are carried out with.
    case cardToken = "card-token"
    /// Marks the database that belongs to the root: kept in it in the clear, and the key of nothing.
    case databaseMark = "database-mark"
    /// Encrypts rows that have to be read again (AES-GCM), where the operator gives no key.
    case encryption = "sealing"
}
