import Kernel
import Logging
import Synchronization

/// The reason of a refusal, by its name in the audit and the metrics.
package enum RefusalReason: String, Sendable, CaseIterable {
    /// A start that created a decoy: the address may not be signed in, or not from there.
    case decoy
    /// A start that created a decoy, because the person had disowned its initiator.
    case quiet
    /// A start that named a login to supersede, without proof of it.
    case supersedeUnproven = "supersede_unproven"
    /// The link of a decoy was opened.
    case openDecoy = "open_decoy"
    /// The link was opened for an account that is disabled or no longer enrolled.
    case openNotEnrolled = "open_not_enrolled"
    /// The scan was started over too often.
    case openTooOften = "open_too_often"
    /// The link was opened after its login was over.
    case openOver = "open_over"
    /// Another website opened the link.
    case openCrossSite = "open_cross_site"
    /// The page's button was pressed where a passkey of the account is required.
    case openWithoutPasskey = "open_without_passkey"
    /// A browser without proof of the account confirmed at the page of a third-party client.
    case openWithoutProof = "open_without_proof"
    /// The page was given another account's passkey.
    case openOtherPasskey = "open_other_passkey"
    /// Another number was typed on the page than the one that the app shows.
    case wrongNumber = "wrong_number"
    /// The provider refused to scan.
    case scanRefused = "scan_refused"
    /// A poll presented a verifier or a cookie of another login.
    case pollWrongProof = "poll_wrong_proof"
    /// An approved or collected login was polled without its proof.
    case collectUnproven = "collect_unproven"
    /// The account or its device was revoked before the collection.
    case collectBlocked = "collect_blocked"
    /// The account, its device or the session was revoked before the grant was asked for again.
    case redeliveryBlocked = "redelivery_blocked"
    /// An acknowledgement came without proof of its login.
    case acknowledgeUnproven = "acknowledge_unproven"
    /// A cancellation came without proof of its login.
    case cancelUnproven = "cancel_unproven"
}

/// An event that is too frequent for audit rows of its own.
package enum TalliedEvent: String, Sendable, CaseIterable {
    /// A login, or a decoy, was begun; the operation's own row has the time.
    case begun
    /// A login that nobody opened has expired.
    case expiredUnopened = "expired_unopened"
    /// An unknown link was opened.
    case unknownLink = "unknown_link"
    /// An unknown id was polled or ended.
    case unknownOperation = "unknown_operation"
    /// A request of a signed-in person without a token, or with an invalid one.
    case notSignedIn = "not_signed_in"
    /// A request that needs a fresher sign-in, or another proof beside it.
    case stepUpRequired = "step_up_required"
    /// A wrong password, or an address without a password.
    case wrongPassword = "wrong_password"
    /// A wrong or expired mailed code.
    case wrongCode = "wrong_code"
    /// A signature of the wrong key, or without an open challenge.
    case wrongSignature = "wrong_signature"
    /// A refresh without a token, with an invalid one, or without the proof of its device.
    case refreshRefused = "refresh_refused"
    /// An invalid or repeated DPoP proof at a sign-in or a refresh.
    case proofRefused = "proof_refused"
    /// A request of another site's page.
    case originNotAllowed = "origin_not_allowed"
    /// A webhook for an unknown provider, or for one without webhooks.
    case unknownWebhook = "webhook.unknown_provider"

    /// Whether the metrics count the event as a refusal, unlike webhooks, which have a metric of their own.
    package var isRefusal: Bool {
        switch self {
        case .begun, .expiredUnopened, .unknownWebhook: false
        case .unknownLink, .unknownOperation, .notSignedIn, .stepUpRequired, .wrongPassword, .wrongCode,
            .wrongSignature, .refreshRefused, .proofRefused, .originNotAllowed:
            true
        }
    }
}

