/// The same for every address, whether somebody has it or not.
public struct MailLoginResponse: Codable, Sendable, Equatable {
    /// Names the code at its verification.
    public var challenge: String
    /// `email`.
    public var method: String
    /// Seconds until the code expires.
    public var expiresIn: Int

    /// An answer with that challenge.
    public init(challenge: String, expiresIn: Int) {
        self.challenge = challenge
        method = "email"
        self.expiresIn = expiresIn
    }
}
