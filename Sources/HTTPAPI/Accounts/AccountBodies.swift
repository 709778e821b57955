/// A request to open an account.
///
/// Other members that apps send (`role`, `accessLevel`, `department`) are ignored: an operator decides them.
struct RegisterRequest: Codable, Sendable, Equatable {
    var email: String
    var name: String
    /// `nil` for an account without a password.
    var password: String?
    /// The id that the app gave its device, with ``deviceName`` and ``platform`` if the device is not registered yet.
    var deviceId: String?
    var deviceName: String?
    /// `ios` or `android`.
    var platform: String?
    /// The client that the account signs in with; by default the client of the routes.
    var clientId: String?
}

/// A request to sign in with a password.
struct PasswordSignInRequest: Codable, Sendable, Equatable {
    var email: String
    var password: String
    /// See ``RegisterRequest/deviceId``.
    var deviceId: String?
    var deviceName: String?
    /// `ios` or `android`.
    var platform: String?
    /// The client that signs in; by default the client of the routes.
    var clientId: String?
}

/// A request to set a new password.
struct PasswordChangeRequest: Codable, Sendable, Equatable {
    /// May be `nil` only for an account without a password, or shortly after a sign-in by a mailed code.
    var currentPassword: String?
    var newPassword: String
}

/// A request to change the account's e-mail address.
struct EmailChangeRequest: Codable, Sendable, Equatable {
    /// The new address, which replaces the old one only after the link mailed to it was followed.
    var email: String
}

/// The body of `POST /auth/email/verify`.
struct EmailVerifyRequest: Codable, Sendable, Equatable {
    /// The code from the mail: eight letters in any case, with or without separators.
    var code: String
}

/// The answer to a request that succeeded and has nothing else to return.
struct DoneResponse: Codable, Sendable, Equatable {
    var message: String
}

/// The body of `POST /auth/login/code` and `POST /api/mobile/auth/login`, which request a sign-in code by mail.
struct MailLoginRequest: Codable, Sendable, Equatable {
    var email: String
    /// A UUID that the app chose for its device, on which alone the code is valid.
    var deviceId: String
    /// The ways to sign in that the app supports besides a code: `passkey`.
    var methods: [String]?
}

/// The body of `POST /auth/login/code/verify` and `POST /api/mobile/auth/login/verify`: the mailed code.
struct MailLoginVerifyRequest: Codable, Sendable, Equatable {
    /// The id of the device that requested the code.
    var deviceId: String
    /// Six digits.
    var code: String
    /// The challenge in the answer to the request for the code; `email` is required without it.
    var challenge: String?
    /// The address to which the code was sent.
    var email: String?
    /// The device's name, if it may not be registered yet.
    var deviceName: String?
    /// `ios` or `android`, if the device may not be registered yet.
    var platform: String?
}
