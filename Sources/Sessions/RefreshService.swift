package import Kernel

/// A request to refresh: the claims of a token with a valid signature.
package struct RefreshCommand: Sendable, Equatable {
    package let account: AccountID
    package let session: SessionID
    /// SHA-256 of the token's `jti`.
    package let key: Digest256
    /// The key of the token's successor, the same for every presentation of the token.
    package let successor: Digest256
    /// The clients whose sessions the route may refresh.
    package let clients: Set<String>
    package let carrier: RefreshCarrier
    package let evidence: RefreshEvidence

    package init(
        account: AccountID,
        session: SessionID,
        key: Digest256,
        successor: Digest256,
        clients: Set<String>,
        carrier: RefreshCarrier,
        evidence: RefreshEvidence = RefreshEvidence()
    ) {
        self.account = account
        self.session = session
        self.key = key
        self.successor = successor
        self.clients = clients
        self.carrier = carrier
        self.evidence = evidence
    }

    /// Whether the session is that of the token, and may be refreshed or ended at this route.
    func names(_ session: Session) -> Bool {
        session.id == self.session && session.account == account && clients.contains(session.client)
    }
}

/// The evidence that a caller presents beside the token, not yet checked.
package struct RefreshEvidence: Sendable, Equatable {
    /// SHA-256 of the device credential's text.
    package let credential: Digest256?
    package let signature: Signature?
    /// The thumbprint of the key whose proof for the request was verified (RFC 9449).
    package var proofKey: Digest256?

    package init(credential: Digest256? = nil, signature: Signature? = nil, proofKey: Digest256? = nil) {
        self.credential = credential
        self.signature = signature
        self.proofKey = proofKey
    }

    package var isEmpty: Bool { !isOfDevice && proofKey == nil }

    /// Whether any of the evidence is about the session's device.
    var isOfDevice: Bool { credential != nil || signature != nil }

    /// The device key's signature for this one refresh.
    package struct Signature: Sendable, Equatable {
        /// The id that the client gave the device.
        package let device: String
        /// SHA-256 of the refresh token's text.
        package let token: Digest256
        /// A number that grows from one signature of the device to the next.
        package let count: Int64
        package let bytes: [UInt8]

        package init(device: String, token: Digest256, count: Int64, bytes: [UInt8]) {
            self.device = device
            self.token = token
            self.count = count
            self.bytes = bytes
        }
    }
}

/// Port: answers a refresh's questions about accounts and devices, in the refresh's unit of work.
package protocol RefreshSubjects: Sendable {
    /// Whether the session's account is active and the session's device was not revoked.
    func mayContinue(_ session: Session, in transaction: borrowing Transaction) throws -> Bool

    /// Returns what the evidence proves of the session's own device.
    func proof(
        _ evidence: RefreshEvidence,
        of session: Session,
        in transaction: borrowing Transaction
    ) throws -> RefreshProof
}

/// The result of a successful refresh.
package struct RefreshGrant: Sendable, Equatable {
    /// The session with the methods that its access token may claim.
    ///
    /// There are none if a device's key opened the session and did not sign this refresh.
    package let session: Session
    /// The new refresh token's row; `nil` if the existing one stays in use.
    package let successor: RefreshToken?
    /// Whether this request created the successor's row, and not an earlier one.
    package let isRotation: Bool
}

/// The outcome of a refresh.
package enum RefreshOutcome: Sendable, Equatable {
    case granted(RefreshGrant)
    case refused(RefreshError)
}

