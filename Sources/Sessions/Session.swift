package import Kernel

/// One sign-in that lasts: what tokens name by `sid`.
package struct Session: Sendable, Equatable {
    package let id: SessionID
    package let account: AccountID
    package let client: String
    /// The linked device, where there is one.
    package let device: DeviceID?
    /// Whether the sign-in proved to be on that device, and did not only name it.
    ///
    /// A session ends with its device either way. What a device is given for good takes the proof.
    package let isDeviceProven: Bool
    package let createdAt: Instant
    /// When the person proved who they are.
    package let authenticatedAt: Instant
    /// How (RFC 8176 values): `face`, `pwd`; none where opening the account was the sign-in and no password was set.
    package private(set) var methods: [String]
    /// What its refresh tokens are no good without.
    package let binding: Binding
    /// The thumbprint of the key that its tokens are bound to (RFC 9449): none of them is any good without a proof of it.
    package let proofKey: Digest256?
    /// The passkey that it began with, which may be gone by now.
    package let passkey: PasskeyID?
    package let revokedAt: Instant?
    /// Why it was, where that is known.
    package let revokedBecause: RevocationReason?

    package init(
        id: SessionID,
        account: AccountID,
        client: String,
        device: DeviceID?,
        isDeviceProven: Bool = false,
        createdAt: Instant,
        authenticatedAt: Instant,
        methods: [String],
        binding: Binding = .none,
        proofKey: Digest256? = nil,
        passkey: PasskeyID? = nil,
        revokedAt: Instant?,
        revokedBecause: RevocationReason? = nil
    ) {
        self.id = id
        self.account = account
        self.client = client
        self.device = device
        self.isDeviceProven = isDeviceProven
        self.createdAt = createdAt
        self.authenticatedAt = authenticatedAt
        self.methods = methods
        self.binding = binding
        self.proofKey = proofKey
        self.passkey = passkey
        self.revokedAt = revokedAt
        self.revokedBecause = revokedBecause
    }

    /// The session as tokens may tell of it after a refresh with that proof.
    ///
    /// A session of a device's key has its methods by the key's word alone (RFC 8176 §2: `hwk` is a proof of possession): a
    /// refresh without the key claims none of them.
    func claiming(_ proof: RefreshProof) -> Session {
        guard binding == .deviceKey, proof != .key else { return self }
        var shown = self
        shown.methods = []
        return shown
    }

    /// What a session was opened with, and its refresh tokens need ever after.
    package enum Binding: String, Sendable, CaseIterable {
        case none
        /// The key of ``Session/device``.
        case deviceKey = "device-key"
    }
}

/// The reason for revoking a session, as shown to its owner.
package enum RevocationReason: String, Sendable, CaseIterable {
    case signedOut = "signed_out"
    case signedOutEverywhere = "signed_out_everywhere"
    /// A refresh token was presented that had been replaced, or a code that had been redeemed: two hold what one was given
    /// (RFC 9700 §4.14.2, RFC 6749 §4.1.2).
    case refreshReuse = "refresh_reuse"
    /// The owner said of the sign-in that it wasn't theirs.
    case notMe = "not_me"
    case accountDisabled = "account_disabled"
    /// The device that it was on is the account's no longer.
    case deviceRevoked = "device_revoked"
    /// The password was changed in another session, or by an operator.
    case passwordChanged = "password_changed"
    /// An address of the account was proved: from another device, so that what was before may be somebody else's, or in the
    /// place of the one before.
    case addressProved = "address_proved"
    /// The passkey that it began with was removed, in another session or by an operator.
    case passkeyRemoved = "passkey_removed"
    /// By an operator, with `vestibule sessions revoke`.
    case revokedByOperator = "revoked_by_operator"
}

/// One refresh token's row.
///
/// The token itself is kept nowhere: the row is found by SHA-256 of its `jti`.
package struct RefreshToken: Sendable, Equatable {
    /// SHA-256 of the `jti`.
    package let key: Digest256
    package let session: SessionID
    /// The first token of the line of rotations that this one is of.
    package let family: Digest256
    package let parent: Digest256?
    package let child: Digest256?
    package let issuedAt: Instant
    /// When the row may go: the token's `exp`, and sooner once it was replaced.
    package let expiresAt: Instant
    /// When it was first presented.
    package let firstUsedAt: Instant?
    /// Whether who replaced it proved the session's device beside it.
    package let isRotationProven: Bool

    package init(
        key: Digest256,
        session: SessionID,
        family: Digest256,
        parent: Digest256?,
        child: Digest256?,
        issuedAt: Instant,
        expiresAt: Instant,
        firstUsedAt: Instant?,
        isRotationProven: Bool = false
    ) {
        self.key = key
        self.session = session
        self.family = family
        self.parent = parent
        self.child = child
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.firstUsedAt = firstUsedAt
        self.isRotationProven = isRotationProven
    }
}
