/// `POST /auth/login/code`, `POST /api/mobile/auth/login`: asks for a sign-in code by mail.
public struct MailLoginRequest: Codable, Sendable, Equatable {
    /// Whom to send it to.
    public var email: String
    /// What the device calls itself: a UUID.
    ///
    /// The code is good on this device alone.
    public var deviceId: String
    /// What the app can sign in by, where it can do more than take a code: `passkey`.
    public var methods: [String]?

    /// A request for that address on that device.
    public init(email: String, deviceId: String) {
        self.email = email
        self.deviceId = deviceId
    }
}

/// The same for every address, whether somebody has it or not.
public struct MailLoginResponse: Codable, Sendable, Equatable {
    /// Names the code at its verification.
    public var challenge: String
    /// `email`.
    public var method: String
    /// Seconds until the code expires.
    public var expiresIn: Int

    /// An answer with that challenge.
    public init(challenge: String, expiresIn: Int) {
        self.challenge = challenge
        method = "email"
        self.expiresIn = expiresIn
    }
}

/// `POST /auth/login/code/verify`, `POST /api/mobile/auth/login/verify`: the code that came by mail.
public struct MailLoginVerifyRequest: Codable, Sendable, Equatable {
    /// What the device that asked calls itself.
    public var deviceId: String
    /// Six digits.
    public var code: String
    /// What the answer to the request for the code gave; without it, `email`.
    public var challenge: String?
    /// The address that the code was asked for.
    public var email: String?
    /// What the device is called, where it may not be registered yet.
    public var deviceName: String?
    /// `ios` or `android`, likewise.
    public var platform: String?

    /// A code for a challenge or an address.
    public init(
        deviceId: String,
        code: String,
        challenge: String? = nil,
        email: String? = nil
    ) {
        self.deviceId = deviceId
        self.code = code
        self.challenge = challenge
        self.email = email
    }
}
