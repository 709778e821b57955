import Accounts
import Devices
import Kernel
import Operations

/// Finds the subjects of a scan, accounts and their devices, for the operation engine.
struct LoginSubjectsAdapter: LoginSubjects {
    let accounts: any AccountStore
    let devices: DeviceLinks
    let registered: RegisteredDevices
    let enrolments: any EnrolmentStore

    /// Reads the same rows for every address, so that the response time does not reveal which addresses have an
    /// account.
    func subject(for query: SubjectQuery, in transaction: borrowing Transaction) throws -> SubjectFinding {
        // An invalid address is looked up like any other, so that it takes the same time.
        guard let email = EmailAddress(query.email) ?? Self.nobody else {
            return SubjectFinding(subject: nil, isLinked: false)
        }
        let candidate = try accounts.candidate(email: email, provider: query.provider.text, in: transaction)
        let proofs = try proofs(query, of: candidate?.account ?? Self.nobodysAccount, in: transaction)
        return SubjectFinding(
            subject: eligible(candidate, by: Self.telling(proofs), under: query.policy),
            isLinked: !proofs.isEmpty,
            proven: proofs.compactMap(\.mark)
        )
    }

    private func eligible(_ candidate: LoginCandidate?, by proof: Proof?, under policy: ClientPolicy) -> LoginSubject? {
        guard let candidate, candidate.state == .active, candidate.isEnrolled else { return nil }
        if policy.initiators == .knownDevice, proof == nil { return nil }
        return LoginSubject(account: candidate.account, device: proof?.device, proof: proof?.kind)
    }

    /// Returns the proof by which the login's device is known.
    ///
    /// A key comes before all other proofs. Otherwise a session that was opened with a key could be used without the
    /// key.
    private static func telling(_ proofs: [Proof]) -> Proof? {
        proofs.first { $0.kind == .key } ?? proofs.first
    }

    /// A valid proof: its device, its kind, and its mark, which a signature does not have.
    private struct Proof {
        let device: DeviceID
        let kind: DeviceProofKind
        let mark: Digest256?
    }

    /// Returns every valid proof: of the cookie, the credential and the key, in this order.
    ///
    /// Every presented proof is verified, even after a valid one, because a signature can be presented only once.
    /// Which rows are read does not depend on which proof is valid.
    private func proofs(
        _ query: SubjectQuery,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [Proof] {
        let client = query.policy.clientID
        var proofs: [Proof] = []
        if !query.deviceProof.cookies.isEmpty,
            let link = try devices.link(
                provedBy: query.deviceProof.cookies,
                of: account,
                client: client,
                in: transaction
            )
        {
            proofs.append(Proof(device: link.device, kind: .cookie, mark: link.cookie))
        }
        if let credential = query.deviceProof.credential,
            let device = try registered.device(credential: credential, of: account, client: client, in: transaction)
        {
            proofs.append(Proof(device: device, kind: .credential, mark: credential))
        }
        if let signature = query.deviceProof.signature,
            let device = try registered.device(DeviceKeyProof(signature), of: account, client: client, in: transaction)
        {
            proofs.append(Proof(device: device, kind: .key, mark: nil))
        }
        return proofs
    }

    func recognises(_ signature: DeviceSignature, of client: String) -> Bool {
        registered.recognises(DeviceKeyProof(signature), client: client)
    }

    func normalised(_ email: String) -> String { EmailAddress(email)?.text ?? email.lowercased() }

    func enrolment(of account: AccountID, at provider: ProviderName) async throws -> EnrolledFace? {
        guard let record = try await accounts.find(account), record.account.state == .active else { return nil }
        return record.enrolments.first { $0.provider == provider.text && $0.isActive }
            .map { EnrolledFace(reference: $0.reference, mark: $0.mark) }
    }

    func face(
        of account: AccountID,
        at provider: ProviderName,
        in transaction: borrowing Transaction
    ) throws -> FaceInForce? {
        try enrolments.face(of: account, at: provider.text, in: transaction)
    }

    private static let nobody = EmailAddress("nobody@invalid.invalid")
    private static let nobodysAccount = AccountID(UUIDBits(high: 0, low: 0))
}

extension DeviceKeyProof {
    fileprivate init(_ signature: DeviceSignature) {
        self.init(
            name: signature.device,
            codeChallenge: Base64URL.encode(signature.codeChallenge.bytes),
            count: signature.count,
            signature: signature.bytes
        )
    }
}
