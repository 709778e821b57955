package import Kernel

/// Port: the table of operations.
///
/// Methods that write take the unit of work's transaction.
package protocol OperationStore: SharedOperations {
    func insert(_ operation: Operation, in transaction: borrowing Transaction) throws

    /// Writes `operation` over version `seq` (compare-and-swap); returns `false`, without a change, over another
    /// version.
    func update(_ operation: Operation, over seq: Int64, in transaction: borrowing Transaction) throws -> Bool

    /// Marks operations as bound to their cookies, at any version; no later write undoes it.
    func bind(_ operations: Set<OperationRowID>, in transaction: borrowing Transaction) throws

    /// Claims a provider's scan for an operation, for as long as that operation's row is kept.
    ///
    /// `scan`: A digest of the provider's name and the scan's reference.
    ///
    /// `face`: The mark of the face that the scan compares with, if known.
    ///
    /// - Returns: `false`, without a change, if any operation has claimed the scan before.
    func claim(
        _ scan: Digest256,
        for operation: OperationRowID,
        face: String?,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Returns the mark of the scan's face, as ``claim(_:for:face:in:)`` stored it.
    func face(of scan: Digest256, in transaction: borrowing Transaction) throws -> String?

    /// Returns the operation that has claimed the scan.
    func claimant(of scan: Digest256, in transaction: borrowing Transaction) throws -> OperationRowID?

    /// Returns a terminal operation.
    ///
    /// For the only daemon on a database, whose live operations are in the cache.
    func findEnded(publicID: Digest256) async throws -> Operation?
    func find(row: OperationRowID) async throws -> Operation?

    /// Returns the operation with that row id, read within a unit of work.
    func find(row: OperationRowID, in transaction: borrowing Transaction) throws -> Operation?

    /// Returns the operations after `row` in ascending order of row ids: live ones, and those that ended at
    /// `endedAfter` or later.
    func following(_ row: OperationRowID?, endedAfter: Instant, limit: Int) async throws -> [Operation]

    /// Returns the operations that pass the filter, the newest first, and of one moment in the order of their ids.
    ///
    /// Account and client are read from an index in the order of the list, so that no page needs a sort.
    func list(_ filter: OperationFilter) async throws -> [Operation]

    /// Returns the account's terminal logins and approvals, newest first, without `expired`, `canceled` and
    /// `superseded` ones.
    ///
    /// It uses an index, because account owners can call it.
    func listEnded(of account: AccountID, limit: Int) async throws -> [Operation]

    /// Returns the account's terminal enrolments that pass the filter, newest first.
    ///
    /// It uses an index of enrolments alone, so that no number of logins displaces an enrolment.
    func listEnrolments(_ filter: EnrolmentFilter) async throws -> [Operation]
}

/// A filter of an account's terminal enrolments.
package struct EnrolmentFilter: Sendable, Equatable {
    package let account: AccountID
    package let outcome: Outcome
    /// `nil` for any provider.
    package let provider: ProviderName?
    package let limit: Int

    package init(account: AccountID, outcome: Outcome, provider: ProviderName? = nil, limit: Int) {
        self.account = account
        self.outcome = outcome
        self.provider = provider
        self.limit = limit
    }

    package enum Outcome: Sendable, Equatable {
        /// All except `expired`, `canceled` and `superseded` ones.
        case any
        /// Enrolments that succeeded, at any time.
        case completed
        /// Enrolments that succeeded after the first instant, and not after the second.
        case completedWithin(after: Instant, until: Instant)
    }
}

/// A filter of operations, for operators.
package struct OperationFilter: Sendable, Equatable {
    package var account: AccountID?
    /// The client's id; `nil` for any client.
    package var client: String?
    package var states: Set<OperationState.Name>
    /// The last operation of the page before; `nil` for the first page.
    package var after: Position?
    /// The earliest start; `nil` for any.
    package var since: Instant?
    package var limit: Int

    package init(
        account: AccountID? = nil,
        client: String? = nil,
        states: Set<OperationState.Name> = [],
        after: Position? = nil,
        limit: Int = 100
    ) {
        self.account = account
        self.client = client
        self.states = states
        self.after = after
        self.limit = limit
    }

    /// The place of an operation in the list, the newest first.
    package struct Position: Sendable, Equatable {
        package let createdAt: Instant
        package let id: OperationRowID

        package init(_ operation: Operation) {
            createdAt = operation.validity.createdAt
            id = operation.id
        }
    }
}

/// Port: the accounts that a scan can sign in.
package protocol LoginSubjects: Sendable {
    /// Returns the account to sign in, with the same reads for every address, so that timing reveals nothing.
    func subject(for query: SubjectQuery, in transaction: borrowing Transaction) throws -> SubjectFinding

    /// Whether the signature was made with the key of a device that has proved itself before.
    ///
    /// It reads memory only, and is not yet a proof.
    func recognises(_ signature: DeviceSignature, of client: String) -> Bool

    /// Returns the e-mail address in the form in which addresses are compared.
    func normalised(_ email: String) -> String

    /// Returns the account's face at the provider from the database; `nil` if the account is disabled or not enrolled.
    func enrolment(of account: AccountID, at provider: ProviderName) async throws -> EnrolledFace?

    /// Returns the face that signs the account in at the provider; `nil` if there is none or it was withdrawn.
    func face(
        of account: AccountID,
        at provider: ProviderName,
        in transaction: borrowing Transaction
    ) throws -> FaceInForce?
}

/// A face that signs an account in.
package struct EnrolledFace: Sendable, Equatable {
    /// The account's name at the provider.
    package let reference: String
    /// The mark of this face, which changes when a face is enrolled again under the same name.
    package let mark: String

    package init(reference: String, mark: String) {
        self.reference = reference
        self.mark = mark
    }
}

/// The e-mail address in a request to start, and the proofs of its initiator.
package struct SubjectQuery: Sendable, Equatable {
    /// The e-mail address as typed, which the port normalises.
    package let email: String
    package let provider: ProviderName
    package let policy: ClientPolicy
    package let deviceProof: DeviceProof
}

/// The result of looking up the account for a start.
package struct SubjectFinding: Sendable, Equatable {
    /// The person to sign in; `nil` for a decoy.
    ///
    /// Not `nil` only if the account exists, is active and enrolled with the provider, and the initiator may start its
    /// logins.
    package let subject: LoginSubject?
    /// Whether the initiator proved a device that is linked to the account, whatever the account's state.
    package let isLinked: Bool
    /// The marks (``PresentedProofs``) of the valid cookies and credentials only.
    package let proven: [Digest256]

    package init(subject: LoginSubject?, isLinked: Bool, proven: [Digest256] = []) {
        self.subject = subject
        self.isLinked = isLinked
        self.proven = proven
    }
}

/// A person that can be signed in.
package struct LoginSubject: Sendable, Equatable {
    package let account: AccountID
    /// The linked device that the initiator proved.
    package let device: DeviceID?
    /// The kind of proof of that device.
    package let proof: DeviceProofKind?

    package init(account: AccountID, device: DeviceID?, proof: DeviceProofKind?) {
        self.account = account
        self.device = device
        self.proof = proof
    }
}

/// The kind of proof of a known device at a login's start.
package enum DeviceProofKind: String, Sendable, CaseIterable {
    case cookie
    case credential
    /// A signature with the device's key, to which the login's session is bound.
    case key
}

/// Port: opens the session of a grant.
///
/// Implemented at the composition root, over accounts, devices and sessions.
package protocol SessionOpening: Sendable {
    /// Opens the session with its refresh token's row and its device link, or refuses.
    ///
    /// It reads account and device again, so that a revocation wins over a redemption.
    func open(_ request: SessionRequest, in transaction: borrowing Transaction) throws -> SessionVerdict

    /// Returns whether the grant may be handed out again, and the values that are delivered with it.
    func review(_ grant: Grant, of account: AccountID, under policy: ClientPolicy) async throws -> SessionVerdict
}

/// A request to open the session of an approved operation.
package struct SessionRequest: Sendable, Equatable {
    package let operation: Operation
    /// The account of the operation.
    package let account: AccountID
    /// The face that was scanned.
    package let face: FaceInForce
    package let grant: Grant
    package let caller: Caller
}

/// The decision whether an account gets its session.
package enum SessionVerdict: Sendable, Equatable {
    case allowed(Delivery)
    /// The account is disabled, its face withdrawn, or the device or session revoked.
    case refused
    /// The refresh token was used already. So its holder has the grant, and it is not handed out again.
    case collected
}

/// The values that a client gets with a grant.
package struct Delivery: Sendable, Equatable {
    package let person: SignedInPerson
    /// The policy of the tokens, which is that of the operation.
    package let policy: ClientPolicy
    package let deviceCookie: DeviceCookie
    /// The thumbprint of the key that the session's tokens are bound to.
    package let proofKey: Digest256?
    /// Whether the grant was handed out before, so that part of its lifetime has passed.
    package var isRepeated = false

    package init(
        person: SignedInPerson,
        policy: ClientPolicy,
        deviceCookie: DeviceCookie,
        proofKey: Digest256? = nil
    ) {
        self.person = person
        self.policy = policy
        self.deviceCookie = deviceCookie
        self.proofKey = proofKey
    }

    /// The device cookie (`vst_device`) that an answer with the grant sets.
    package enum DeviceCookie: String, Sendable {
        /// The caller keeps no cookies.
        case none
        /// A new cookie for this session, in addition to the cookies that the caller presented.
        case issued
        /// The cookie that the caller presented, with a new expiry time.
        case prolonged
    }
}

/// The person who signed in, as clients see them.
package struct SignedInPerson: Sendable, Equatable {
    package let account: AccountID
    package let name: String
    package let email: String
    package let department: String
    package let role: String
    package let accessLevel: String

    package init(
        account: AccountID,
        name: String,
        email: String,
        department: String,
        role: String,
        accessLevel: String
    ) {
        self.account = account
        self.name = name
        self.email = email
        self.department = department
        self.role = role
        self.accessLevel = accessLevel
    }
}

/// The audit events of operations; the subject is the operation's row.
package enum OperationAuditEvent: String, AuditEvent {
    /// A person opened the link.
    case opened = "operation.opened"
    /// A passkey was used on the page instead of a press.
    ///
    /// Detail: The passkey's id.
    case confirmed = "operation.confirmed"
    /// The provider began a scan.
    ///
    /// Detail: `attempt` and its number, then `at` and the provider where another one took over.
    case scanStarted = "operation.scan_started"
    /// The provider will not scan this person.
    ///
    /// Detail: The provider's reason.
    case scanRefused = "operation.scan_refused"
    /// The provider's verdict is that the person is the account's.
    case approved = "operation.approved"
    /// The client collected the tokens.
    ///
    /// Detail: The id of the session; of an approval, the id (`jti`) of its access token.
    case redeemed = "operation.redeemed"
    /// The client acknowledged the tokens, or the time to collect them again has passed.
    case closed = "operation.closed"
    /// The face of an enrolment was taken, and signs the account in from then on.
    case enrolled = "operation.enrolled"
    /// The operation ended without success.
    ///
    /// Detail: The failure code.
    case failed = "operation.failed"
    /// A verdict came after the deadline, or about an abandoned scan; it granted nothing.
    ///
    /// Detail: The verdict.
    case lateVerdict = "operation.late_verdict"
    /// A request was refused.
    ///
    /// Detail: A refusal reason.
    case refused = "operation.refused"
    /// The owner disowned it.
    ///
    /// Detail: The id of the session that was revoked.
    case disowned = "operation.disowned"
    /// The counts of frequent events since the last tally; the subject is the node.
    ///
    /// Detail: Counts like `begun=3`, each by its name.
    case tally = "operations.tally"
}

extension AuditRecord {
    /// Creates the record of an operation's event.
    ///
    /// `detail`: A failure code, a session id or a verdict, as the event needs.
    init(_ event: OperationAuditEvent, of operation: Operation, at: Instant, detail: String?) {
        self.init(event, of: operation.id, account: operation.request.account, detail: detail, at: at)
    }
}
