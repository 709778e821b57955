/// The newest operations of an account, as its owner sees them.
public struct OwnedOperationsResponse: Codable, Sendable, Equatable {
    /// The newest first.
    public var operations: [OwnedOperationView]

    /// An answer with those operations.
    public init(operations: [OwnedOperationView]) { self.operations = operations }
}

/// One operation of an account, as its owner sees it.
public struct OwnedOperationView: Codable, Sendable, Equatable {
    /// What names the operation in "this wasn't me"; not the id that an app polls with.
    public var id: String
    /// What it was for (`login`, `enroll`).
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
