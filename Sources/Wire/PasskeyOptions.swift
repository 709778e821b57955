/// What a browser or an app makes a passkey by (`PublicKeyCredentialCreationOptionsJSON`, WebAuthn L3 §5.1.9).
public struct PasskeyCreationOptions: Codable, Sendable, Equatable {
    /// 256 random bits, base64url.
    public var challenge: String
    /// For whom.
    public var rp: PasskeyRelyingParty
    /// Whose it will be.
    public var user: PasskeyUser
    /// Which signatures are taken, the preferred first.
    public var pubKeyCredParams: [PasskeyAlgorithm]
    /// Milliseconds that the person has.
    public var timeout: Int
    /// Passkeys that the account has already: an authenticator with one of them makes no second.
    public var excludeCredentials: [PasskeyDescriptor]
    /// What authenticator is asked for.
    public var authenticatorSelection: PasskeyAuthenticatorSelection
    /// `none`, `indirect`, `direct` or `enterprise`.
    public var attestation: String
    /// What is asked for beside.
    public var extensions: PasskeyExtensions
    /// `security-key`, `client-device` or `hybrid`: what the browser is to offer first.
    public var hints: [String]
    /// Names the challenge at the verification; absent where the cookie does.
    public var challengeId: String?

    /// Options for a passkey.
    public init(
        challenge: String,
        rp: PasskeyRelyingParty,
        user: PasskeyUser,
        pubKeyCredParams: [PasskeyAlgorithm],
        timeout: Int,
        excludeCredentials: [PasskeyDescriptor],
        authenticatorSelection: PasskeyAuthenticatorSelection,
        attestation: String,
        hints: [String],
        challengeId: String?
    ) {
        self.challenge = challenge
        self.rp = rp
        self.user = user
        self.pubKeyCredParams = pubKeyCredParams
        self.timeout = timeout
        self.excludeCredentials = excludeCredentials
        self.authenticatorSelection = authenticatorSelection
        self.attestation = attestation
        extensions = PasskeyExtensions()
        self.hints = hints
        self.challengeId = challengeId
    }
}

/// What a browser or an app signs in with a passkey by (`PublicKeyCredentialRequestOptionsJSON`, WebAuthn L3 §5.1.10).
public struct PasskeyRequestOptions: Codable, Sendable, Equatable {
    /// 256 random bits, base64url.
    public var challenge: String
    /// For whom.
    public var rpId: String
    /// Those that may answer; empty where any of this relying party's may.
    public var allowCredentials: [PasskeyDescriptor]
    /// Milliseconds that the person has.
    public var timeout: Int
    /// `required`, `preferred` or `discouraged`.
    public var userVerification: String
    /// See ``PasskeyCreationOptions/hints``.
    public var hints: [String]
    /// Names the challenge at the verification; absent where the cookie does.
    public var challengeId: String?

    /// Options for a sign-in.
    public init(
        challenge: String,
        rpId: String,
        allowCredentials: [PasskeyDescriptor],
        timeout: Int,
        userVerification: String,
        hints: [String] = [],
        challengeId: String?
    ) {
        self.challenge = challenge
        self.rpId = rpId
        self.allowCredentials = allowCredentials
        self.timeout = timeout
        self.userVerification = userVerification
        self.hints = hints
        self.challengeId = challengeId
    }
}

/// The relying party of a passkey.
public struct PasskeyRelyingParty: Codable, Sendable, Equatable {
    /// A domain.
    public var id: String
    /// What people know it as.
    public var name: String

    /// A relying party of that domain.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// The account that a passkey is made for.
public struct PasskeyUser: Codable, Sendable, Equatable {
    /// The user handle: random bytes, base64url.
    public var id: String
    /// What the person signs in as.
    public var name: String
    /// What the person is called.
    public var displayName: String

    /// An account of that handle.
    public init(id: String, name: String, displayName: String) {
        self.id = id
        self.name = name
        self.displayName = displayName
    }
}

/// A signature algorithm.
public struct PasskeyAlgorithm: Codable, Sendable, Equatable {
    /// Its number in the registry of COSE.
    public var alg: Int
    /// Always `public-key`.
    public var type: String

    /// The algorithm of that number.
    public init(alg: Int) {
        self.alg = alg
        type = "public-key"
    }
}

/// Names a passkey to a browser or an app.
public struct PasskeyDescriptor: Codable, Sendable, Equatable {
    /// Always `public-key`.
    public var type: String
    /// The credential id, base64url.
    public var id: String
    /// How its authenticator can be reached, as far as that is known.
    public var transports: [String]

    /// The passkey of that credential id.
    public init(id: String, transports: [String]) {
        type = "public-key"
        self.id = id
        self.transports = transports
    }
}

/// What authenticator a new passkey is asked of.
public struct PasskeyAuthenticatorSelection: Codable, Sendable, Equatable {
    /// `required`, `preferred` or `discouraged`: whether it is to be found without a name.
    public var residentKey: String
    /// Whether ``residentKey`` is `required`.
    public var requireResidentKey: Bool
    /// `required`, `preferred` or `discouraged`.
    public var userVerification: String
    /// `platform` or `cross-platform`; absent for either.
    public var authenticatorAttachment: String?

    /// A selection by these.
    public init(residentKey: String, userVerification: String, authenticatorAttachment: String?) {
        self.residentKey = residentKey
        requireResidentKey = residentKey == "required"
        self.userVerification = userVerification
        self.authenticatorAttachment = authenticatorAttachment
    }
}

/// What is asked for beside a new passkey.
public struct PasskeyExtensions: Codable, Sendable, Equatable {
    /// Whether the client is to say if the passkey can be found without a name (WebAuthn L3 §10.1.3).
    public var credProps: Bool

    /// The usual ones.
    public init() { credProps = true }
}
