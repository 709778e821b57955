import Kernel

/// One forward step of the schema.
///
/// Never edited once released: a store remembers the checksum of each that it ran.
struct Migration: Sendable {
    let version: Int
    let name: String
    let sqlite: String

    /// SHA-256 of the SQL, hex.
    var checksum: String { Hex.encode(Digest256(sha256: sqlite).bytes) }

    /// All of them, in order.
    static let all = [
        initialSchema, operationKinds, operationBinding, devices, returnURL, operationsOfAccounts, operationStarters,
        scans, approvals, refreshFamilies, mailQueue, emailCodes, ownedDevices, wallet, refreshProofs,
        ownAccounts, revokedByOperator, deviceProofs, operationLanguage, proofKeys, passkeys,
        sessionPasskeys, oauthClients, authorizations, oauthGrants, backchannel, deviceCodes, passkeyRemoved,
        authorizationTerms, provenByPasskey, walletBanks, payments, keyMark, descents, enrolmentsOfAccounts,
        identityTerms,
        requestedClaims, longPasskeyKeys, deviceLinkMethods, provenDevices, markedFaces, clientEndings,
    ]
}
