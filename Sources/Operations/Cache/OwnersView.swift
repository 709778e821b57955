package import Kernel

/// An operation as its account's owner sees it.
package struct OwnedOperation: Sendable, Equatable {
    package let operation: Operation
    /// Whether the session that came of it, or that started it, is open still; `nil` when there is none.
    package let isSessionOpen: Bool?
}

/// What an account's owner is shown.
package struct OwnedOperations: Sendable, Equatable {
    /// Logins and approvals, the newest first.
    package let operations: [OwnedOperation]
    /// Enrolments, the newest first; the one whose face is in force is always among them.
    package let enrolments: [OwnedOperation]
}

/// Who says that an operation was somebody else's.
package struct Disowner: Sendable, Equatable {
    package let account: AccountID
    /// The device that he speaks from, which stays linked whatever is revoked.
    package let device: DeviceID?

    package init(account: AccountID, device: DeviceID?) {
        self.account = account
        self.device = device
    }
}

extension OperationService {
    /// The newest logins and approvals of an account, and apart from them its newest enrolments; live ones among them.
    ///
    /// Logins that came to nothing are left out: a stranger who knows the address can begin any number and let them run
    /// out or give them up, and they would push out what somebody has to see. No number of logins pushes out an
    /// enrolment, and no number of failed enrolments the one whose face is in force.
    package func owned(by account: AccountID, limit: Int) async throws -> OwnedOperations {
        let live = cache.live(of: account)
        let logins = Self.newest(
            of: live.filter { $0.purpose.kind != .enroll },
            and: try await store.listEnded(of: account, limit: limit),
            limit: limit
        )
        let enrolments = try await newestEnrolments(
            of: account,
            among: live.filter { $0.purpose.kind == .enroll },
            limit: limit
        )
        let open = try await activeSessions.active(among: Set((logins + enrolments).compactMap(\.involvedSession)))
        let view = { (operation: Operation) in
            OwnedOperation(operation: operation, isSessionOpen: operation.involvedSession.map(open.contains))
        }
        return OwnedOperations(operations: logins.map(view), enrolments: enrolments.map(view))
    }

    private func newestEnrolments(
        of account: AccountID,
        among live: [Operation],
        limit: Int
    ) async throws -> [Operation] {
        let ended = try await store.listEnrolments(EnrolmentFilter(account: account, outcome: .any, limit: limit))
        let newest = Self.newest(of: live, and: ended, limit: limit)
        guard let inForce = try await newestEnrolment(of: account), !newest.contains(where: { $0.id == inForce.id })
        else { return newest }
        return newest.dropLast(max(0, newest.count + 1 - limit)) + [inForce]
    }

    private static func newest(of live: [Operation], and ended: [Operation], limit: Int) -> [Operation] {
        let endedIDs = Set(ended.map(\.id))
        let sorted = (live.filter { !endedIDs.contains($0.id) } + ended)
            .sorted { ($1.createdAt, $0.id.bits) < ($0.createdAt, $1.id.bits) }
        return Array(sorted.prefix(limit))
    }

    /// The owner says that an operation was not theirs: a live one ends, the session that came of it or that started it
    /// is revoked, and a face that was enrolled signs nobody in any more.
    ///
    /// A revocation beats a redemption: whichever is first, no session is left open. Saying it again changes nothing.
    /// - Returns: the operation as it stands now; `nil` if the account has no such operation.
    ///
    /// Its initiator is kept quiet as after "this wasn't me" on the page.
    package func disown(_ row: OperationRowID, by owner: Disowner) async throws -> OwnedOperation? {
        // A collection may come between the look and the step; what it left is looked at again.
        for _ in 0..<4 {
            guard let operation = try await store.find(row: row), operation.account == owner.account else { return nil }
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
            @Sendable [self, activeSessions, enrolling, auditLog] (
                operation: Operation,
                transaction: borrowing Transaction
            ) throws
            in
            guard let session = operation.involvedSession, let account = operation.account else { return }
            let isWithdrawn =
                try withdrawsFace && enrolling.withdraw(account, at: operation.provider, in: transaction)
            let ended = try activeSessions.disown(session, of: account, keeping: owner.device, in: transaction)
            ends.put(ended.all)
            try endOthers(startedBy: ended, of: account, besides: operation.id, in: transaction)
            guard isWithdrawn || ended.isChanged else { return }
            let entry = AuditRecord(.disowned, of: operation, at: now, detail: session.description)
            try auditLog.append(entry, in: transaction)
        }
        let denied: Operation
        switch operation.state {
        case .created, .opened, .pending, .approved:
            denied = try await transition(operation, .deniedNotMe, within: end)
        // What has been collected is closed, so that nothing of it is handed out again.
        case .redeemed: denied = try await transition(operation, .acknowledged, within: end)
        case .closed, .failed:
            try await unitOfWork.run { transaction in try end(operation, transaction) }
            denied = operation
        }
        if let account = operation.account, ends.take()?.isEmpty == false {
            try await settle(.cancelRequested, of: account)
        }
        return denied
    }

    /// Ends what was started from a disowned session.
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

    /// Whether the face that the account has now came of it: one that was replaced since is not taken away.
    private func isNewestEnrolment(_ operation: Operation) async throws -> Bool {
        guard operation.purpose.kind == .enroll, case .closed = operation.state, let account = operation.account else {
            return false
        }
        return try await newestEnrolment(of: account, at: operation.provider)?.id == operation.id
    }
}

extension Operation {
    /// The session that came of it, or that started it.
    package var involvedSession: SessionID? { session ?? purpose.startedBy }
}
