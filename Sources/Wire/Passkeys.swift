/// `POST /api/generate-registration-options`: every setting that a form of the published page has.
///
/// What is empty, `any` or `none` in the published page's words counts as left out.
public struct PasskeyRegistrationRequest: Codable, Sendable, Equatable {
    /// What the person wants to sign in as.
    public var username: String?
    /// `none`, `indirect`, `direct` or `enterprise`.
    public var attestationType: String?
    /// `required`, `preferred` or `discouraged`.
    public var userVerification: String?
    /// `required`, `preferred` or `discouraged`.
    public var residentKey: String?
    /// `any`, `platform` or `cross-platform`.
    public var authenticatorAttachment: String?
    /// Milliseconds, as a number or a text.
    public var timeout: LenientNumber?
    /// Algorithms by their COSE numbers.
    public var supportedAlgorithmIDs: [Int]?
    /// `none`, `securityKey`, `localDevice` or `remoteDevice`.
    public var preferredAuthenticatorType: String?
    /// A name of the relying party that the server lists.
    public var customRpName: String?
    /// An id of the relying party that the server lists.
    public var customRpID: String?

    /// A request for that name, with the server's own settings.
    public init(username: String?) { self.username = username }
}

/// `POST /api/generate-authentication-options`, and the seeds' other requests that name somebody.
public struct PasskeySignInRequest: Codable, Sendable, Equatable {
    /// Who signs in; without it, whoever has a passkey of this relying party.
    public var username: String?
    /// `required`, `preferred` or `discouraged`.
    public var userVerification: String?
    /// Milliseconds, as a number or a text.
    public var timeout: LenientNumber?
    /// An id of the relying party that the server lists.
    public var customRpID: String?

    /// A request for that name, or for anybody.
    public init(username: String? = nil) { self.username = username }
}

/// A whole number that some clients write as a text.
public struct LenientNumber: Codable, Sendable, Equatable {
    /// The number.
    public var value: Int

    /// That number.
    public init(_ value: Int) { self.value = value }

    /// From a number, or the digits of one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            value = number
            return
        }
        guard let number = Int(try container.decode(String.self)) else {
            throw DecodingError.typeMismatch(
                Int.self,
                .init(codingPath: decoder.codingPath, debugDescription: "not a whole number")
            )
        }
        value = number
    }

    /// As a number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

/// The answer to a passkey that was made, by `challengeId`.
public struct PasskeyRegisteredResponse: Codable, Sendable, Equatable {
    /// Always true.
    public var verified: Bool
    /// What was made.
    public var registrationInfo: RegisteredPasskeyInfo
    /// With `?tokens=true`, where an account was opened, the tokens of its session as well.
    public var tokens: LoginTokens?
    /// The same four as in ``tokens``.
    public var accessToken: String?
    /// See ``tokens``.
    public var refreshToken: String?
    /// Seconds until the access token expires.
    public var expiresIn: Int?
    /// See ``tokens``.
    public var tokenType: String?

    /// An answer with that, and the tokens where they are asked for.
    public init(registrationInfo: RegisteredPasskeyInfo, tokens: LoginTokens? = nil) {
        verified = true
        self.registrationInfo = registrationInfo
        self.tokens = tokens
        accessToken = tokens?.accessToken
        refreshToken = tokens?.refreshToken
        expiresIn = tokens?.expiresIn
        tokenType = tokens?.tokenType
    }
}

/// What a new passkey is.
public struct RegisteredPasskeyInfo: Codable, Sendable, Equatable {
    /// The credential id, base64url.
    public var credentialID: String
    /// `singleDevice` or `multiDevice`.
    public var credentialDeviceType: String
    /// Whether it is kept somewhere else as well.
    public var credentialBackedUp: Bool

    /// A passkey of that credential id.
    public init(credentialID: String, credentialDeviceType: String, credentialBackedUp: Bool) {
        self.credentialID = credentialID
        self.credentialDeviceType = credentialDeviceType
        self.credentialBackedUp = credentialBackedUp
    }
}

/// The answer to a sign-in by a passkey: who it was, in the members that both kinds of clients read.
public struct PasskeySignInResponse: Codable, Sendable, Equatable {
    /// Always true.
    public var verified: Bool
    /// What the person signs in as, in the letters that it was chosen in.
    public var username: String
    /// The person.
    public var user: SignedInUser
    /// With `?tokens=true`, the tokens of the session as well.
    public var tokens: LoginTokens?
    /// The same four as in ``tokens``.
    public var accessToken: String?
    /// See ``tokens``.
    public var refreshToken: String?
    /// Seconds until the access token expires.
    public var expiresIn: Int?
    /// See ``tokens``.
    public var tokenType: String?

