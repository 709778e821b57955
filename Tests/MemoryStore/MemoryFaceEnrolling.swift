package import Kernel
package import Operations

/// Enrolments of the people of the in-memory store.
///
/// A session counts as open until it is revoked.
package struct MemoryFaceEnrolling: FaceEnrolling {
    let connection: MemoryConnection

    package func prepare(
        _ starter: Starter,
        at provider: ProviderName,
        mayReplace: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        draft.tally.lookups += 1
        guard draft.tables.isActive(starter.account, starter.session) else { return false }
        guard mayReplace || draft.tables.people[starter.account]?.isEnrolled != true else {
            throw EnrolmentError.replacementNotProven
        }
        return true
    }

    package func applicant(
        _ account: AccountID,
        from session: SessionID,
        at provider: ProviderName
    ) async throws -> EnrolmentApplicant? {
        try await connection.read { tables in
            guard tables.isActive(account, session), let person = tables.people[account] else { return nil }
            return EnrolmentApplicant(reference: person.enrolment, displayName: "Robin", email: person.email)
        }
    }

    package func complete(
        _ account: AccountID,
        from session: SessionID,
        at provider: ProviderName,
        client: String,
        requester: Requester,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        draft.tally.lookups += 1
        guard draft.tables.isActive(account, session) else { return false }
        draft.tally.writes += 1
        draft.tables.people[account]?.isEnrolled = true
        draft.tables.people[account]?.faceVersion += 1
        return true
    }

    package func withdraw(
        _ account: AccountID,
        at provider: ProviderName,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        draft.tally.writes += 1
        defer {
            draft.tables.people[account]?.isEnrolled = false
            draft.tables.people[account]?.faceVersion += 1
        }
        return draft.tables.people[account]?.isEnrolled ?? false
    }
}
