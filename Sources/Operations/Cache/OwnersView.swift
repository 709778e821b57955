package import Kernel

/// An operation as the account's owner sees it.
package struct OwnedOperation: Sendable, Equatable {
    package let operation: Operation
    /// Whether the session that the operation opened, or that started it, is active; `nil` without such a session.
    package let isSessionOpen: Bool?
}

/// The operations that the account's owner sees.
package struct OwnedOperations: Sendable, Equatable {
    /// Logins and approvals, the newest first.
    package let operations: [OwnedOperation]
    /// Enrolments, newest first, always including the one whose face is in force.
    package let enrolments: [OwnedOperation]
}

/// An account owner who disowns an operation.
package struct Disowner: Sendable, Equatable {
    package let account: AccountID
    /// The device of the owner's request, whose link is never revoked.
    package let device: DeviceID?

    package init(account: AccountID, device: DeviceID?) {
        self.account = account
        self.device = device
    }
}

extension OperationService {
    /// Returns the newest logins and approvals of an account, and separately its newest enrolments, both with live
    /// ones.
    ///
    /// Expired, canceled and superseded operations are left out. An unauthenticated caller who knows the e-mail address
    /// can begin any number of them, and they would displace the rest. No number of logins displaces an enrolment. No
    /// number of failed enrolments displaces the one whose face is in force.
    package func owned(by account: AccountID, limit: Int) async throws -> OwnedOperations {
        let live = try await liveOperations(of: account)
        let logins = Self.newest(
            of: live.filter { $0.request.purpose.kind != .enroll },
            and: try await ports.store.listEnded(of: account, limit: limit),
            limit: limit
        )
        let enrolments = try await newestEnrolments(
            of: account,
            among: live.filter { $0.request.purpose.kind == .enroll },
            limit: limit
        )
        let open = try await ports.accounts.activeSessions.active(
            among: Set((logins + enrolments).compactMap(\.involvedSession))
        )
        let view = { (operation: Operation) in
            OwnedOperation(operation: operation, isSessionOpen: operation.involvedSession.map(open.contains))
        }
        return OwnedOperations(operations: logins.map(view), enrolments: enrolments.map(view))
    }

    /// Returns an operation of the account; `nil` if it has no such operation.
    package func owned(_ row: OperationRowID, by account: AccountID) async throws -> Operation? {
        guard let operation = try await ports.store.find(row: row), operation.request.account == account else {
            return nil
        }
        return operation
    }

    private func newestEnrolments(
        of account: AccountID,
        among live: [Operation],
        limit: Int
    ) async throws -> [Operation] {
        let ended = try await ports.store.listEnrolments(EnrolmentFilter(account: account, outcome: .any, limit: limit))
        let newest = Self.newest(of: live, and: ended, limit: limit)
        guard let inForce = try await newestEnrolment(of: account), !newest.contains(where: { $0.id == inForce.id })
        else { return newest }
        return newest.dropLast(max(0, newest.count + 1 - limit)) + [inForce]
    }

    private static func newest(of live: [Operation], and ended: [Operation], limit: Int) -> [Operation] {
        let endedIDs = Set(ended.map(\.id))
        let sorted = (live.filter { !endedIDs.contains($0.id) } + ended)
            .sorted { ($1.validity.createdAt, $0.id.bits) < ($0.validity.createdAt, $1.id.bits) }
        return Array(sorted.prefix(limit))
    }

    /// Disowns an operation for the account's owner.
    ///
    /// Ends the operation, revokes the session that it opened or that started it, and withdraws a face that it
    /// enrolled. No session stays open, whichever of revocation and redemption comes first. A repeated call changes
    /// nothing. The initiator gets decoys for a while, as after "This wasn't me" on the page.
    /// - Returns: The operation in its current state; `nil` if the account has no such operation.
    package func disown(_ row: OperationRowID, by owner: Disowner) async throws -> OwnedOperation? {
        // A collection may come between the read and the step; then the operation is read again.
        for _ in 0..<4 {
            guard let operation = try await ports.store.find(row: row), operation.request.account == owner.account
            else {
                return nil
            }
            do {
                let denied = try await deny(operation, by: owner)
                quiet(initiatorOf: denied)
                return OwnedOperation(operation: denied, isSessionOpen: nil)
            } catch is OperationMachine.TransitionError { continue }
        }
        throw StoreError.unavailable(cause: "an operation did not stand still")
    }

    private func deny(_ operation: Operation, by owner: Disowner) async throws -> Operation {
        let now = clock.now
        let withdrawsFace = try await isNewestEnrolment(operation)
        let ends = Handover<Set<SessionID>>()
        let end = {
            @Sendable [self] (
                operation: Operation,
                transaction: borrowing Transaction
            ) throws
            in
            guard let session = operation.involvedSession, let account = operation.request.account else { return }
            let isWithdrawn =
                try withdrawsFace && ports.accounts.enrolling.withdraw(account, at: operation.provider, in: transaction)
            let ended = try ports.accounts.activeSessions.disown(
                session,
                of: account,
                keeping: owner.device,
                in: transaction
            )
            ends.put(ended.all)
            try endOthers(startedBy: ended, of: account, besides: operation.id, in: transaction)
            guard isWithdrawn || ended.isChanged else { return }
            let entry = AuditRecord(.disowned, of: operation, at: now, detail: session.description)
            try ports.auditLog.append(entry, in: transaction)
        }
        let denied: Operation
        switch operation.state {
        case .created, .opened, .pending, .approved:
            denied = try await transition(operation, .deniedNotMe, within: end)
        // A collected operation is closed, so that its grant is not handed out again.
        case .redeemed: denied = try await transition(operation, .acknowledged, within: end)
        case .closed, .failed:
            try await ports.unitOfWork.run { transaction in try end(operation, transaction) }
            denied = operation
        }
        if let account = operation.request.account, ends.take()?.isEmpty == false {
            try await settle(.cancelRequested, of: account)
        }
        return denied
    }

    /// Ends the operations that a disowned session has started.
    private func endOthers(
        startedBy ended: EndedSessions,
        of account: AccountID,
        besides operation: OperationRowID,
        in transaction: borrowing Transaction
    ) throws {
        try end(.cancelRequested, of: account, in: transaction) { other in
            other.id != operation && ended.haveStarted(other)
        }
    }

    /// Whether the operation enrolled the account's current face, which alone is withdrawn.
    private func isNewestEnrolment(_ operation: Operation) async throws -> Bool {
        guard operation.request.purpose.kind == .enroll, case .closed = operation.state,
            let account = operation.request.account
        else {
            return false
        }
        return try await newestEnrolment(of: account, at: operation.provider)?.id == operation.id
    }
}

extension Operation {
    /// The session that the operation opened, or that started it.
    package var involvedSession: SessionID? { session ?? request.purpose.startedBy }
}
