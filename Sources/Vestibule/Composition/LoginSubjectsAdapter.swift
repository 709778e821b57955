import Accounts
import Devices
import Kernel
import Operations

/// Who can be signed in by a scan: accounts and their devices, as the engine asks for them.
struct LoginSubjectsAdapter: LoginSubjects {
    let accounts: any AccountStore
    let devices: DeviceLinks
    let registered: RegisteredDevices

    /// Reads the same rows for every address, so that nobody can feel which have an account.
    func subject(for query: SubjectQuery, in transaction: borrowing Transaction) throws -> SubjectFinding {
        // An address that can't be one is looked up like any other, so that it takes as long.
        guard let email = EmailAddress(query.email) ?? Self.nobody else {
            return SubjectFinding(subject: nil, isLinked: false)
        }
        let candidate = try accounts.candidate(email: email, provider: query.provider.text, in: transaction)
        let device = try device(query, of: candidate?.account ?? Self.nobodysAccount, in: transaction)
        return SubjectFinding(subject: eligible(candidate, device, query.policy), isLinked: device != nil)
    }

    private func eligible(_ candidate: LoginCandidate?, _ device: DeviceID?, _ policy: ClientPolicy) -> LoginSubject? {
        guard let candidate, candidate.state == .active, candidate.isEnrolled else { return nil }
        switch policy.initiators {
        case .anyone: return LoginSubject(account: candidate.account, device: device)
        case .knownDevice: return device.map { LoginSubject(account: candidate.account, device: $0) }
        }
    }

    /// The device that the caller proves: by its cookie, its credential or its key.
    private func device(
        _ query: SubjectQuery,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> DeviceID? {
        let client = query.policy.clientID
        var device: DeviceID?
        if !query.deviceCookies.isEmpty {
            device = try devices.device(provedBy: query.deviceCookies, of: account, client: client, in: transaction)
        }
        if device == nil, let credential = query.deviceProof.credential {
            device = try registered.device(credential: credential, of: account, client: client, in: transaction)
        }
        if device == nil, let signature = query.deviceProof.signature {
            let proof = DeviceKeyProof(
                name: signature.device,
                codeChallenge: Base64URL.encode(signature.codeChallenge.bytes),
                count: signature.count,
                signature: signature.bytes
            )
            device = try registered.device(proof, of: account, client: client, in: transaction)
        }
        return device
    }

    func normalised(_ email: String) -> String { EmailAddress(email)?.text ?? email.lowercased() }

    func enrolment(of account: AccountID, at provider: ProviderName) async throws -> String? {
        guard let record = try await accounts.find(account), record.account.state == .active else { return nil }
        return record.enrolments.first { $0.provider == provider.text && $0.isActive }?.reference
    }

    private static let nobody = EmailAddress("nobody@invalid.invalid")
    private static let nobodysAccount = AccountID(UUIDBits(high: 0, low: 0))
}
