package import Kernel

/// What a client asks to begin.
package struct BeginOrder: Sendable, Equatable {
    package let email: String
    package let policy: ClientPolicy
    /// The decoded code challenge.
    package let codeChallenge: Digest256?
    /// SHA-256 of each secret of the device cookie that came with the request.
    package let deviceCookies: [Digest256]
    package let deviceProof: DeviceProof
    package let mode: LoginMode
    /// Where it comes from, if the page is to show that.
    package let origin: LoginOrigin?
    /// Where the app wants the browser after the scan.
    package let returnURL: String?

    package init(
        email: String,
        policy: ClientPolicy,
        codeChallenge: Digest256?,
        deviceCookies: [Digest256],
        deviceProof: DeviceProof = DeviceProof(),
        mode: LoginMode = .sameDevice,
        origin: LoginOrigin? = nil,
        returnURL: String? = nil
    ) {
        self.email = email
        self.policy = policy
        self.codeChallenge = codeChallenge
        self.deviceCookies = deviceCookies
        self.deviceProof = deviceProof
        self.mode = mode
        self.origin = origin
        self.returnURL = returnURL
    }
}

/// A begun operation's secrets, for the one who asked.
package struct BegunOperation: Sendable {
    /// The id to poll with.
    package let publicID: UUIDBits
    /// The ticket of the landing page.
    package let ticket: Secret
    /// The binding cookie's value.
    package let bindingCookie: Secret
    package let operation: Operation
}

extension OperationDesk {
    /// Begins a login, or a decoy that looks the same: both read the same rows and write one.
    ///
    /// Durable when it returns. No provider is called: that waits until a person opens the link, so that a flood of
    /// starts costs nothing there and an outage there does not break the start.
    package func begin(_ order: BeginOrder) async throws -> BegunOperation {
        let publicID = facts.newUUID()
        let ticket = facts.newSecret()
        let bindingCookie = facts.newSecret()
        let row = facts.newID(OperationRowID.self)
        let now = clock.now
        let binding = OperationBinding(
            mode: order.mode,
            origin: order.origin,
            number: order.mode == .crossDevice ? PairingNumber(facts) : nil,
            handback: order.returnURL.map { Handback(url: $0) }
        )
        let query = SubjectQuery(
            email: order.email,
            provider: loginProvider,
            policy: order.policy,
            deviceCookies: order.deviceCookies,
            deviceProof: order.deviceProof
        )
        let draft = { @Sendable (subject: LoginSubject?) in
            Operation(
                id: row,
                publicID: Digest256(sha256: publicID),
                ticket: Digest256(sha256: ticket.expose()),
                account: subject?.account,
                device: subject?.device,
                provider: query.provider,
                policy: query.policy,
                codeChallenge: order.codeChallenge,
                bindingCookie: Digest256(sha256: bindingCookie.expose()),
                createdAt: now,
                binding: binding
            )
        }
        let operation: Operation
        do {
            operation = try await unitOfWork.run { [subjects, store] transaction in
                let operation = draft(try subjects.subject(for: query, in: transaction))
                try store.insert(operation, in: transaction)
                return operation
            }
        } catch let failure as StoreFailure {
            // The row may be durable all the same, and what nobody follows would never end.
            if case .unavailable = failure {
                doubt(Digest256(sha256: publicID), row, deadline: now + order.policy.lifetime)
            }
            throw failure
        }
        metrics.began()
        refusals.count(.begun)
        if operation.isDecoy { refusals.note(.decoy, operation) }
        board.put(operation)
        follow(operation)
        return BegunOperation(
            publicID: publicID,
            ticket: ticket,
            bindingCookie: bindingCookie,
            operation: operation
        )
    }
}
