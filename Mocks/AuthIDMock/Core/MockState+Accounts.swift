package import Kernel

extension MockState {
    /// `POST accounts`.
    mutating func createAccount(_ account: Account) throws(ProviderError) {
        guard accounts[account.number] == nil else { throw .accountExists }
        guard accounts.count < configuration.limits.accounts else { throw .full }
        accounts[account.number] = AccountRecord(account: account, isEnrolled: configuration.autoEnroll)
    }

    /// `GET accounts/{AccountNumber}`; a missing account is not an error.
    package func account(_ number: String) -> Account? { accounts[number]?.account }

    /// `DELETE accounts/{AccountNumber}`; its scans stay as they are.
    mutating func deleteAccount(_ number: String) { accounts[number] = nil }

    /// Sets whether an account has a biometric credential, creating the account where there is none.
    package mutating func enroll(
        _ number: String,
        isEnrolled: Bool,
        displayName: String? = nil,
        email: String? = nil
    ) throws(ProviderError) {
        guard accounts[number] != nil || accounts.count < configuration.limits.accounts else { throw .full }
        var record = accounts[number] ?? AccountRecord(account: Account(number: number), isEnrolled: isEnrolled)
        record.isEnrolled = isEnrolled
        // An enrolment that was accepted before must not undo what is said now.
        record.enrolment = nil
        if let displayName { record.account.displayName = displayName }
        if let email { record.account.email = email }
        accounts[number] = record
    }

    /// Whether the account has a biometric credential at `now`; `nil` for an unknown account.
    package func isEnrolled(_ number: String, at now: Instant) -> Bool? {
        guard let record = accounts[number] else { return nil }
        if record.isEnrolled { return true }
        guard let scan = record.enrolment.flatMap({ scans[$0] }) else { return false }
        return scan.reportedStatus(at: now) == .accepted
    }

    /// Accounts by number, for the control API.
    package func listAccounts(limit: Int) -> [Account] {
        accounts.keys.sorted().prefix(limit).compactMap { accounts[$0]?.account }
    }
}
