/// The limits whose figures no config has, by name, as metrics and the audit call them.
///
/// Who keeps them is elsewhere; what they refused is counted in ``RefusalLog``.
package enum FixedLimit: String, Sendable, CaseIterable {
    /// Refreshes with one token that is worth nothing any more.
    case deadRefreshTokens = "dead_refresh_tokens"
    /// Refreshes with one text that is no token of ours.
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
    /// Card tokens that were none, from one address.
    case wrongCardTokens = "wrong_card_tokens"
    /// Challenges and answers for devices that were not found of late, from one address.
    case unknownDevicesPerAddress = "unknown_devices_per_address"
    /// DPoP proofs that were used in the last minutes.
    case dpopProofs = "dpop_proofs"
    /// Options for passkeys, and answers to them, from one address.
    case passkeysPerAddress = "passkeys_per_address"
    /// Requests of one OAuth client from one address that did not show that they are its own.
    case failedClients = "failed_clients"
    /// Registrations of OAuth clients from one address.
    case clientRegistrations = "client_registrations"
    /// Tries at the codes that devices show, by one account or from one address.
    case userCodes = "user_codes"
    /// Codes that devices ask for, and sign-ins of the page where they are typed, from one address.
    case deviceCodesPerAddress = "device_codes_per_address"
    /// Pushed authorization requests of one client that no browser has come with.
    case pushedRequestsPerClient = "pushed_requests_per_client"
    /// Enrolments of banks and syncs by one account, and ways back from banks by one address.
    case banks
}
