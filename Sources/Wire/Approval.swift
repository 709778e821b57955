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
