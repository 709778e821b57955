import Accounts
import Kernel
import Operations
import Sessions
import SignIn

/// Combines accounts, their enrolments and their sessions for the enrolment of faces.
struct FaceEnrollingAdapter: FaceEnrolling {
    let accounts: any AccountStore
    let enrolments: any EnrolmentStore
    let activeSessions: ActiveSessionsAdapter
    let notices: OwnerNotices
    let environment: Environment
    let descents: any DescentLinks

    func prepare(
        _ starter: Starter,
        at provider: ProviderName,
        mayReplace: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard try activeSessions.isActive(starter.session, of: starter.account, in: transaction) else { return false }
        if let earlier = try enrolments.find(starter.account, at: provider.text, in: transaction) {
            guard mayReplace || !earlier.isActive else { throw EnrolmentError.replacementNotProven }
            return true
        }
        // The enrolment has no face yet. Its reference is fixed here once, so that two concurrent enrolments share it.
        let enrolment = Enrolment(
            provider: provider.text,
            reference: environment.newUUID().description,
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
        guard try await activeSessions.isActive(session, of: account), let record = try await accounts.find(account),
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
        client: String,
        requester: Requester,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard try activeSessions.isActive(session, of: account, in: transaction) else { return false }
        _ = try enrolments.setActive(true, account, at: provider.text, in: transaction)
        guard try enrolments.find(account, at: provider.text, in: transaction)?.isActive == true else { return false }
        try descents.note(.face(provider.text), of: account, from: session, in: transaction)
        try notices.notify(.faceEnrolled, of: account, client: client, requester: requester, in: transaction)
        return true
    }

    func withdraw(_ account: AccountID, at provider: ProviderName, in transaction: borrowing Transaction) throws -> Bool
    {
        try enrolments.setActive(false, account, at: provider.text, in: transaction)
    }
}
