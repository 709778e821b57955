/// A sum of money.
public struct ApprovalAmount: Codable, Sendable, Equatable {
    /// A decimal number as text, `1250.00`, which is shown and signed as written.
    public var value: String
    /// Three capital letters (ISO 4217).
    public var currency: String

    /// Creates a sum of money.
    public init(value: String, currency: String) {
        self.value = value
        self.currency = currency
    }
}

/// The result of a completed approval.
public struct ApprovalProof: Codable, Sendable, Equatable {
    /// A JWT with the header `typ` `vst-approval+jwt`, which names the approved content and does not sign in.
    public var token: String
    /// Seconds until it expires.
    public var expiresIn: Int

    /// Creates a proof with that token.
    public init(token: String, expiresIn: Int) {
        self.token = token
        self.expiresIn = expiresIn
    }
}
