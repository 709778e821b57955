/// The newest operations of an account, as its owner sees them.
public struct OwnedOperationsResponse: Codable, Sendable, Equatable {
    /// Logins and approvals, the newest first.
    public var operations: [OwnedOperationView]
    /// Enrolments of a face, the newest first; the one whose face is in force is always among them.
    public var enrolments: [OwnedOperationView]

    /// An answer with those logins and approvals, and those enrolments.
    public init(operations: [OwnedOperationView], enrolments: [OwnedOperationView]) {
        self.operations = operations
        self.enrolments = enrolments
    }
}

/// One operation of an account, as its owner sees it.
public struct OwnedOperationView: Codable, Sendable, Equatable {
    /// What names the operation in "this wasn't me"; not the id that an app polls with.
    public var id: String
    /// What it was for (`login`, `enroll`, `approve`).
    public var kind: String
    /// The client (app) that started it.
    public var client: String
    /// When it was started: UTC, `2026-01-31T09:05:00Z`.
    public var startedAt: String
    /// When it ended, if it has.
    public var endedAt: String?
    /// Where it stands.
    public var status: LoginStatus
    /// Why it failed (`failed`).
    public var code: String?
    /// Whether a device that the account had signed in on started it.
    public var knownDevice: Bool
    /// Where it was started from, as far as that is known.
    public var origin: OriginView?
    /// What the client has the page show, where its server asked for the login.
    public var message: String?
    /// The page to open, for a login that a client's server has asked for: told on devices that the account has signed in on.
    public var authorizationLink: String?
    /// What was to be approved (`approve`).
    public var approval: ApprovalView?
    /// The session that came of it, or that started it.
    public var session: SessionView?

    /// An operation without an end and without a session.
    public init(id: String, kind: String, client: String, startedAt: String, status: LoginStatus, knownDevice: Bool) {
        self.id = id
        self.kind = kind
        self.client = client
        self.startedAt = startedAt
        self.status = status
        self.knownDevice = knownDevice
    }

    /// Where an operation was started from.
    public struct OriginView: Codable, Sendable, Equatable {
        /// The IP address.
        public var address: String?
        /// The browser or app and its system, like `Firefox, Windows`.
        public var agent: String?

        /// An origin of which that is known.
        public init(address: String?, agent: String?) {
            self.address = address
            self.agent = agent
        }
    }

    /// What was to be approved.
    public struct ApprovalView: Codable, Sendable, Equatable {
        /// What the person was asked.
        public var message: String
        /// How much.
        public var amount: ApprovalAmount?
        /// To whom.
        public var payee: String?

        /// A question with that message.
        public init(message: String, amount: ApprovalAmount?, payee: String?) {
            self.message = message
            self.amount = amount
            self.payee = payee
        }
    }

    /// A session, as far as its owner needs to know.
    public struct SessionView: Codable, Sendable, Equatable {
        /// Whether tokens can still be had for it.
        public var open: Bool
        /// Whether it is the one that asks.
        public var current: Bool

        /// A session of that standing.
        public init(open: Bool, current: Bool) {
            self.open = open
            self.current = current
        }
    }
}
