import Wire

/// The body of `POST /auth/approvals/initiate`, which requests an approval.
struct InitiateApprovalRequest: Codable, Sendable, Equatable {
    /// The question as the page shows it: one line, at most 200 characters.
    var message: String
    /// The sum, if the approval is about money.
    var amount: ApprovalAmount?
    /// At most 100 characters.
    var payee: String?
    /// The base64url SHA-256 of the payload that the app intends to execute; the token repeats it.
    var payloadHash: String?
    /// The client of the session; any other is refused.
    var clientId: String?
}

/// The answer to `POST /biometric/enroll`.
struct EnrollResponse: Codable, Sendable, Equatable {
    var message: String
    /// Whether a face was enrolled before; in that case no enrolment was started.
    var alreadyEnrolled: Bool
    /// The enrolment that was started, or the existing one.
    var enrollment: EnrollmentView
    /// The reason why no enrolment was started, if ``enrollment`` has failed.
    var code: String?
    /// The same sentence as ``message``, whenever there is a ``code``.
    var error: String?
}

/// The newest operations of an account, as its owner sees them.
struct OwnedOperationsResponse: Codable, Sendable, Equatable {
    /// Logins and approvals, the newest first.
    var operations: [OwnedOperationView]
    /// Face enrolments, the newest first; the enrolment of the current face is always among them.
    var enrolments: [OwnedOperationView]
}

/// One operation of an account, as its owner sees it.
struct OwnedOperationView: Codable, Sendable, Equatable {
    /// The operation's id for "this wasn't me", which differs from the id that an app polls with.
    var id: String
    /// `login`, `enroll` or `approve`.
    var kind: String
    /// The client (app) that started the operation.
    var client: String
    /// UTC, `2026-01-31T09:05:00Z`.
    var startedAt: String
    var endedAt: String?
    var status: LoginStatus
    /// The reason of a failure (`failed`).
    var code: String?
    /// Whether the operation was started on a device that the account had signed in on.
    var knownDevice: Bool
    /// The known details of the device that started the operation.
    var origin: OriginView?
    /// The text that the client wants on the page, if its server requested the login.
    var message: String?
    /// The page to open for a login that a client's server requested.
    ///
    /// Only devices that the account has signed in on see it.
    var authorizationLink: String?
    /// The question of an approval (`approve`).
    var approval: ApprovalView?
    /// The session that the operation created, or that started it.
    var session: SessionView?

    /// The question of an approval.
    struct ApprovalView: Codable, Sendable, Equatable {
        var message: String
        var amount: ApprovalAmount?
        var payee: String?
    }

    /// A session, as far as its owner needs to know.
    struct SessionView: Codable, Sendable, Equatable {
        /// Whether the session still gets tokens.
        var open: Bool
        /// Whether the session is that of the request.
        var current: Bool
    }
}

/// The place and browser of a start or a sign-in, as the account's owner sees them.
struct OriginView: Codable, Sendable, Equatable {
    /// The IP address.
    var address: String?
    /// The browser or app and its system, like `Firefox, Windows`.
    var agent: String?

    /// Creates the view of what is known; `nil` if nothing is.
    init?(address: String, agent: String) {
        guard !address.isEmpty || !agent.isEmpty else { return nil }
        self.address = address.isEmpty ? nil : address
        self.agent = agent.isEmpty ? nil : agent
    }
}
