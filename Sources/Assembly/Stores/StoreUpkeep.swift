import Kernel
import Storage

/// Port: a store as a whole, as the daemon keeps it up.
protocol StoreUpkeep: Sendable {
    /// The rows with encrypted parts; `nil` for a store whose rows end with the process.
    var encryptedRows: (any EncryptedRows)? { get }
    /// The sizes of the store's files in bytes; `nil` for a store that has none.
    var fileSizes: (database: Int64, log: Int64)? { get }
    /// Throws unless a unit would become durable.
    func checkDurable() async throws
    /// Returns what deletes the rows of that kind that ended before an instant.
    func purge(of kind: ExpiringRowKind) -> Purge
    func close() throws
}

/// A kind of rows that retention deletes some time after their end, by its name in the log.
///
/// The audit is not here: its deletion goes up to a checkpoint and is itself a row (`AuditRetention`).
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
