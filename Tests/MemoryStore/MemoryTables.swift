package import Accounts
import Audit
package import Kernel
package import Mail
package import OAuth
package import Operations
package import Passkeys
package import Wallet

/// The rows of the in-memory store.
package struct MemoryTables: Sendable {
    package var operations: [OperationRowID: Operation] = [:]
    /// The digest of the cookie of the browser that last began each operation's scan.
    var scanBrowsers: [OperationRowID: Digest256] = [:]
    /// Whose each scan is.
    package var scans: [Digest256: OperationRowID] = [:]
    /// The mark of the face that each scan was begun against.
    package var scannedFaces: [Digest256: String] = [:]
    package var sessions: [SessionID: MemorySession] = [:]
    package var auditLog: [AuditRecord] = []
    package var people: [AccountID: MemoryPerson] = [:]
    package var mails: [MailID: MemoryMail] = [:]
    package var emailCodes: [EmailCodeID: EmailCode] = [:]
    package var lockouts: [Digest256: Lockout] = [:]
    package var passkeys: [PasskeyID: Passkey] = [:]
    /// The challenges in the order of their requests.
    package var passkeyChallenges: [PasskeyChallenge] = []
    /// The rows in the order of their arrival.
    package var deviceAuthorizations: [DeviceAuthorization] = []
    /// The rows in the order of their arrival.
    package var interactions: [Interaction] = []
    package var authorizationCodes: [Digest256: AuthorizationCode] = [:]
    /// The rows in the order of their arrival.
    package var pushedRequests: [PushedRequest] = []
    package var consents: [Consent] = []
    package var oauthClients: [String: StoredOAuthClient] = [:]
    package var registrationTickets: [Digest256: RegistrationTicket] = [:]
    /// The attempts in the order of their start.
    package var bankEnrolments: [EnrolmentAttempt] = []
    package var bankLinks: [BankLinkKey: BankLink] = [:]
    package var walletCards: [CardID: HeldCard] = [:]
    package var payments: [PaymentID: Payment] = [:]
    package var usedMarks: [Digest256: UsedMark] = [:]
    package var oauthGrants: [SessionID: SessionGrant] = [:]
    package var logoutNotices: [SessionID: MemoryLogout] = [:]
    package var backchannelRequests: [Digest256: MemoryBackchannelRequest] = [:]
    /// The rows of each node's audit in their order.
    var audit: [String: [AuditRow]] = [:]
    package var identity = MemoryIdentityTables()
    /// See ``MemoryNotes``.
    package var notes: [String] = []

    /// A committed write of an operation: its earlier state and its new one.
    package struct Write: Sendable {
        package let old: Operation?
        package let new: Operation
    }
}

/// A person who can be signed in.
package struct MemoryPerson: Sendable, Equatable {
    package let account: AccountID
    package let email: String
    /// The account's name at the provider.
    package let enrolment: String
    /// Its other names at some; `nil` at one that does not know the person.
    package var elsewhere: [ProviderName: String?] = [:]
    package var isActive = true
    /// Whether a face is enrolled under that name.
    package var isEnrolled = true
    /// How often a face was enrolled under that name, or withdrawn.
    package var faceVersion = 0
    /// The devices linked to the account, by the digest of their cookie.
    package var devices: [Digest256: DeviceID]

    package init(account: AccountID, email: String, enrolment: String, devices: [Digest256: DeviceID] = [:]) {
        self.account = account
        self.email = email
        self.enrolment = enrolment
        self.devices = devices
    }

    /// Returns the account's name at that provider.
    package func enrolment(at provider: ProviderName) -> String? { elsewhere[provider] ?? enrolment }

    var signedIn: SignedInPerson {
        SignedInPerson(
            account: account,
            name: "Robin Example",
            email: email,
            department: "Examples",
            role: "user",
            accessLevel: "basic"
        )
    }
}

/// A session that a redemption opened.
package struct MemorySession: Sendable, Equatable {
    package let operation: OperationRowID
    package let account: AccountID
    package let grant: Grant
    package var isRevoked = false
}

/// The tables as one unit of work sees and changes them: a copy that is kept only if the unit succeeds.
final class MemoryDraft {
    var tables: MemoryTables {
        didSet { isChanged = true }
    }
    private(set) var isChanged = false
    var writes: [MemoryTables.Write] = []
    var tally = StoreTally()

    init(_ tables: MemoryTables) { self.tables = tables }

    func write(_ operation: Operation, over old: Operation?) {
        tables.operations[operation.id] = operation
        if let browser = operation.scanningBrowser { tables.scanBrowsers[operation.id] = browser }
        writes.append(MemoryTables.Write(old: old, new: operation))
    }
}

extension Transaction {
    borrowing func draft() throws -> MemoryDraft {
        guard let draft = context(as: MemoryDraft.self) else { throw StoreError.foreignTransaction }
        return draft
    }
}

/// The notes of tests in a unit of work: they exist if, and only if, the unit is durable.
package struct MemoryNotes: Sendable {
    package init() {}

    package func append(_ note: String, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.notes.append(note)
    }

    package func all(in transaction: borrowing Transaction) throws -> [String] {
        try transaction.draft().tables.notes
    }
}
