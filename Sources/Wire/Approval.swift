/// What an app sends to have something approved: `POST /auth/approvals/initiate`.
public struct InitiateApprovalRequest: Codable, Sendable, Equatable {
    /// What the person is asked, as the page shows it: one line, at most 200 characters.
    public var message: String
    /// How much, if it is about money.
    public var amount: ApprovalAmount?
    /// To whom: at most 100 characters.
    public var payee: String?
    /// The base64url SHA-256 of what the app means to carry out; it comes back in the token.
    public var payloadHash: String?
    /// The client of the session; another one is refused.
    public var clientId: String?

    /// A request for that message; the other members are optional on the wire.
    public init(
        message: String,
        amount: ApprovalAmount? = nil,
        payee: String? = nil,
        payloadHash: String? = nil,
        clientId: String? = nil
    ) {
        self.message = message
        self.amount = amount
        self.payee = payee
        self.payloadHash = payloadHash
        self.clientId = clientId
    }
}

/// A sum of money.
public struct ApprovalAmount: Codable, Sendable, Equatable {
    /// A decimal number as text, `1250.00`: it is shown and signed as it is written here.
    public var value: String
    /// Three capital letters (ISO 4217).
    public var currency: String

    /// That much of that currency.
    public init(value: String, currency: String) {
        self.value = value
        self.currency = currency
    }
}

/// What comes of a completed approval.
public struct ApprovalProof: Codable, Sendable, Equatable {
    /// A JWT with the header `typ` `vst-approval+jwt`, which names what was approved; it signs nobody in.
    public var token: String
    /// Seconds until it expires.
    public var expiresIn: Int

    /// The proof that this token is.
    public init(token: String, expiresIn: Int) {
        self.token = token
        self.expiresIn = expiresIn
    }
}
