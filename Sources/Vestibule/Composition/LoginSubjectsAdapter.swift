import Accounts
import Devices
import Kernel
import Operations

/// Who can be signed in by a scan: accounts and their devices, as the engine asks for them.
struct LoginSubjectsAdapter: LoginSubjects {
    let accounts: any AccountStore
    let devices: DeviceLinks

    func subject(for query: SubjectQuery, in transaction: borrowing Transaction) throws -> LoginSubject? {
        // An address that can't be one is looked up like any other, so that it takes as long.
        let email = EmailAddress(query.email) ?? Self.nobody
        guard
            let email,
            let candidate = try accounts.candidate(email: email, provider: query.provider.text, in: transaction)
        else { return nil }
        let device = try query.deviceCookie.flatMap { cookie in
            try devices.device(
                provedBy: cookie,
                of: candidate.account,
                client: query.policy.clientID,
                in: transaction
            )
        }
        guard candidate.state == .active, candidate.isEnrolled else { return nil }
        switch query.policy.initiators {
        case .anyone: return LoginSubject(account: candidate.account, device: device)
        case .knownDevice: return device.map { LoginSubject(account: candidate.account, device: $0) }
        }
    }

    func enrolment(of account: AccountID, at provider: ProviderName) async throws -> String? {
        guard let record = try await accounts.find(account), record.account.state == .active else { return nil }
        return record.enrolments.first { $0.provider == provider.text && $0.isActive }?.reference
    }

    private static let nobody = EmailAddress("nobody@invalid.invalid")
}
