package import Kernel

/// An open ceremony, with the values that its response is checked against.
///
/// Only the client has the challenge itself. The database finds the row by the challenge's SHA-256.
package struct PasskeyChallenge: Sendable, Equatable {
    /// SHA-256 of the challenge.
    package let digest: Digest256
    /// The binding to the client that may respond: see ``ChallengeBinding``.
    package let binding: Digest256
    /// The keyed digest of the request's source, by which open challenges are counted.
    package let source: Digest256
    package let rpID: String
    package let userVerification: UserVerificationRequirement
    package let purpose: Purpose
    package let createdAt: Instant
    package let expiresAt: Instant

    package init(
        digest: Digest256,
        binding: Digest256,
        source: Digest256,
        rpID: String,
        userVerification: UserVerificationRequirement,
        purpose: Purpose,
        createdAt: Instant,
        expiresAt: Instant
    ) {
        self.digest = digest
        self.binding = binding
        self.source = source
        self.rpID = rpID
        self.userVerification = userVerification
        self.purpose = purpose
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// The ceremony of the challenge.
    package enum Purpose: Sendable, Equatable {
        case registration(Registration)
        case authentication(SignIn)
    }

    /// The registration of a passkey.
    package struct Registration: Sendable, Equatable {
        /// The account of the new passkey; `nil` if a new account is opened under ``name``.
        package let account: AccountID?
        /// The user name that the authenticator was given, as it was typed.
        package let name: String
        package let userHandle: [UInt8]
        /// The offered algorithms.
        package let algorithms: [COSEAlgorithm]
        package let residentKey: ResidentKeyRequirement
        package let attestation: AttestationConveyance

        package init(
            account: AccountID?,
            name: String,
            userHandle: [UInt8],
            algorithms: [COSEAlgorithm],
            residentKey: ResidentKeyRequirement,
            attestation: AttestationConveyance
        ) {
            self.account = account
            self.name = name
            self.userHandle = userHandle
            self.algorithms = algorithms
            self.residentKey = residentKey
            self.attestation = attestation
        }
    }

    /// The user who may sign in.
    package enum SignIn: Sendable, Equatable {
        /// Any passkey may sign in.
        case anybody
        /// A user name as names are compared, and its account. For an unknown name the account is `nil`, and no passkey
        /// signs in.
        case named(String, AccountID?)
    }
}

/// The binding of a challenge to its recipient: a digest of a secret that only the recipient has.
package enum ChallengeBinding: Sendable, Equatable {
    /// The `challengeId` that was sent with the challenge.
    case id(Secret)
    /// The cookie of the web session, or of a browser without a session.
    case cookie(Secret)
    /// The ticket of a login's page: the signature confirms that login, and does not sign in.
    case ticket(Secret)
    /// A payment and the paying session: the signature confirms that payment, and does not sign in.
    case payment(Secret)

    package var digest: Digest256 {
        switch self {
        case .id(let secret): Digest256(sha256: "challenge id\n" + secret.expose())
        case .cookie(let secret): Digest256(sha256: "cookie\n" + secret.expose())
        case .ticket(let secret): Digest256(sha256: "ticket\n" + secret.expose())
        case .payment(let secret): Digest256(sha256: "payment\n" + secret.expose())
        }
    }
}

/// The lifetime and the largest number of open challenges.
package enum ChallengePolicy {
    /// Ten minutes: existing clients request a challenge when a screen opens, and keep it until a button is pressed.
    package static let lifetime: Duration = .seconds(600)
    /// The most open challenges of one address (a /64 of IPv6), whose oldest a further challenge replaces.
    package static let openPerSource = 1000
    /// The most open challenges in total, whose oldest a further challenge replaces.
    package static let openInAll = 100_000
}
