/// The answer to a request for a sign-in code, the same for known and unknown addresses.
public struct MailLoginResponse: Codable, Sendable, Equatable {
    /// The id of the code at its verification.
    public var challenge: String
    /// `email`.
    public var method: String
    /// Seconds until the code expires.
    public var expiresIn: Int

    /// Creates an answer with that challenge.
    public init(challenge: String, expiresIn: Int) {
        self.challenge = challenge
        method = "email"
        self.expiresIn = expiresIn
    }
}
