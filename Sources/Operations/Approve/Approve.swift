import Kernel

/// The reason why an approval can't begin.
package enum ApprovalError: Error, Equatable, Sendable {
    /// No face signs the account in.
    case notEnrolled
    /// The session or the account is no longer active.
    case sessionOver
}

extension OperationService {
    /// Begins an approval from a session of the account.
    ///
    /// The page shows the request, and a face approves it.
    ///
    /// It supersedes an undecided approval of the same session. It is durable when the method returns, and no provider
    /// is called.
    /// - Throws: ``ApprovalError``, ``LimitExceededError``, ``StoreError``.
    package func beginApproval(
        of request: ApprovalRequest,
        for starter: Starter,
        policy: ClientPolicy
    ) async throws -> BegunOperation {
        guard try await ports.accounts.subjects.enrolment(of: starter.account, at: providers.login) != nil else {
            throw ApprovalError.notEnrolled
        }
        let begun = try await begin(
            .approve(request, startedBy: starter.session),
            for: starter,
            policy: policy,
            number: PairingNumber(environment),
            inPlaceOf: { $0.request.purpose.kind == .approve && $0.request.purpose.startedBy == starter.session },
            if: { [activeSessions = ports.accounts.activeSessions] in
                try activeSessions.isActive(starter.session, of: starter.account, in: $0)
            }
        )
        guard let begun else { throw ApprovalError.sessionOver }
        return begun
    }

    /// The session, the account or the face was revoked before the collection.
    private struct SessionEndedError: Error {}

    /// Redeems an approval, which fixes the claims of its token.
    ///
    /// Account and session are read again in the same unit of work, so that a revocation wins over a redemption.
    func redeemApproval(
        _ operation: Operation,
        of account: AccountID,
        from session: SessionID,
        for caller: Caller
    ) async throws -> PollView {
        let grant = attestation(of: operation, from: session)
        do {
            let next = try await transition(operation, .redeemRequested(grant)) { [self] _, transaction in
                guard try ports.accounts.activeSessions.isActive(session, of: account, in: transaction),
                    try faceInForce(operation, of: account, in: transaction) != nil
                else { throw SessionEndedError() }
            }
            return .attested(grant, next, seq: next.seq)
        } catch is SessionEndedError {
            return try await block(operation, for: caller)
        } catch is OperationMachine.TransitionError {
            return try await afterLosing(operation, for: caller)
        }
    }

    /// Returns the same claims again, as long as session and account are active.
    func attestAgain(_ grant: Grant, of operation: Operation, for account: AccountID) async throws -> PollView {
        guard try await ports.accounts.activeSessions.isActive(grant.session, of: account) else {
            refusals.note(.redeliveryBlocked, operation)
            return .delivered(seq: operation.seq)
        }
        return .attested(grant, operation, seq: operation.seq)
    }

    private func attestation(of operation: Operation, from session: SessionID) -> Grant {
        let token = environment.newUUID()
        let (wallClock, now) = (environment.now(), clock.now)
        var authenticatedAt = wallClock
        if case .approved(let approval) = operation.state { authenticatedAt = wallClock - (now - approval.at) }
        return Grant(
            session: session,
            accessTokenID: token,
            refreshTokenID: token,
            issuedAt: wallClock,
            authenticatedAt: authenticatedAt,
            redeemedAt: now,
            collector: .proven
        )
    }
}

extension ClientPolicy {
    /// The lifetime of an approval's token.
    ///
    /// It is short, because the token is used at once, and no key retires before the token expires.
    package var approvalTokenLifetime: Duration { min(accessTokenLifetime, .seconds(300)) }
}