/// Records refusals in the audit, at a cost that no caller can raise.
///
/// An unauthenticated caller can cause refusals as fast as the server answers. So each reason has a budget of audit
/// rows: 20 at once, then three a minute. The same operation gets one row a minute for a reason. Other refusals are
/// counted, and once a minute one row has the counts. The budget also bounds the rows that wait to be written.
///
/// A refusal changes nothing, so its row need not be durable before the answer. ``run()`` writes the rows a moment
/// later, and a crash may lose the last ones.
package final class RefusalLog: Sendable {
    private static let rowLimit = RateLimit(burst: 20, every: .seconds(20))
    private static let flushInterval: Duration = .seconds(1)
    private static let tallyInterval: Duration = .seconds(60)

    private let environment: Environment
    private let clock: EngineClock
    private let unitOfWork: any UnitOfWork
    private let auditLog: any AuditLog
    private let logger: Logger
    private let state: Mutex<State>

    private struct About: Hashable {
        let reason: RefusalReason
        let operation: OperationRowID
    }

    private struct State {
        var uses: [RefusalReason: RateLimit.Use] = [:]
        var totals: [RefusalReason: Int] = [:]
        var eventTotals: [TalliedEvent: Int] = [:]
        var limitTotals: [FixedLimit: Int] = [:]
        var pending: [AuditRecord] = []
        /// The refusals that got a row since the last tally.
        var written: Set<About> = []
        /// The counts of the next tally, by name.
        var tally: [String: Int] = [:]
        var tallyDue: Uptime
    }

    init(
        environment: Environment,
        clock: EngineClock,
        unitOfWork: any UnitOfWork,
        auditLog: any AuditLog,
        logger: Logger
    ) {
        self.environment = environment
        self.clock = clock
        self.unitOfWork = unitOfWork
        self.auditLog = auditLog
        self.logger = logger
        state = Mutex(State(tallyDue: environment.clock.now + Self.tallyInterval))
    }

    /// Records a refusal in a row, or only counts it when its reason's budget of rows is used up.
    func note(_ reason: RefusalReason, _ operation: Operation) {
        guard admits(reason, operation) else { return }
        let entry = AuditRecord(.refused, of: operation, at: clock.now, detail: reason.rawValue)
        state.withLock { $0.pending.append(entry) }
    }

    /// Whether the refusal gets a row of its own, instead of being counted in the next tally.
    func admits(_ reason: RefusalReason, _ operation: Operation) -> Bool {
        let now = environment.clock.now
        return state.withLock { state in
            state.totals[reason, default: 0] += 1
            let about = About(reason: reason, operation: operation.id)
            guard !state.written.contains(about),
                Self.rowLimit.take(&state.uses[reason, default: .init()], at: now) == nil
            else {
                state.tally["refused." + reason.rawValue, default: 0] += 1
                return false
            }
            state.written.insert(about)
            return true
        }
    }

    /// Counts an event that gets no rows of its own.
    package func count(_ event: TalliedEvent) {
        state.withLock { state in
            state.eventTotals[event, default: 0] += 1
            state.tally[event.rawValue, default: 0] += 1
        }
    }

    /// Counts a refusal of a configured limit.
    func count(_ limit: Limit) { state.withLock { $0.tally["limited." + limit.rawValue, default: 0] += 1 } }

    /// Counts a refusal of a fixed limit.
    package func count(_ limit: FixedLimit) {
        state.withLock { state in
            state.limitTotals[limit, default: 0] += 1
            state.tally["limited." + limit.rawValue, default: 0] += 1
        }
    }

    /// Counts a webhook that was refused or said nothing new.
    func count(_ outcome: WebhookOutcome) {
        guard outcome.isRefusal else { return }
        state.withLock { $0.tally["webhook." + outcome.rawValue, default: 0] += 1 }
    }

    /// The number of refusals since the start, by reason.
    package var totals: [RefusalReason: Int] { state.withLock(\.totals) }

    /// The number of events since the start.
    package var eventTotals: [TalliedEvent: Int] { state.withLock(\.eventTotals) }

    /// The number of refusals by each fixed limit since the start.
    var limitTotals: [FixedLimit: Int] { state.withLock(\.limitTotals) }

    /// The number of rows that wait to be written.
    package var pendingCount: Int { state.withLock(\.pending.count) }

    /// Writes the waiting rows every second until the task is cancelled, and then once more.
    package func run() async {
        while !Task.isCancelled {
            await flushOrWarn()
            do { try await environment.clock.sleep(until: environment.clock.now + Self.flushInterval) } catch { break }
        }
        state.withLock { $0.tallyDue = environment.clock.now }
        await flushOrWarn()
    }

    private func flushOrWarn() async {
        do { try await flush() } catch {
            logger.warning(
                "refusals could not be written to the audit: they are counted later",
                metadata: ["cause": "\(error)"]
            )
        }
    }

    /// Writes the waiting rows, and the tally when it is due.
    package func flush() async throws {
        let now = environment.clock.now
        let (entries, counts) = state.withLock { state -> ([AuditRecord], [String: Int]) in
            defer { state.pending = [] }
            guard now >= state.tallyDue else { return (state.pending, [:]) }
            state.tallyDue = now + Self.tallyInterval
            state.written = []
            defer { state.tally = [:] }
            return (state.pending, state.tally)
        }
        let records = entries + (counts.isEmpty ? [] : [AuditRecord(tally: counts, at: clock.now)])
        guard !records.isEmpty else { return }
        do {
            try await unitOfWork.run { [auditLog] transaction in
                for record in records { try auditLog.append(record, in: transaction) }
            }
        } catch {
            // While the database fails, the list of rows must not grow, so the rows are counted instead.
            state.withLock { state in
                for entry in entries { state.tally["refused." + (entry.detail ?? ""), default: 0] += 1 }
                state.tally.merge(counts, uniquingKeysWith: +)
            }
            throw error
        }
    }
}

