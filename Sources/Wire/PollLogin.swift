/// Where a login stands, as clients branch on it.
///
/// There are exactly three.
public enum LoginStatus: String, Codable, Sendable, CaseIterable {
    /// Still under way: ask again.
    case pending
    /// Approved: the tokens are in this answer, or were in an earlier one.
    case completed
    /// Over without a sign-in; it stays so.
    case failed
}

/// The answer to a poll.
///
/// Always 200 for a known operation; ``status`` says which members there are.
public struct PollLoginResponse: Codable, Sendable, Equatable {
    /// One of three; branch on this alone.
    public var status: LoginStatus
    /// What happens at the moment (`created`, `link_opened`, `user_in_provider`, `processing`, `provider_degraded`).
    public var hint: String?
    /// The version of the operation; it grows with every change.
    public var seq: Int64
    /// Seconds until the login expires, or until an approval does that waits for the browser's return (`pending` only).
    public var operationExpiresIn: Int?
    /// Seconds to leave before the next poll (`pending` only).
    public var interval: Int?
    /// Who signed in (`completed`).
    public var user: LoginUser?
    /// The tokens (`completed`, until acknowledged).
    public var tokens: LoginTokens?
    /// The same four as in ``tokens``, for clients that read them here.
    ///
    /// See ``tokens``.
    public var accessToken: String?
    /// See ``tokens``.
    public var refreshToken: String?
    /// Seconds until the access token expires.
    public var expiresIn: Int?
    /// See ``tokens``.
    public var tokenType: String?
    /// What was approved (`completed`, of an approval, until acknowledged).
    public var approval: ApprovalProof?
    /// `closed` when the tokens were delivered before and are not handed out again.
    public var delivery: String?
    /// Why it failed (`failed`).
    public var failure: LoginFailure?
    /// The same code and text as in ``failure``.
    public var code: String?
    /// See ``failure``, or a sentence for the person.
    public var message: String?

    /// An answer with that status; the other members follow from it.
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
    /// `Bearer` (RFC 6750); `DPoP` where the tokens are bound to a key (RFC 9449).
    public var tokenType: String

    /// A pair of tokens.
    public init(accessToken: String, refreshToken: String, expiresIn: Int, tokenType: String = "Bearer") {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        self.tokenType = tokenType
    }
}

/// The person behind a completed login.
///
/// Carries no dates: clients in the field disagree about their form.
public struct LoginUser: Codable, Sendable, Equatable {
    /// A lower-case dashed UUID.
    public var id: String
    /// The name to show.
    public var name: String
    /// The address of the account.
    public var email: String
    /// Where they work; may be empty.
    public var department: String
    /// `admin`, `manager`, `technician` or `user`.
    public var role: String
    /// `basic`, `standard`, `elevated` or `admin`.
    public var accessLevel: String

    /// A person with all that clients require.
    public init(id: String, name: String, email: String, department: String, role: String, accessLevel: String) {
        self.id = id
        self.name = name
        self.email = email
        self.department = department
        self.role = role
        self.accessLevel = accessLevel
    }
}

/// Why a login failed.
public struct LoginFailure: Codable, Sendable, Equatable {
    /// A stable snake_case code (`declined`, `not_matched`, `expired`, …).
    public var code: String
    /// A sentence for the person.
    public var message: String
    /// Whether starting again may help.
    public var retryable: Bool

    /// A failure with its text.
    public init(code: String, message: String, retryable: Bool) {
        self.code = code
        self.message = message
        self.retryable = retryable
    }
}

/// The answer to an acknowledgement or a cancellation.
public struct OperationReceipt: Codable, Sendable, Equatable {
    /// Where the login stands now.
    public var status: LoginStatus
    /// The version of the operation.
    public var seq: Int64
    /// Why it failed, where it did.
    public var code: String?
    /// A sentence for the person, where there is a code.
    public var message: String?

    /// A receipt for an operation in that status.
    public init(status: LoginStatus, seq: Int64, code: String? = nil, message: String? = nil) {
        self.status = status
        self.seq = seq
        self.code = code
        self.message = message
    }
}
