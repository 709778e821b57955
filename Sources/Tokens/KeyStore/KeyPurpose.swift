/// The purpose of a key derived from `root.key`.
///
/// There is one key per purpose, so that a value made for one purpose is useless for another (key separation, NIST SP
/// 800-108r1 §6.5).
///
/// The raw value is the label of the derivation. It must never be renamed or reused: a changed label gives a new key,
/// and everything made with the old key becomes invalid.
package enum KeyPurpose: String, CaseIterable, Sendable {
    /// Keys the hash chain of the audit rows.
    case audit = "audit"
    /// Signs the checkpoints of the audit log (Ed25519).
    case auditCheckpoint = "audit-checkpoint"
    /// Keys the hashes of device cookies.
    case deviceCookie = "device-cookie"
    /// Keys the digests by which a caller without cookies is recognised.
    case callerFingerprint = "caller-fingerprint"
    /// Keys the secrets in the addresses to which face providers redirect browsers.
    case scanReturn = "scan-return"
    /// Signs refresh tokens (HS256).
    case refreshToken = "refresh-token"
    /// Derives the `jti` of the refresh token that follows another one.
    case refreshSuccession = "refresh-succession"
    /// Creates the codes that are sent by mail, and keys their digests.
    case emailCode = "email-code"
    /// Creates the tokens of the links that prove an e-mail address.
    case addressProof = "address-proof"
    /// Creates the decoy passkeys of names that nobody has.
    case passkeyDecoy = "passkey-decoy"
    /// Encrypts the tickets that browsers and apps carry between the broker and its upstreams (AES-GCM).
    case brokerTicket = "broker-ticket"
    /// Keys the hashes of OAuth clients' secrets.
    case clientSecret = "client-secret"
    /// Derives two values for the sign-in page of an authorization request.
    ///
    /// They are the verifier of its face logins, and the cookie of the session that such a login opens.
    case signInPage = "sign-in-page"
    /// Creates the links of backchannel requests, which must be created again for the person's own devices.
    case backchannelTicket = "backchannel-ticket"
    /// Keys the digests of the user codes that devices show.
    case userCode = "user-code"
    /// Creates the card tokens for confirmed payments.
    case cardToken = "card-token"
    /// Tags the ids that clients poll with and the tickets of links, and hides their buckets.
    case idTag = "id-tag"
    /// Keys the digests by which limits count addresses, accounts and devices, on every daemon of a database.
    case limitKeys = "limit-keys"
    /// Keys the digests of addresses by which open passkey challenges and device codes are counted.
    case openCeremonies = "open-ceremonies"
    /// Encrypts the rings of signing keys in a database that several daemons share (AES-GCM).
    case keyRing = "key-ring"
    /// Marks the database that belongs to the root. The mark is stored there unencrypted, and is not used as a key.
    case databaseMark = "database-mark"
    /// Encrypts database rows that must be read again (AES-GCM), if the operator sets no key.
    case encryption = "sealing"
}
