package import Kernel

/// A presented refresh token, with its session and its successor: the state machine of rotation.
///
/// A token has one successor, and gets the same successor if it is presented again. So a lost answer or two refreshes
/// at a time sign nobody out. After the grace period, a presentation of a replaced token means that two parties hold
/// it, and ends the session (RFC 9700 §4.14.2).
package struct RefreshFamily: Sendable, Equatable {
    package let session: Session
    package let presented: RefreshToken
    /// The token's successor, and `nil` also if the successor's row was deleted.
    package let child: RefreshToken?

    package init(session: Session, presented: RefreshToken, child: RefreshToken?) {
        self.session = session
        self.presented = presented
        self.child = child
    }

    /// Returns the effect of presenting the token.
    package func present(
        _ presentation: RefreshPresentation,
        under policy: RefreshPolicy
    ) throws(RefreshError) -> RefreshEffect {
        guard session.revocation == nil else { throw .sessionOver }
        // First: a caller without the key learns nothing of the token family and changes nothing in it.
        guard policy.takes(presentation.proof, of: session) else { throw .proofRequired }
        guard session.tokenBinding.key == nil || session.tokenBinding.key == presentation.proofKey else {
            throw .boundKeyRequired
        }
        let end = session.createdAt + policy.absoluteLifetime
        guard presentation.now < end else { throw .expired }
        guard presented.lineage.child != nil else { return try presentCurrent(presentation, under: policy, until: end) }
        return try presentReplaced(presentation)
    }

    /// Decides about the newest token of the family.
    private func presentCurrent(
        _ presentation: RefreshPresentation,
        under policy: RefreshPolicy,
        until end: Instant
    ) throws(RefreshError) -> RefreshEffect {
        guard presentation.now < presented.expiresAt else { throw .expired }
        if policy.rotation == .cookieOnly, presentation.carrier == .bearer {
            guard presentation.now < session.createdAt + RefreshPolicy.lifetimeWithoutRotation else { throw .expired }
            return .keep
        }
        return .rotate(expiresAt: min(presentation.now + policy.idleLifetime, end))
    }

    private func presentReplaced(_ presentation: RefreshPresentation) throws(RefreshError) -> RefreshEffect {
        guard presentation.now < graceEnd(presentation) else { return .revoke }
        guard let child, child.firstUsedAt == nil else { throw .superseded }
        guard presentation.now < child.expiresAt else { throw .expired }
        return .again(child)
    }

    /// Whether more than the token was presented: a proof of the session's device, or of the key that its tokens are
    /// bound to.
    func isProven(by presentation: RefreshPresentation) -> Bool {
        presentation.proof != .none
            || session.tokenBinding.key != nil && session.tokenBinding.key == presentation.proofKey
    }

    /// Returns the end of the time in which the replaced token counts as a repetition.
    private func graceEnd(_ presentation: RefreshPresentation) -> Instant {
        let rotated = child?.issuedAt ?? presented.firstUsedAt ?? presented.issuedAt
        let brief = max(rotated, presentation.serverStartedAt) + RefreshPolicy.grace
        // The grace period of a holder of the key ends a day after the rotation (``RefreshPolicy/graceOfHolders``).
        // The key's holder may repeat the refresh, however late, until the successor is in use.
        //
        // That does not hold if a caller without the key got the successor first.
        guard isProven(by: presentation), presented.isRotationProven else { return brief }
        guard let child else { return brief }
        guard let used = child.firstUsedAt else { return max(brief, rotated + RefreshPolicy.graceOfHolders) }
        return max(brief, used + RefreshPolicy.grace)
    }
}

