/// The limits that the config cannot change, by their names in metrics and the audit.
///
/// Other modules keep them; ``RefusalLog`` counts their refusals.
package enum FixedLimit: String, Sendable, CaseIterable {
    /// Refreshes with one expired or revoked token.
    case deadRefreshTokens = "dead_refresh_tokens"
    /// Refreshes with one text that is not a token of this server.
    case foreignRefreshTokens = "foreign_refresh_tokens"
    /// Repetitions with one refresh token from one address.
    case refreshesPerToken = "refreshes_per_token"
    /// Rotations of one session.
    case refreshesPerSession = "refreshes_per_session"
    /// Devices without an owner from one address.
    case devicesPerAddress = "devices_per_address"
    /// Challenges for one device from one address.
    case challengesPerDevice = "challenges_per_device"
    /// Wrong answers to the challenges of one device from one address.
    case wrongAnswersPerDevice = "wrong_answers_per_device"
    /// Wrong passwords at one account or address.
    case wrongPasswords = "wrong_passwords"
    /// Passwords that wait to be hashed.
    case passwordsInLine = "passwords_in_line"
    /// Codes mailed to one address.
    case mailedCodes = "mailed_codes"
    /// Wrong codes for one address.
    case wrongCodes = "wrong_codes"
    /// Invalid card tokens from one address.
    case wrongCardTokens = "wrong_card_tokens"
    /// Challenges and answers for devices that were not found lately, from one address.
    case unknownDevicesPerAddress = "unknown_devices_per_address"
    /// DPoP proofs that were used in the last minutes.
    case dpopProofs = "dpop_proofs"
    /// Options for passkeys, and answers to them, from one address.
    case passkeysPerAddress = "passkeys_per_address"
    /// Requests of one OAuth client from one address that did not authenticate.
    case failedClients = "failed_clients"
    /// Registrations of OAuth clients from one address.
    case clientRegistrations = "client_registrations"
    /// Guesses of the codes that devices show, by one account or from one address.
    case userCodes = "user_codes"
    /// Codes that devices ask for, and sign-ins of the page where they are typed, from one address.
    case deviceCodesPerAddress = "device_codes_per_address"
    /// Pushed authorization requests of one client that no browser has used.
    case pushedRequestsPerClient = "pushed_requests_per_client"
    /// Enrolments of banks and syncs by one account, and returns from banks by one address.
    case banks
}
