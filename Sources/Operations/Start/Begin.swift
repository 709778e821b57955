package import Kernel
import Synchronization

/// What a client asks to begin.
package struct BeginOperation: Sendable, Equatable {
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
    /// Who a person may say "This wasn't me" of; `nil` for a start that no limit counts.
    package let source: RequestSource?
    /// On what terms the limit of its address lets it in.
    package let admission: StartAdmission
    /// An older login that this one is to supersede.
    package let superseding: Superseding?

    package init(
        email: String,
        policy: ClientPolicy,
        codeChallenge: Digest256?,
        deviceCookies: [Digest256],
        deviceProof: DeviceProof = DeviceProof(),
        mode: LoginMode = .sameDevice,
        origin: LoginOrigin? = nil,
        returnURL: String? = nil,
        source: RequestSource? = nil,
        admission: StartAdmission = .free,
        superseding: Superseding? = nil
    ) {
        self.email = email
        self.policy = policy
        self.codeChallenge = codeChallenge
        self.deviceCookies = deviceCookies
        self.deviceProof = deviceProof
        self.mode = mode
        self.origin = origin
        self.returnURL = returnURL
        self.source = source
        self.admission = admission
        self.superseding = superseding
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

extension OperationService {
    /// Begins a login, or a decoy that looks the same: both read the same rows and write one.
    ///
    /// Durable when it returns. No provider is called: that waits until a person opens the link, so that a flood of
    /// starts costs nothing there and an outage there does not break the start.
    /// - Throws: ``LimitExceededError`` when too many have begun for that address by devices that are not linked to it, be it
    ///   somebody's or not; ``StoreError``.
    package func begin(_ command: BeginOperation) async throws -> BegunOperation {
        let publicID = environment.newUUID()
        let ticket = environment.newSecret()
        let bindingCookie = environment.newSecret()
        let row = environment.newID(OperationRowID.self)
        let now = clock.now
        let binding = OperationBinding(
            mode: command.mode,
            origin: command.origin,
            number: command.mode == .crossDevice ? PairingNumber(environment) : nil,
            redirectBack: command.returnURL.map { RedirectBack(url: $0) }
        )
        let query = SubjectQuery(
            email: command.email,
            provider: loginProvider,
            policy: command.policy,
            deviceCookies: command.deviceCookies,
            deviceProof: command.deviceProof
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
                codeChallenge: command.codeChallenge,
                bindingCookie: Digest256(sha256: bindingCookie.expose()),
                createdAt: now,
                binding: binding,
                deviceProof: subject?.proof
            )
        }
        let charge = StartCharge(limits, email: subjects.normalised(command.email))
        // Who brings no proof at all costs the store nothing once the budget is used up.
        if command.deviceCookies.isEmpty, command.deviceProof.isEmpty, let wait = charge.wait {
            throw refuse(.initiatePerAccount, wait)
        }
        let begun: Draft?
        do {
            begun = try await unitOfWork.run { [self] transaction in
                let finding = try subjects.subject(for: query, in: transaction)
                guard finding.isLinked || (command.admission == .free && charge.wait == nil) else { return nil }
                let isQuiet = isQuiet(command, finding.subject) && !finding.isLinked
                let operation = draft(isQuiet ? nil : finding.subject)
                try store.insert(operation, in: transaction)
                return Draft(operation: operation, proven: finding.proven, isQuiet: isQuiet)
            }
        } catch let failure as StoreError {
            // The row may be durable all the same, and what nobody follows would never end.
            if case .unavailable = failure {
                noteUncertainStart(Digest256(sha256: publicID), row, deadline: now + command.policy.lifetime)
            }
            throw failure
        }
        guard let begun else {
            if case .ifLinked(let wait) = command.admission { throw refuse(.initiatePerAddress, wait) }
            // There is a wait: without one the unit would have made an operation.
            throw refuse(.initiatePerAccount, charge.wait ?? .seconds(1))
        }
        let operation = begun.operation
        metrics.began()
        refusals.count(.begun)
        limits.noteLinked(begun.proven)
        if operation.isDecoy { refusals.note(begun.isQuiet ? .quiet : .decoy, operation) }
        cache.put(operation, source: command.source)
        follow(operation)
        await supersede(command.superseding, by: operation)
        return BegunOperation(
            publicID: publicID,
            ticket: ticket,
            bindingCookie: bindingCookie,
            operation: operation
        )
    }
}

/// What was inserted, and why it is a decoy if it is one.
private struct Draft: Sendable {
    let operation: Operation
    /// The marks of the proofs that held.
    let proven: [Digest256]
    let isQuiet: Bool
}

/// What a start by a device that is not linked takes of its account's budget: once, however often its unit of work is
/// run.
private final class StartCharge: Sendable {
    private let limits: Limits
    private let email: String
    private let taken = Mutex<Taken?>(nil)

    private struct Taken {
        let wait: Duration?
    }

    init(_ limits: Limits, email: String) {
        self.limits = limits
        self.email = email
    }

    /// `nil` where there was one left, else how long until there is.
    var wait: Duration? {
        taken.withLock { taken in
            let known = taken ?? Taken(wait: limits.takeStart(email: email))
            taken = known
            return known.wait
        }
    }
}
