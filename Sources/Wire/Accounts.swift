/// A request to open an account.
///
/// What else apps send of themselves (`role`, `accessLevel`, `department`) has no member here: it is an operator's to
/// say.
public struct RegisterRequest: Codable, Sendable, Equatable {
    /// The e-mail address to sign in with.
    public var email: String
    /// What the person is called.
    public var name: String
    /// The password, where there is to be one.
    public var password: String?
    /// The id that the app gave its device; ``deviceName`` and ``platform`` go with it where it is not registered yet.
    public var deviceId: String?
    /// What the device is called.
    public var deviceName: String?
    /// `ios` or `android`.
    public var platform: String?
    /// Which client the account signs in with; by default the one of the routes.
    public var clientId: String?

    /// A request with that address and name.
    public init(email: String, name: String, password: String? = nil) {
        self.email = email
        self.name = name
        self.password = password
    }
}

/// A request to sign in with a password.
public struct PasswordSignInRequest: Codable, Sendable, Equatable {
    /// The e-mail address.
    public var email: String
    /// The password.
    public var password: String
    /// See ``RegisterRequest/deviceId``.
    public var deviceId: String?
    /// What the device is called.
    public var deviceName: String?
    /// `ios` or `android`.
    public var platform: String?
    /// Which client signs in; by default the one of the routes.
    public var clientId: String?

    /// A request with that address and password.
    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}

/// A request to set a new password.
public struct PasswordChangeRequest: Codable, Sendable, Equatable {
    /// The password so far; only an account without one leaves it out, or who has just signed in by a mailed code.
    public var currentPassword: String?
    /// The password from now on.
    public var newPassword: String

    /// A request with those passwords.
    public init(currentPassword: String?, newPassword: String) {
        self.currentPassword = currentPassword
        self.newPassword = newPassword
    }
}

/// A request to give the account another e-mail address.
public struct EmailChangeRequest: Codable, Sendable, Equatable {
    /// The address from now on, once the link is followed that is mailed there.
    public var email: String

    /// A request for that address.
    public init(email: String) { self.email = email }
}

/// The body of `POST /auth/email/verify`.
public struct EmailVerifyRequest: Codable, Sendable, Equatable {
    /// The code from the mail: eight letters, in any case, with or without what stands between them.
    public var code: String

    /// A request with that code.
    public init(code: String) { self.code = code }
}

/// The answer to a request that succeeded and has nothing else to return.
public struct DoneResponse: Codable, Sendable, Equatable {
    /// A sentence for people.
    public var message: String

    /// An answer with that sentence.
    public init(message: String) { self.message = message }
}
