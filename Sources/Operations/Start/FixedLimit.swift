/// The limits that the config can't change, by their names in metrics and the audit.
///
/// Other modules apply them, and ``RefusalLog`` counts their refusals.
package enum FixedLimit: String, Sendable, CaseIterable {
    /// Refreshes with the same expired or revoked token.
    case deadRefreshTokens = "dead_refresh_tokens"
    /// Refreshes with the same text that is no token of this server.
    case foreignRefreshTokens = "foreign_refresh_tokens"
    /// Repeated refreshes with the same token from one address.
    case refreshesPerToken = "refreshes_per_token"
    /// Refreshes of one session.
    case refreshesPerSession = "refreshes_per_session"
    /// Registrations of devices without an owner from one address.
    case devicesPerAddress = "devices_per_address"
    /// Challenges for one device from one address.
    case challengesPerDevice = "challenges_per_device"
    /// Wrong answers to the challenges of one device from one address.
    case wrongAnswersPerDevice = "wrong_answers_per_device"
    /// Wrong passwords for one account or address.
    case wrongPasswords = "wrong_passwords"
    /// Passwords that are waiting to be hashed.
    case passwordsInLine = "passwords_in_line"
    /// Codes mailed to one address.
    case mailedCodes = "mailed_codes"
    /// Wrong codes for one address.
    case wrongCodes = "wrong_codes"
    /// Invalid card tokens from one address.
    case wrongCardTokens = "wrong_card_tokens"
    /// Challenges and answers from one address, for devices that were not found recently.
    case unknownDevicesPerAddress = "unknown_devices_per_address"
    /// DPoP proofs that are remembered because they were used in the last minutes.
    case dpopProofs = "dpop_proofs"
    /// Requests for passkey options, and answers to them, from one address.
    case passkeysPerAddress = "passkeys_per_address"
    /// Requests from one address that fail to authenticate the same OAuth client.
    case failedClients = "failed_clients"
    /// Registrations of OAuth clients from one address.
    case clientRegistrations = "client_registrations"
    /// Guesses of user codes (RFC 8628) by one account or from one address.
    case userCodes = "user_codes"
    /// Requests for device codes, and sign-ins on the page for user codes, from one address.
    case deviceCodesPerAddress = "device_codes_per_address"
    /// Pushed authorization requests of one client that no browser has used yet.
    case pushedRequestsPerClient = "pushed_requests_per_client"
    /// Enrolments and syncs of banks by one account, and returns from banks by one address.
    case banks
}