extension AuditRecord {
    /// Creates the tally: the names in order, each with its count.
    ///
    /// `counts`: Counts by the name of a ``TalliedEvent``, or by a prefix and a name. The prefixes are `refused.` with
    /// a ``RefusalReason``, `limited.` with a ``Limit`` or ``FixedLimit``, and `webhook.` with a ``WebhookOutcome``.
    fileprivate init(tally counts: [String: Int], at now: Instant) {
        let text = counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        self.init(OperationAuditEvent.tally, of: nil, account: nil, detail: text, at: now)
    }
}

extension OperationService {
    /// Records that another website sent a POST to the landing page.
    package func noteCrossSite(ticket: String) {
        guard let card = cache.card(ticket: Digest256(sha256: ticket)) else { return refusals.count(.unknownLink) }
        refusals.note(.openCrossSite, card.operation)
    }

    /// Records the outcome of a request for the scan, if it is a refusal.
    func note(_ outcome: OpenOutcome, _ operation: Operation) {
        switch outcome {
        case .notOnThisDevice: refusals.note(operation.isDecoy ? .openDecoy : .openNotEnrolled, operation)
        case .tooManyRestarts: refusals.note(.openTooOften, operation)
        case .passkeyNeeded: refusals.note(operation.isDecoy ? .openDecoy : .openWithoutPasskey, operation)
        case .otherPasskey: refusals.note(operation.isDecoy ? .openDecoy : .openOtherPasskey, operation)
        case .accountProofNeeded: refusals.note(operation.isDecoy ? .openDecoy : .openWithoutProof, operation)
        case .over: refusals.note(.openOver, operation)
        // A wrong number was noted when it was typed.
        case .toProvider, .providerDown, .starting, .ask, .tooManyWrongNumbers: break
        }
    }

    /// Records that a caller without a valid proof asked for the state of an operation.
    ///
    /// A poll of an undecided operation without any proof is not recorded, because apps that lost their proof send such
    /// polls.
    func noteUnproven(_ caller: Caller, _ operation: Operation) {
        let presented = operation.credentials.codeChallenge == nil ? caller.bindingCookie : caller.challenge
        if presented != nil { return refusals.note(.pollWrongProof, operation) }
        switch operation.state.name {
        case .approved, .redeemed: refusals.note(.collectUnproven, operation)
        case .created, .opened, .pending, .closed, .failed: break
        }
    }
}
