import Accounts
import Kernel
import Operations
import Sessions

/// What enrolments of faces need: accounts, their enrolments and sessions, none knowing the others.
struct FaceEnrollingAdapter: FaceEnrolling {
    let accounts: any AccountStore
    let enrolments: any EnrolmentStore
    let sessions: SessionDesk
    let facts: Facts

    func prepare(_ starter: Starter, at provider: ProviderName, in transaction: borrowing Transaction) throws -> Bool {
        guard try stands(starter.account, starter.session, in: transaction) else { return false }
        guard try enrolments.find(starter.account, at: provider.text, in: transaction) == nil else { return true }
        // Without a face yet. The name is fixed here once, so that two enrolments at a time share it.
        let enrolment = Enrolment(
            provider: provider.text,
            reference: facts.newUUID().description,
            isActive: false
        )
        try enrolments.insert(enrolment, of: starter.account, in: transaction)
        return true
    }

    func applicant(
        _ account: AccountID,
        from session: SessionID,
        at provider: ProviderName
    ) async throws -> EnrolmentApplicant? {
        guard let record = try await accounts.find(account), record.account.state == .active,
            let open = try await sessions.find(session), open.revokedAt == nil, open.account == account,
            let enrolment = record.enrolments.first(where: { $0.provider == provider.text })
        else { return nil }
        return EnrolmentApplicant(
            reference: enrolment.reference,
            displayName: record.account.displayName,
            email: record.emails.first?.address.text
        )
    }

    func complete(
        _ account: AccountID,
        from session: SessionID,
        at provider: ProviderName,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard try stands(account, session, in: transaction) else { return false }
        _ = try enrolments.setActive(true, account, at: provider.text, in: transaction)
        return try enrolments.find(account, at: provider.text, in: transaction)?.isActive == true
    }

    func withdraw(_ account: AccountID, at provider: ProviderName, in transaction: borrowing Transaction) throws -> Bool
    {
        try enrolments.setActive(false, account, at: provider.text, in: transaction)
    }

    private func stands(
        _ account: AccountID,
        _ session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard try accounts.profile(account, in: transaction)?.account.state == .active else { return false }
        return try sessions.isOpen(session, of: account, in: transaction)
    }
}