    /// An answer with that person, and the tokens where they are asked for.
    public init(user: SignedInUser, tokens: LoginTokens?) {
        verified = true
        username = user.username
        self.user = user
        self.tokens = tokens
        accessToken = tokens?.accessToken
        refreshToken = tokens?.refreshToken
        expiresIn = tokens?.expiresIn
        tokenType = tokens?.tokenType
    }
}

/// The answer to a passkey that was added to the account of a session.
public struct PasskeyAddedResponse: Codable, Sendable, Equatable {
    /// Always true.
    public var verified: Bool
    /// The new one.
    public var device: OwnedPasskeyView

    /// An answer with that passkey.
    public init(device: OwnedPasskeyView) {
        verified = true
        self.device = device
    }
}

/// A person's passkeys.
public struct OwnedPasskeysResponse: Codable, Sendable, Equatable {
    /// The oldest first.
    public var devices: [OwnedPasskeyView]

    /// An answer with those passkeys.
    public init(devices: [OwnedPasskeyView]) { self.devices = devices }
}

/// A passkey as its owner sees it.
public struct OwnedPasskeyView: Codable, Sendable, Equatable {
    /// Names it at `/api/auth/devices/{id}`: a UUID.
    public var id: String
    /// The credential id, base64url.
    public var credentialId: String
    /// What its owner calls it; nothing before they did.
    public var name: String
    /// `singleDevice` or `multiDevice`.
    public var deviceType: String
    /// Whether it is kept somewhere else as well.
    public var backedUp: Bool
    /// How its authenticator can be reached, as far as that is known.
    public var transports: [String]
    /// UTC, `2026-01-31T09:05:00Z`.
    public var createdAt: String
    /// The same; absent before its first use.
    public var lastUsedAt: String?

    /// A passkey that was not used yet.
    public init(
        id: String,
        credentialId: String,
        name: String,
        deviceType: String,
        backedUp: Bool,
        transports: [String],
        createdAt: String
    ) {
        self.id = id
        self.credentialId = credentialId
        self.name = name
        self.deviceType = deviceType
        self.backedUp = backedUp
        self.transports = transports
        self.createdAt = createdAt
    }
}

/// `PATCH /api/auth/devices/{id}`.
public struct RenamePasskeyRequest: Codable, Sendable, Equatable {
    /// What the passkey is to be called.
    public var name: String

    /// A request for that name.
    public init(name: String) { self.name = name }
}

/// `GET /api/users`: somebody with their passkeys, on a server that lists them.
public struct ListedPasskeyUser: Codable, Sendable, Equatable {
    /// What the person signs in as.
    public var username: String
    /// How many passkeys they have.
    public var passkeysCount: Int
    /// Those, the oldest first.
    public var passkeys: [ListedPasskey]

    /// Somebody with those passkeys.
    public init(username: String, passkeys: [ListedPasskey]) {
        self.username = username
        passkeysCount = passkeys.count
        self.passkeys = passkeys
    }
}

/// A passkey in a list of everybody's.
public struct ListedPasskey: Codable, Sendable, Equatable {
    /// The first 20 characters of the credential id, and `…`.
    public var id: String
    /// `singleDevice` or `multiDevice`.
    public var deviceType: String
    /// Whether it is kept somewhere else as well.
    public var backedUp: Bool
    /// UTC, `2026-01-31T09:05:00Z`.
    public var createdAt: String

    /// A passkey of that credential id.
    public init(credentialId: String, deviceType: String, backedUp: Bool, createdAt: String) {
        id = credentialId.prefix(20) + "…"
        self.deviceType = deviceType
        self.backedUp = backedUp
        self.createdAt = createdAt
    }
}

/// `GET /api/portfolio/summary`: a sample of what only a signed-in person sees.
public struct PortfolioSummaryResponse: Codable, Sendable, Equatable {
    /// Whose it is.
    public var user: SignedInUser
    /// When that person signed in: UTC, `2026-01-31T09:05:00Z`.
    public var signedInAt: String
    /// How many passkeys they have.
    public var passkeys: Int

    /// A summary for that person.
    public init(user: SignedInUser, signedInAt: String, passkeys: Int) {
        self.user = user
        self.signedInAt = signedInAt
        self.passkeys = passkeys
    }
}

extension KeyedDecodingContainer {
    /// What is there; an empty text, as a cleared field of the published form sends it, counts as left out.
    func decodeIfPresent(_ type: LenientNumber.Type, forKey key: Key) throws -> LenientNumber? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        if let text = try? decode(String.self, forKey: key), text.isEmpty { return nil }
        return try decode(LenientNumber.self, forKey: key)
    }
}
