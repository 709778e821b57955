import Wire

/// The body of `POST /api/generate-registration-options`, with all settings of the published page's form.
///
/// An empty text, and the published page's `any` or `none`, count as missing.
struct PasskeyRegistrationRequest: Codable, Sendable, Equatable {
    var username: String?
    /// `none`, `indirect`, `direct` or `enterprise`.
    var attestationType: String?
    /// `required`, `preferred` or `discouraged`.
    var userVerification: String?
    /// `required`, `preferred` or `discouraged`.
    var residentKey: String?
    /// `any`, `platform` or `cross-platform`.
    var authenticatorAttachment: String?
    /// Milliseconds, as a number or a text.
    var timeout: LenientNumber?
    /// Algorithms by their COSE numbers.
    var supportedAlgorithmIDs: [Int]?
    /// `none`, `securityKey`, `localDevice` or `remoteDevice`.
    var preferredAuthenticatorType: String?
    /// A name of the relying party, out of the server's list.
    var customRpName: String?
    /// An id of the relying party, out of the server's list.
    var customRpID: String?
}

/// The body of `POST /api/generate-authentication-options` and of the published apps' other requests that name a user.
struct PasskeySignInRequest: Codable, Sendable, Equatable {
    /// The user who signs in; `nil` lets any passkey of this relying party answer.
    var username: String?
    /// `required`, `preferred` or `discouraged`.
    var userVerification: String?
    /// Milliseconds, as a number or a text.
    var timeout: LenientNumber?
    /// An id of the relying party, out of the server's list.
    var customRpID: String?
}

/// A whole number, which some clients send as a text.
struct LenientNumber: Codable, Sendable, Equatable {
    var value: Int

    /// Decodes a number, or a text that consists of digits.
    init(from decoder: any Decoder) throws {
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

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

/// The answer to a registration, for clients that use `challengeId`.
struct PasskeyRegisteredResponse: Codable, Sendable, Equatable {
    /// Always true.
    var verified = true
    var registrationInfo: RegisteredPasskeyInfo
    /// With `?tokens=true`, the tokens of the session, if an account was opened.
    var tokens: LoginTokens?
    /// The four members of ``tokens``, repeated.
    var accessToken: String?
    var refreshToken: String?
    var expiresIn: Int?
    var tokenType: String?

    init(registrationInfo: RegisteredPasskeyInfo, tokens: LoginTokens? = nil) {
        self.registrationInfo = registrationInfo
        self.tokens = tokens
        accessToken = tokens?.accessToken
        refreshToken = tokens?.refreshToken
        expiresIn = tokens?.expiresIn
        tokenType = tokens?.tokenType
    }
}

/// A new passkey.
struct RegisteredPasskeyInfo: Codable, Sendable, Equatable {
    /// The credential id, base64url.
    var credentialID: String
    /// `singleDevice` or `multiDevice`.
    var credentialDeviceType: String
    /// Whether the passkey is backed up.
    var credentialBackedUp: Bool
}

/// The answer to a sign-in by passkey, with the user's members for both kinds of clients.
struct PasskeySignInResponse: Codable, Sendable, Equatable {
    /// Always true.
    var verified = true
    /// The user name as its owner typed it, in the original case.
    var username: String
    var user: SignedInUser
    /// With `?tokens=true`, the tokens of the session.
    var tokens: LoginTokens?
    /// The four members of ``tokens``, repeated.
    var accessToken: String?
    var refreshToken: String?
    var expiresIn: Int?
    var tokenType: String?

    init(user: SignedInUser, tokens: LoginTokens?) {
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
struct PasskeyAddedResponse: Codable, Sendable, Equatable {
    /// Always true.
    var verified = true
    /// The new passkey.
    var device: OwnedPasskeyView
}

/// A person's passkeys.
struct OwnedPasskeysResponse: Codable, Sendable, Equatable {
    /// The oldest first.
    var devices: [OwnedPasskeyView]
    /// Whether a passkey that is added in this session waits a day before it counts for apps that require one.
    var newPasskeysWait: Bool
}

/// A passkey as its owner sees it.
struct OwnedPasskeyView: Codable, Sendable, Equatable {
    /// A UUID, the id at `/api/auth/devices/{id}`.
    var id: String
    /// The credential id, base64url.
    var credentialId: String
    /// The owner's name for the passkey; empty until it is set.
    var name: String
    /// `singleDevice` or `multiDevice`.
    var deviceType: String
    /// Whether the passkey is backed up.
    var backedUp: Bool
    /// The transports of the authenticator, as far as they are known.
    var transports: [String]
    /// UTC, `2026-01-31T09:05:00Z`.
    var createdAt: String
    /// `nil` before the first use.
    var lastUsedAt: String?
}

/// The body of `PATCH /api/auth/devices/{id}`.
struct RenamePasskeyRequest: Codable, Sendable, Equatable {
    var name: String
}

/// A user with their passkeys, in the answer to `GET /api/users` on a server that lists them.
struct ListedPasskeyUser: Codable, Sendable, Equatable {
    var username: String
    var passkeysCount: Int
    /// The oldest first.
    var passkeys: [ListedPasskey]
}

/// A passkey in a list of all users.
struct ListedPasskey: Codable, Sendable, Equatable {
    /// The first 20 characters of the credential id, and `…`.
    var id: String
    /// `singleDevice` or `multiDevice`.
    var deviceType: String
    /// Whether the passkey is backed up.
    var backedUp: Bool
    /// UTC, `2026-01-31T09:05:00Z`.
    var createdAt: String
}

/// The answer to `GET /api/portfolio/summary`: sample data for signed-in people.
struct PortfolioSummaryResponse: Codable, Sendable, Equatable {
    var user: SignedInUser
    /// UTC, `2026-01-31T09:05:00Z`.
    var signedInAt: String
    var passkeys: Int
}

extension KeyedDecodingContainer {
    /// Decodes a number; an empty text, which the published form sends for a cleared field, counts as missing.
    func decodeIfPresent(_ type: LenientNumber.Type, forKey key: Key) throws -> LenientNumber? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        if let text = try? decode(String.self, forKey: key), text.isEmpty { return nil }
        return try decode(LenientNumber.self, forKey: key)
    }
}
