package import Kernel

/// A lasting sign-in, which tokens name by `sid`.
package struct Session: Sendable, Equatable {
    package let id: SessionID
    package let account: AccountID
    package let client: String
    package let linkedDevice: LinkedDevice?
    package let createdAt: Instant
    package private(set) var authentication: Authentication
    package let tokenBinding: TokenBinding
    /// The early end of the session; `nil` while the session is active.
    package let revocation: Revocation?

    package init(
        id: SessionID,
        account: AccountID,
        client: String,
        linkedDevice: LinkedDevice?,
        createdAt: Instant,
        authentication: Authentication,
        tokenBinding: TokenBinding = TokenBinding(),
        revocation: Revocation? = nil
    ) {
        self.id = id
        self.account = account
        self.client = client
        self.linkedDevice = linkedDevice
        self.createdAt = createdAt
        self.authentication = authentication
        self.tokenBinding = tokenBinding
        self.revocation = revocation
    }

    /// Returns the session as tokens may describe it after a refresh with that proof.
    ///
    /// The methods of a session that a device's key opened depend on the key alone (RFC 8176 §2: `hwk` is a proof of
    /// possession). A refresh without the key claims none of them.
    func claiming(_ proof: RefreshProof) -> Session {
        guard tokenBinding.proof == .deviceKey, proof != .key else { return self }
        var shown = self
        shown.authentication.methods = []
        return shown
    }

    /// The linked device of a session, which ends when the device is revoked.
    package struct LinkedDevice: Sendable, Equatable {
        package let id: DeviceID
        /// Whether the sign-in proved to be on that device, and did not only name it.
        ///
        /// Permanent rights of a device need the proof.
        package let isProven: Bool

        package init(id: DeviceID, isProven: Bool = false) {
            self.id = id
            self.isProven = isProven
        }
    }

    /// The sign-in that opened a session.
    package struct Authentication: Sendable, Equatable {
        /// The time of the sign-in.
        package let at: Instant
        /// The methods of the sign-in (RFC 8176 values): `face`, `pwd`.
        ///
        /// Empty if opening the account was the sign-in and no password was set.
        package fileprivate(set) var methods: [String]
        /// The passkey that the session began with, which may be removed by now.
        package let passkey: PasskeyID?
        /// The address and browser of the sign-in; `nil` if they are unknown.
        package let origin: Origin?

        package init(at: Instant, methods: [String], passkey: PasskeyID? = nil, origin: Origin? = nil) {
            self.at = at
            self.methods = methods
            self.passkey = passkey
            self.origin = origin
        }
    }

    /// The network address and the browser of a sign-in, as its owner sees them.
    package struct Origin: Sendable, Equatable {
        /// The network address; empty if it is unknown.
        package let address: String
        /// The names of browser and system; empty if they are unknown.
        package let agent: String

        package init(address: String, agent: String) {
            self.address = String(address.prefix(100))
            self.agent = String(agent.prefix(100))
        }

        /// Creates the origin of which at least one part is known; `nil` if neither is.
        package init?(ifKnown address: String, agent: String) {
            guard !address.isEmpty || !agent.isEmpty else { return nil }
            self.init(address: address, agent: agent)
        }
    }

    /// The proof and the key that a session's tokens are bound to.
    package struct TokenBinding: Sendable, Equatable {
        /// The proof that the session's refresh tokens need.
        package let proof: Binding
        /// The thumbprint of the key that the session's tokens are bound to (RFC 9449).
        ///
        /// No token is valid without a proof of this key.
        package let key: Digest256?

        package init(proof: Binding = .none, key: Digest256? = nil) {
            self.proof = proof
            self.key = key
        }
    }

    /// The time of a revocation, and its reason.
    package struct Revocation: Sendable, Equatable {
        package let at: Instant
        /// `nil` if the reason is unknown.
        package let reason: RevocationReason?

        package init(at: Instant, reason: RevocationReason?) {
            self.at = at
            self.reason = reason
        }
    }

    /// The proof that opened a session, and that its refresh tokens need from then on.
    package enum Binding: String, Sendable, CaseIterable {
        case none
        /// The key of ``Session/linkedDevice``.
        case deviceKey = "device-key"
    }
}

/// The reason for revoking a session, as shown to its owner.
package enum RevocationReason: String, Sendable, CaseIterable {
    /// The person signed out.
    case signedOut = "signed_out"
    /// The person signed out of all sessions.
    case signedOutEverywhere = "signed_out_everywhere"
    /// A replaced refresh token or a redeemed code was presented: two parties hold it (RFC 9700 §4.14.2, RFC 6749
    /// §4.1.2).
    case refreshReuse = "refresh_reuse"
    /// The owner reported that the sign-in wasn't theirs.
    case notMe = "not_me"
    /// An operator disabled the account.
    case accountDisabled = "account_disabled"
    /// The session's device no longer belongs to the account.
    case deviceRevoked = "device_revoked"
    /// The password was changed in another session, or by an operator.
    case passwordChanged = "password_changed"
    /// An address of the account was verified.
    ///
    /// It came from another device, so that earlier access may be an attacker's, or it replaced the previous address.
    case addressProved = "address_proved"
    /// The passkey that the session began with was removed, in another session or by an operator.
    case passkeyRemoved = "passkey_removed"
    /// An operator revoked the session, with `vestibule sessions revoke`.
    case revokedByOperator = "revoked_by_operator"
}

/// The row of a refresh token.
///
/// The token itself is not stored: its row is found by SHA-256 of its `jti`.
package struct RefreshToken: Sendable, Equatable {
    /// SHA-256 of the `jti`.
    package let key: Digest256
    package let session: SessionID
    package let lineage: Lineage
    package let issuedAt: Instant
    /// The end of the row: the token's `exp`, or earlier once the token was replaced.
    package let expiresAt: Instant
    /// The time of the first presentation.
    package let firstUsedAt: Instant?
    /// Whether the session's device was proved beside the token when it was replaced.
    package let isRotationProven: Bool

    package init(
        key: Digest256,
        session: SessionID,
        lineage: Lineage,
        issuedAt: Instant,
        expiresAt: Instant,
        firstUsedAt: Instant?,
        isRotationProven: Bool = false
    ) {
        self.key = key
        self.session = session
        self.lineage = lineage
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.firstUsedAt = firstUsedAt
        self.isRotationProven = isRotationProven
    }

    /// The position of a token in its family.
    package struct Lineage: Sendable, Equatable {
        /// The first token of the family.
        package let family: Digest256
        package let parent: Digest256?
        package let child: Digest256?

        package init(family: Digest256, parent: Digest256?, child: Digest256?) {
            self.family = family
            self.parent = parent
            self.child = child
        }
    }
}
