/// The status of a login, as clients branch on it.
///
/// The set is closed.
public enum LoginStatus: String, Codable, Sendable, CaseIterable {
    /// The login is in progress: poll again.
    case pending
    /// The login was approved: the tokens are in this answer, or were in an earlier one.
    case completed
    /// The login ended without a sign-in, and can't be continued.
    case failed
}

/// The answer to a poll.
///
/// Always 200 for a known operation, with the members that ``status`` calls for.
public struct PollLoginResponse: Codable, Sendable, Equatable {
    /// The status, the only member to branch on.
    public var status: LoginStatus
    /// The current step (`created`, `link_opened`, `user_in_provider`, `processing`, `provider_degraded`).
    public var hint: String?
    /// The version of the operation, which grows with every change.
    public var seq: Int64
    /// Seconds until the login expires, or until an approval that waits for the browser's return expires (`pending`
    /// only).
    public var operationExpiresIn: Int?
    /// Seconds before the next poll (`pending` only).
    public var interval: Int?
    /// The user (`completed`).
    public var user: LoginUser?
    /// The tokens (`completed`, until acknowledged).
    public var tokens: LoginTokens?
    /// The same as in ``tokens``, like the next three members, for clients that read them here.
    public var accessToken: String?
    /// See ``tokens``.
    public var refreshToken: String?
    /// Seconds until the access token expires.
    public var expiresIn: Int?
    /// See ``tokens``.
    public var tokenType: String?
    /// The result of an approval (`completed`, until acknowledged).
    public var approval: ApprovalProof?
    /// `closed` if the tokens were delivered before and are not returned again.
    public var delivery: String?
    /// The reason of the failure (`failed`).
    public var failure: LoginFailure?
    /// The same code as in ``failure``.
    public var code: String?
    /// The text of ``failure``, or a sentence for the person.
    public var message: String?

    /// Creates an answer with that status and no other members.
    public init(status: LoginStatus, seq: Int64) {
        self.status = status
        self.seq = seq
    }
}

/// The tokens of a completed login.
public struct LoginTokens: Codable, Sendable, Equatable {
    /// The access token, a JWT (RFC 9068).
    public var accessToken: String
    /// The refresh token.
    public var refreshToken: String
    /// Seconds until the access token expires.
    public var expiresIn: Int
    /// `Bearer` (RFC 6750); `DPoP` if the tokens are bound to a key (RFC 9449).
    public var tokenType: String

    /// Creates a pair of tokens.
    public init(accessToken: String, refreshToken: String, expiresIn: Int, tokenType: String = "Bearer") {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        self.tokenType = tokenType
    }
}

/// The user of a completed login.
///
/// Dates are left out: clients in the field disagree about their form.
public struct LoginUser: Codable, Sendable, Equatable {
    /// A lower-case dashed UUID.
    public var id: String
    /// The name to show.
    public var name: String
    /// The address of the account.
    public var email: String
    /// The department; may be empty.
    public var department: String
    /// `admin`, `manager`, `technician` or `user`.
    public var role: String
    /// `basic`, `standard`, `elevated` or `admin`.
    public var accessLevel: String

    /// Creates a user with all members that clients require.
    public init(id: String, name: String, email: String, department: String, role: String, accessLevel: String) {
        self.id = id
        self.name = name
        self.email = email
        self.department = department
        self.role = role
        self.accessLevel = accessLevel
    }
}

/// The failure of a login.
public struct LoginFailure: Codable, Sendable, Equatable {
    /// A stable snake_case code (`declined`, `not_matched`, `expired`, …).
    public var code: String
    /// A sentence for the person.
    public var message: String
    /// Whether a new start may succeed.
    public var retryable: Bool

    /// Creates a failure.
    public init(code: String, message: String, retryable: Bool) {
        self.code = code
        self.message = message
        self.retryable = retryable
    }
}

/// The answer to an acknowledgement or a cancellation.
public struct OperationReceipt: Codable, Sendable, Equatable {
    /// The current status of the login.
    public var status: LoginStatus
    /// The version of the operation, which grows with every change.
    ///
    /// An answer with a lower one is older, and can be ignored.
    public var seq: Int64
    /// The reason of a failure.
    public var code: String?
    /// A sentence for the person, beside ``code``.
    public var message: String?

    /// Creates a receipt for an operation in that status.
    public init(status: LoginStatus, seq: Int64, code: String? = nil, message: String? = nil) {
        self.status = status
        self.seq = seq
        self.code = code
        self.message = message
    }
}