/// The circumstances in which a refresh token is presented.
package struct RefreshPresentation: Sendable, Equatable {
    package let carrier: RefreshCarrier
    package let proof: RefreshProof
    /// The thumbprint of the key whose proof came with the request.
    package let proofKey: Digest256?
    package let now: Instant
    /// The start of the server: nobody could repeat a refresh while the server was down.
    package let serverStartedAt: Instant

    package init(
        carrier: RefreshCarrier,
        proof: RefreshProof,
        proofKey: Digest256? = nil,
        now: Instant,
        serverStartedAt: Instant
    ) {
        self.carrier = carrier
        self.proof = proof
        self.proofKey = proofKey
        self.now = now
        self.serverStartedAt = serverStartedAt
    }
}

/// The part of a request that carried a refresh token.
package enum RefreshCarrier: Sendable, CaseIterable {
    /// A header or a body: the app keeps the token, and may never read a new one.
    case bearer
    /// A cookie, which an answer replaces.
    case cookie
}

/// The proof of the session's own device that came beside the token.
///
/// The name of a device is not a proof.
package enum RefreshProof: Sendable, CaseIterable {
    case none
    case credential
    case key
}

/// The rules for refreshes of a client's sessions.
package struct RefreshPolicy: Sendable, Equatable {
    /// How long a replaced token gets its successor again, without a proof beside the token.
    package static let grace: Duration = .seconds(30)
    /// The longest grace period for the proven holder of a key or a credential.
    package static let graceOfHolders: Duration = .seconds(24 * 3600)
    /// How long a replaced token's row is kept: longer than any grace period.
    static let replacedKept: Duration = .seconds(25 * 3600)
    /// The time from the sign-in to the last refresh by a token that is never replaced.
    package static let lifetimeWithoutRotation: Duration = .seconds(12 * 3600)

    package var rotation: Rotation
    /// The longest time from one refresh to the next.
    package var idleLifetime: Duration
    /// The longest time from the sign-in to the last refresh.
    package var absoluteLifetime: Duration
    package var keySessions: KeySessions

    package init(
        rotation: Rotation,
        idleLifetime: Duration,
        absoluteLifetime: Duration,
        keySessions: KeySessions = .key
    ) {
        self.rotation = rotation
        self.idleLifetime = idleLifetime
        self.absoluteLifetime = absoluteLifetime
        self.keySessions = keySessions
    }

    /// Whether the session accepts that proof beside its refresh token.
    func takes(_ proof: RefreshProof, of session: Session) -> Bool {
        switch (session.tokenBinding.proof, proof) {
        case (.none, _), (.deviceKey, .key): true
        case (.deviceKey, .credential): keySessions == .credential
        case (.deviceKey, .none): false
        }
    }

    /// The proof that a session opened by a device's key needs beside its refresh token.
    package enum KeySessions: Sendable {
        /// A signature of the key.
        case key
        /// The device credential, for an app that sends only the token in the body.
        ///
        /// Such a refresh proves the device, but no key.
        case credential
    }

    /// The rule for replacing a token.
    package enum Rotation: Sendable {
        case always
        /// Never outside a cookie, because the app would not keep the new token.
        case cookieOnly
    }
}

/// The effect of a presented refresh token.
package enum RefreshEffect: Sendable, Equatable {
    /// The token is replaced by a new token, valid until then.
    case rotate(expiresAt: Instant)
    /// The token was already replaced by this token.
    case again(RefreshToken)
    /// The token stays as it is.
    case keep
    /// The token was replaced too long ago: the session ends.
    case revoke
}

/// The reason for refusing a refresh token.
package enum RefreshError: Error, Sendable, Equatable, CaseIterable {
    /// The session or its device was revoked, its account is disabled, or its client no longer exists.
    case sessionOver
    /// The idle or the absolute lifetime has passed.
    case expired
    /// The token was replaced, and its successor is in use.
    case superseded
    /// The session needs the proof of its key; the token stays valid.
    case proofRequired
    /// The session's tokens are bound to a key whose proof is missing; the token stays valid.
    case boundKeyRequired
    /// The token was replaced too long ago, and presenting it ended the session.
    case reused
    /// The session is unknown, or may not be refreshed where the token was presented.
    case unknown
}
