package import Kernel

/// Takes in that somebody has shown that an account's address is theirs.
///
/// Until the first proof anybody may have opened the account, with an address that is not theirs, and be waiting for its
/// owner to move in. So the first proof, unless it comes from where the account is signed in already, ends all that was
/// set up before: sessions, the password, devices, keys and faces.
package struct AddressProofs: Sendable {
    private let store: any AccountStore
    private let journal: any AccountJournal
    private let notices: OwnerNotices
    /// Ends sessions, and takes devices, keys and faces away.
    private let endEarlierAccess: @Sendable (AccountID, borrowing Transaction) throws -> Void
    /// Ends what is under way of the account in memory.
    private let whenEnded: @Sendable (AccountID) async throws -> Void

    package init(
        store: any AccountStore,
        journal: any AccountJournal,
        notices: OwnerNotices,
        endEarlierAccess: @escaping @Sendable (AccountID, borrowing Transaction) throws -> Void,
        whenEnded: @escaping @Sendable (AccountID) async throws -> Void
    ) {
        self.store = store
        self.journal = journal
        self.notices = notices
        self.endEarlierAccess = endEarlierAccess
        self.whenEnded = whenEnded
    }

    /// Notes the proof, in the caller's unit of work; once that is durable, ``settle(_:of:)`` ends what is under way.
    ///
    /// `fromWithin`: whether whoever proves it is signed in to the account, or on a device that is linked to it: then both
    /// are one person's, and nothing ends. `client`, `language`: where it happens, for the mail that tells what ended.
    package func note(
        _ email: EmailAddress,
        of account: AccountID,
        fromWithin isWithin: Bool,
        client: String,
        language: String,
        in transaction: borrowing Transaction
    ) throws -> AddressProofOutcome {
        guard let profile = try store.profile(account, in: transaction), profile.account.state == .active,
            profile.email == email
        else { return .refused }
        if try !store.setVerified(email, of: account, in: transaction) {
            guard let isSettled = try store.settleClaim(email, of: account, in: transaction) else { return .known }
            guard isSettled else { return .refused }
        }
        try journal.record(
            .emailVerified,
            of: account,
            detail: isWithin ? nil : "earlier access ended",
            in: transaction
        )
        guard !isWithin else { return .verified(earlierAccessEnded: false) }
        try store.setPasswordHash(nil, of: account, in: transaction)
        try endEarlierAccess(account, transaction)
        try notices.tell(.earlierAccessRemoved, of: account, client: client, language: language, in: transaction)
        return .verified(earlierAccessEnded: true)
    }

    /// Ends the logins and enrolments that somebody began before the proof, and that are still open.
    package func settle(_ outcome: AddressProofOutcome, of account: AccountID) async throws {
        guard outcome == .verified(earlierAccessEnded: true) else { return }
        try await whenEnded(account)
    }
}

/// What came of a proof.
package enum AddressProofOutcome: Sendable, Equatable {
    /// The first proof.
    case verified(earlierAccessEnded: Bool)
    /// The address was known to be theirs.
    case known
    /// The account is shut, or has another address by now, or the address has another account.
    case refused
}
