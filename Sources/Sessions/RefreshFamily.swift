package import Kernel

/// A refresh token that is presented, with all that decides what becomes of it: the machine of rotation.
///
/// The line is straight: a token has one successor, and presented again it gets that one again, so that a lost answer or
/// two refreshes at a time sign nobody out. Once the grace for that is over, a token that was replaced says that two hold
/// what one was given, and ends the session (RFC 9700 §4.14.2).
package struct RefreshFamily: Sendable, Equatable {
    package let session: Session
    package let presented: RefreshToken
    /// What it was rotated into; `nil` too where that row is gone.
    package let child: RefreshToken?

    package init(session: Session, presented: RefreshToken, child: RefreshToken?) {
        self.session = session
        self.presented = presented
        self.child = child
    }

    /// What is to be done for whoever presents the token.
    package func present(
        _ presentation: RefreshPresentation,
        under policy: RefreshPolicy
    ) throws(RefreshError) -> RefreshEffect {
        guard session.revokedAt == nil else { throw .sessionOver }
        // Before all else: who lacks the key learns nothing of the line and changes nothing in it.
        guard policy.takes(presentation.proof, of: session) else { throw .proofRequired }
        guard session.proofKey == nil || session.proofKey == presentation.proofKey else { throw .boundKeyRequired }
        let end = session.createdAt + policy.absoluteLifetime
        guard presentation.now < end else { throw .expired }
        guard presented.child != nil else { return try presentCurrent(presentation, policy, end) }
        return try presentReplaced(presentation)
    }

    /// The newest of the line.
    private func presentCurrent(
        _ presentation: RefreshPresentation,
        _ policy: RefreshPolicy,
        _ end: Instant
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

    /// Whether more than the token was shown: something of the session's device, or the key that its tokens are bound to.
    func isProven(by presentation: RefreshPresentation) -> Bool {
        presentation.proof != .none || session.proofKey != nil && session.proofKey == presentation.proofKey
    }

    /// Until when the replaced token is taken for a repetition.
    private func graceEnd(_ presentation: RefreshPresentation) -> Instant {
        let rotated = child?.issuedAt ?? presented.firstUsedAt ?? presented.issuedAt
        let brief = max(rotated, presentation.serverStartedAt) + RefreshPolicy.grace
        // The holder of the key is the same one, however late, until what it was given is in use; but not if somebody
        // without it took the successor first.
        guard isProven(by: presentation), presented.isRotationProven else { return brief }
        guard let child else { return brief }
        guard let used = child.firstUsedAt else { return max(brief, rotated + RefreshPolicy.graceOfHolders) }
        return max(brief, used + RefreshPolicy.grace)
    }
}

/// How and when a refresh token is presented.
package struct RefreshPresentation: Sendable, Equatable {
    package let carrier: RefreshCarrier
    package let proof: RefreshProof
    /// The thumbprint of the key whose proof came with the request.
    package let proofKey: Digest256?
    package let now: Instant
    /// Nobody could ask again while the server was away.
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

/// What a refresh token came in.
package enum RefreshCarrier: Sendable, CaseIterable {
    /// A header or a body: the app keeps the token, and may be one that never learns of a new one.
    case bearer
    /// A cookie, which an answer replaces.
    case cookie
}

/// What was shown beside the token, of the session's own device.
///
/// The name of a device is none of it.
package enum RefreshProof: Sendable, CaseIterable {
    case none
    case credential
    case key
}

/// What a client's sessions are allowed.
package struct RefreshPolicy: Sendable, Equatable {
    /// How long a replaced token gets its successor again, for a client that proves nothing beside it.
    package static let grace: Duration = .seconds(30)
    /// The same for the proven holder of a key or a credential, at most.
    package static let graceOfHolders: Duration = .seconds(24 * 3600)
    /// For how long a replaced token's row is kept: longer than any grace.
    static let replacedKept: Duration = .seconds(25 * 3600)
    /// From the sign-in to the last refresh by a token that is never replaced.
    package static let lifetimeWithoutRotation: Duration = .seconds(12 * 3600)

    package let rotation: Rotation
    /// From one refresh to the next.
    package let idleLifetime: Duration
    /// From the sign-in to the last refresh.
    package let absoluteLifetime: Duration
    package let keySessions: KeySessions

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

    /// Whether the session goes on with that proof beside its refresh token.
    func takes(_ proof: RefreshProof, of session: Session) -> Bool {
        switch (session.binding, proof) {
        case (.none, _), (.deviceKey, .key): true
        case (.deviceKey, .credential): keySessions == .credential
        case (.deviceKey, .none): false
        }
    }

    /// What a session that a device's key opened needs beside its refresh token.
    package enum KeySessions: Sendable {
        /// A signature of the key.
        case key
        /// The device credential will do, for an app that sends nothing but the token in the body: such a refresh proves
        /// the device, and no key.
        case credential
    }

    /// When a token is replaced.
    package enum Rotation: Sendable {
        case always
        /// Never outside a cookie: the app would not keep the new one.
        case cookieOnly
    }
}

/// What a presented refresh token sets off.
package enum RefreshEffect: Sendable, Equatable {
    /// It is replaced by a new one, which is good until then.
    case rotate(expiresAt: Instant)
    /// It was replaced already, by this one.
    case again(RefreshToken)
    /// It stays as it is.
    case keep
    /// It was replaced too long ago: the session ends.
    case revoke
}

/// Why a refresh token gets nothing.
package enum RefreshError: Error, Sendable, Equatable, CaseIterable {
    /// The session was revoked, or its account or client is no more.
    case sessionOver
    /// The idle or the absolute lifetime is over.
    case expired
    /// Replaced, and the successor is in use.
    case superseded
    /// The session needs the proof of its key; the token is as good as before.
    case proofRequired
    /// The session's tokens are bound to a key, and no proof of it came; the token is as good as before.
    case boundKeyRequired
    /// Replaced long ago: the session was ended by this.
    case reused
    /// No session of ours, or none that may be refreshed where the token was shown.
    case unknown
}
