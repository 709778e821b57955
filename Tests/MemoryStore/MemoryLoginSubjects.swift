package import Kernel
package import Operations

/// The accounts that can be signed in, from the people of the in-memory store.
package struct MemoryLoginSubjects: LoginSubjects {
    let connection: MemoryConnection

    package func subject(for order: SubjectQuery, in transaction: borrowing Transaction) throws -> SubjectFinding {
        let draft = try transaction.draft()
        draft.tally.lookups += 1
        let email = order.email.lowercased()
        guard let person = draft.tables.people.values.first(where: { $0.email == email }), person.isActive,
            person.isEnrolled
        else {
            return SubjectFinding(subject: nil, isLinked: false)
        }
        let proven = order.deviceProof.cookies.filter { person.devices[$0] != nil }
        let device = proven.first.flatMap { person.devices[$0] }
        let subject: LoginSubject? =
            switch order.policy.initiators {
            case .anyone: LoginSubject(account: person.account, device: device, proof: device.map { _ in .cookie })
            case .knownDevice: device.map { LoginSubject(account: person.account, device: $0, proof: .cookie) }
            }
        return SubjectFinding(subject: subject, isLinked: device != nil, proven: proven)
    }

    package func recognises(_ signature: DeviceSignature, of client: String) -> Bool { false }

    package func normalised(_ email: String) -> String { email.lowercased() }

    package func enrolment(of account: AccountID, at provider: ProviderName) async throws -> EnrolledFace? {
        try await connection.read { $0.people[account]?.face(at: provider) }
    }

    package func face(
        of account: AccountID,
        at provider: ProviderName,
        in transaction: borrowing Transaction
    ) throws -> FaceInForce? {
        let draft = try transaction.draft()
        draft.tally.lookups += 1
        // Whether the person is active is the session's to ask.
        guard let person = draft.tables.people[account], person.isEnrolled else { return nil }
        return FaceInForce(mark: person.mark(at: provider), origin: nil)
    }
}

extension MemoryPerson {
    fileprivate func face(at provider: ProviderName) -> EnrolledFace? {
        guard isActive, isEnrolled, let reference = enrolment(at: provider) else { return nil }
        return EnrolledFace(reference: reference, mark: mark(at: provider))
    }

    fileprivate func mark(at provider: ProviderName) -> String { "\(provider) \(faceVersion)" }
}

/// Opens sessions in the in-memory store; refuses disabled people and revoked devices.
package struct MemorySessionOpening: SessionOpening {
    let connection: MemoryConnection

    package func open(_ order: SessionRequest, in transaction: borrowing Transaction) throws -> SessionVerdict {
        let draft = try transaction.draft()
        draft.tally.lookups += 1
        guard let person = draft.tables.people[order.account], person.isActive else { return .refused }
        if let device = order.operation.request.device, !person.devices.values.contains(device) { return .refused }
        draft.tally.writes += 1
        draft.tables.sessions[order.grant.session] = MemorySession(
            operation: order.operation.id,
            account: order.account,
            grant: order.grant
        )
        return .allowed(
            Delivery(
                person: person.signedIn,
                policy: order.operation.request.policy,
                deviceCookie: order.caller.keepsCookies ? .issued : .none
            )
        )
    }

    package func review(
        _ grant: Grant,
        of account: AccountID,
        under policy: ClientPolicy
    ) async throws -> SessionVerdict {
        try await connection.read { tables in
            guard let session = tables.sessions[grant.session], session.account == account, !session.isRevoked,
                let person = tables.people[account], person.isActive
            else { return .refused }
            return .allowed(Delivery(person: person.signedIn, policy: policy, deviceCookie: .none))
        }
    }
}
