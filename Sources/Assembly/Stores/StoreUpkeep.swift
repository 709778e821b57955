import Audit
import Kernel
import Operations
import Storage

/// Port: maintenance of the whole database by the daemon.
protocol StoreUpkeep: Sendable {
    /// The form of the ids that new rows get.
    var ids: IDForm { get }
    /// The rows with encrypted parts. `nil` for stores in memory.
    var encryptedRows: (any EncryptedRows)? { get }
    /// The sizes of the database's files in bytes. `nil` for stores without files.
    var fileSizes: (database: Int64, log: Int64)? { get }
    /// The clock of the database's server; `nil` for a database on this machine's disk.
    var databaseClock: DatabaseClock? { get }
    /// This daemon among those that share the database.
    var nodes: any NodeMembership { get }
    /// The list of those daemons, for operators.
    var registry: any NodeRegistry { get }
    /// The messages between the daemons that share the database.
    var feed: any ChangeFeed { get }
    /// The rings of signing keys in the database; `nil` where the key folder keeps them, for one daemon alone.
    var sharedRings: (any SharedRings)? { get }
    /// The uses of small limits, which all daemons count together. `nil` for a database that only one can use.
    var sharedUses: (any SharedUses)? { get }
    /// The log of checkpoints that is kept in the database; `nil` where a file is the log, because one daemon has the
    /// database.
    var checkpoints: (any CheckpointLog)? { get }
    /// Throws unless a unit would become durable.
    func checkDurable() async throws
    /// Tells other daemons that this one accepts requests.
    func noteServing()
    /// Lets other daemons follow this one's operations, because it stops.
    func leave()
    /// Returns the deletion of that kind of rows.
    func purge(of kind: ExpiringRowKind) -> Purge
    func close() throws
}

extension StoreUpkeep {
    var ids: IDForm { .ordered }
    var databaseClock: DatabaseClock? { nil }
    var nodes: any NodeMembership { SingleNode() }
    var feed: any ChangeFeed { SilentFeed() }
    var sharedRings: (any SharedRings)? { nil }
    var sharedUses: (any SharedUses)? { nil }
    var checkpoints: (any CheckpointLog)? { nil }

    func noteServing() {}

    func leave() {}
}

/// A kind of rows that retention deletes some time after their end.
///
/// The raw value is its name in the log.
///
/// The audit is not among them: its rows are deleted up to a checkpoint, and the deletion is itself an audit row
/// (`AuditRetention`).
enum ExpiringRowKind: String, Sendable, CaseIterable {
    case operations
    case sessions
    case deviceLinks = "device links"
    case ownerlessDevices = "devices without an owner"
    case devices
    case lockouts
    case deviceAuthorizations = "device codes"
    case emailCodes = "sign-in codes"
    case passkeyChallenges = "passkey challenges"
    case webSessions = "web sessions"
    case usedMarks = "used proofs"
    case authorizationCodes = "authorization codes"
    case interactions = "authorization requests"
    case pushedRequests = "pushed requests"
    case consents
    case backchannelRequests = "backchannel requests"
    case bankEnrolments = "enrolments at banks"
    case payments
    case registrations = "registration tokens"
    case mails = "bounced mail"
}
