package import Kernel

/// An open ceremony, to check its answer against.
///
/// Only the client has the challenge itself; a row is found by its SHA-256.
package struct PasskeyChallenge: Sendable, Equatable {
    /// SHA-256 of the challenge.
    package let digest: Digest256
    /// The binding to the client that may answer: see ``ChallengeBinding``.
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

    /// The purpose of the answer.
    package enum Purpose: Sendable, Equatable {
        case registration(Registration)
        case authentication(SignIn)
    }

    /// A passkey to be made.
    package struct Registration: Sendable, Equatable {
        /// The account of the new passkey; `nil` opens an account under the name.
        package let account: AccountID?
        /// The name that the authenticator was given, as it was typed.
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

    /// A sign-in.
    package enum SignIn: Sendable, Equatable {
        /// Any passkey may answer.
        case anybody
        /// The named user, in the form in which names are compared, and the account; no passkey signs in to an unknown
        /// name.
        case named(String, AccountID?)
    }
}

/// The binding of a challenge to its recipient: a digest of a secret that only the recipient has.
package enum ChallengeBinding: Sendable, Equatable {
    /// The `challengeId` of the answer that the challenge came in.
    case id(Secret)
    /// The cookie of the web session, or of the browser before it has one.
    case cookie(Secret)
    /// The ticket of a login's page: a signature there confirms that login, and does not sign in.
    case ticket(Secret)
    /// A payment and the paying session: a signature there confirms that payment, and does not sign in.
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
    /// Clients in the field ask for one when a screen opens and keep it beside a button.
    package static let lifetime: Duration = .seconds(600)
    /// The limit for one address (a /64 of IPv6): a further challenge replaces its oldest.
    package static let openPerSource = 1000
    /// The limit in all: a further challenge replaces the oldest.
    package static let openInAll = 100_000
}
