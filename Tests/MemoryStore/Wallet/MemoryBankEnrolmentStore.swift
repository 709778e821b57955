package import Kernel
package import Wallet

/// Enrolments at banks of the in-memory store, in the order in which they began.
package struct MemoryBankEnrolmentStore: BankEnrolmentStore {
    let connection: MemoryConnection

    package func insert(
        _ attempt: EnrolmentAttempt,
        keepingPerAccount: Int,
        in transaction: borrowing Transaction
    ) throws {
        let draft = try transaction.draft()
        var held = draft.tables.bankEnrolments
        guard !held.contains(where: { $0.state == attempt.state }) else {
            throw StoreError.conflict(cause: "there is such a state")
        }
        held.append(attempt)
        let over = held.filter { $0.initiator.account == attempt.initiator.account }.dropLast(keepingPerAccount).map(
            \.state
        )
        held.removeAll { over.contains($0.state) }
        draft.tables.bankEnrolments = held
    }

    package func find(state: Digest256) async throws -> EnrolmentAttempt? {
        try await connection.read { tables in tables.bankEnrolments.first { $0.state == state } }
    }

    package func find(confirmation token: Digest256) async throws -> EnrolmentAttempt? {
        try await connection.read { tables in
            tables.bankEnrolments.first { attempt in
                switch attempt.stage {
                case .asking(let asked, _): asked == token
                case .ended(let asked): asked == token
                case .pending, .arrived: false
                }
            }
        }
    }

    package func update(
        _ attempt: EnrolmentAttempt,
        over stage: EnrolmentAttempt.Stage.Name,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        guard
            let index = draft.tables.bankEnrolments.firstIndex(where: {
                $0.state == attempt.state && $0.stage.name == stage
            })
        else { return false }
        draft.tables.bankEnrolments[index].stage = attempt.stage
        draft.tables.bankEnrolments[index].redirect.verifier = attempt.redirect.verifier
        draft.tables.bankEnrolments[index].validity.expiresAt = attempt.validity.expiresAt
        return true
    }
}