/// The use case of refreshing, in one unit of work for each refresh.
package struct RefreshService: Sendable {
    package typealias BeforeEffect = @Sendable (borrowing Transaction) throws -> Void

    private let environment: Environment
    private let unitOfWork: any UnitOfWork
    private let store: any SessionStore
    private let subjects: any RefreshSubjects
    private let sessions: SessionService
    private let ending: any SessionEnding
    /// The refresh policy by the client's id; `nil` for a client that no longer exists.
    private let policies: @Sendable (String) -> RefreshPolicy?
    private let listening: ListeningSince

    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        store: any SessionStore,
        subjects: any RefreshSubjects,
        sessions: SessionService,
        ending: any SessionEnding,
        listening: ListeningSince,
        policies: @escaping @Sendable (String) -> RefreshPolicy?
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.store = store
        self.subjects = subjects
        self.sessions = sessions
        self.ending = ending
        self.listening = listening
        self.policies = policies
    }

    /// Refreshes the session of the token.
    ///
    /// `request`: the token's claims and the evidence beside it. `beforeEffect`: called in the same unit of work once
    /// the token and its proofs are verified, before anything is granted or ended, once in each run of the unit. An error
    /// that it throws ends the refresh, and nothing is changed.
    package func refresh(
        _ request: RefreshCommand,
        beforeEffect: @escaping BeforeEffect = { _ in }
    ) async throws -> RefreshOutcome {
        try await unitOfWork.run { transaction in
            do {
                var effect = beforeEffect
                while true {
                    if let grant = try attempt(request, effect, in: transaction) { return .granted(grant) }
                    // Another request has created the successor since the token was read: the next attempt returns that
                    // successor. What this one has used up stays used.
                    effect = { _ in }
                }
            } catch let refusal as RefreshError {
                return .refused(refusal)
            }
        }
    }

    /// Signs out by a refresh token.
    ///
    /// The token ends its own session. With `everywhere` it ends all of the account's sessions, if it is the newest of
    /// its family. A replaced token may be an attacker's, and ends no more than its session. If the session is bound to
    /// a key, a token without a proof of that key ends nothing.
    ///
    /// `beforeEffect`: as in ``refresh(_:beforeEffect:)``.
    ///
    /// - Returns: `false` if nothing was ended.
    package func signOut(
        _ request: RefreshCommand,
        everywhere: Bool,
        beforeEffect: @escaping BeforeEffect = { _ in }
    ) async throws -> Bool {
        let (isEnded, account) = try await unitOfWork.run { transaction -> (Bool, AccountID?) in
            guard let session = try store.find(request.session, in: transaction), request.names(session),
                session.revocation == nil, try lack(request, of: session, in: transaction) == nil
            else { return (false, nil) }
            try beforeEffect(transaction)
            let held = try store.family(of: request.key, in: transaction)?.presented
            guard everywhere, let held, held.session == session.id, held.lineage.child == nil,
                environment.now() < held.expiresAt
            else {
                let ended = try sessions.revoke(session.id, of: session.account, because: .signedOut, in: transaction)
                return (ended != nil, nil)
            }
            return (try ending.signOutEverywhere(session.account, in: transaction) > 0, session.account)
        }
        if let account { try await ending.settleSignOut(of: account) }
        return isEnded
    }

    /// Whether the token is the newest of its family, and would be accepted now with its proofs.
    ///
    /// `client`: the client that the session must belong to.
    package func isCurrent(_ key: Digest256, of session: SessionID, client: String) async throws -> Bool {
        try await unitOfWork.read { transaction in
            guard let family = try store.family(of: key, in: transaction), family.session.id == session,
                family.session.client == client, family.session.revocation == nil,
                family.presented.lineage.child == nil,
                let policy = policies(client), try subjects.mayContinue(family.session, in: transaction)
            else { return false }
            let now = environment.now()
            return now < family.presented.expiresAt && now < family.session.createdAt + policy.absoluteLifetime
        }
    }

    /// Makes one attempt; returns `nil` if another request rotated the token in between.
    private func attempt(
        _ request: RefreshCommand,
        _ beforeEffect: BeforeEffect,
        in transaction: borrowing Transaction
    ) throws -> RefreshGrant? {
        guard let family = try store.family(of: request.key, in: transaction) else {
            throw try refuseForgotten(request, beforeEffect, in: transaction)
        }
        let session = family.session
        // Checked first: at another client's route the token is unknown.
        guard request.names(session) else { throw RefreshError.unknown }
        guard let policy = policies(session.client), try subjects.mayContinue(session, in: transaction) else {
            throw RefreshError.sessionOver
        }
        let presentation = RefreshPresentation(
            carrier: request.carrier,
            proof: try proof(request, of: session, in: transaction),
            proofKey: request.evidence.proofKey,
            now: environment.now(),
            serverStartedAt: listening.instant
        )
        sessions.noteIssuing(at: presentation.now)
        let effect = try family.present(presentation, under: policy)
        let shown = session.claiming(presentation.proof)
        try beforeEffect(transaction)
        switch effect {
        case .again(let child): return RefreshGrant(session: shown, successor: child, isRotation: false)
        case .keep:
            if family.presented.firstUsedAt == nil {
                try store.markUsed(request.key, at: presentation.now, in: transaction)
            }
            return RefreshGrant(session: shown, successor: nil, isRotation: false)
        case .revoke:
            try revoke(session.id, of: session.account, in: transaction)
            throw RefreshError.reused
        case .rotate(let expiresAt):
            let successor = request.successor(of: family.presented, issuedAt: presentation.now, expiresAt: expiresAt)
            let parentEndsAt = min(family.presented.expiresAt, presentation.now + RefreshPolicy.replacedKept)
            let isRotated = try store.rotate(
                into: successor,
                parentEndsAt: parentEndsAt,
                isProven: family.isProven(by: presentation),
                in: transaction
            )
            guard isRotated else { return nil }
            return RefreshGrant(session: shown, successor: successor, isRotation: true)
        }
    }

    private func proof(
        _ request: RefreshCommand,
        of session: Session,
        in transaction: borrowing Transaction
    ) throws -> RefreshProof {
        guard request.evidence.isOfDevice else { return .none }
        return try subjects.proof(request.evidence, of: session, in: transaction)
    }

    /// Returns the error if the request lacks a proof that the session's tokens need.
    private func lack(
        _ request: RefreshCommand,
        of session: Session,
        in transaction: borrowing Transaction
    ) throws -> RefreshError? {
        if session.tokenBinding.proof != .none {
            let proof = try proof(request, of: session, in: transaction)
            guard policies(session.client)?.takes(proof, of: session) ?? (proof == .key) else { return .proofRequired }
        }
        return session.tokenBinding.key == nil || session.tokenBinding.key == request.evidence.proofKey
            ? nil : .boundKeyRequired
    }

    /// Ends the session of a token that is signed and not expired, but has no row: it was replaced more than a day ago.
    private func refuseForgotten(
        _ request: RefreshCommand,
        _ beforeEffect: BeforeEffect,
        in transaction: borrowing Transaction
    ) throws -> RefreshError {
        guard let session = try store.find(request.session, in: transaction), request.names(session) else {
            return .unknown
        }
        guard session.revocation == nil else { return .sessionOver }
        if let missing = try lack(request, of: session, in: transaction) { return missing }
        try beforeEffect(transaction)
        try revoke(session.id, of: session.account, in: transaction)
        return .reused
    }

    private func revoke(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws {
        _ = try sessions.revoke(session, of: account, because: .refreshReuse, in: transaction)
    }
}

extension RefreshCommand {
    fileprivate func successor(of parent: RefreshToken, issuedAt: Instant, expiresAt: Instant) -> RefreshToken {
        RefreshToken(
            key: successor,
            session: parent.session,
            lineage: RefreshToken.Lineage(family: parent.lineage.family, parent: parent.key, child: nil),
            issuedAt: issuedAt,
            expiresAt: expiresAt,
            firstUsedAt: nil
        )
    }
}
