package import CodeFlow
package import Kernel

/// The way to a bank: one request each, never repeated.
package protocol BankGateway: Sendable {
    /// Redeems a code, or a refresh token, which may be good once: its answer is waited for until ``Bank/exchangeTime``.
    func tokens(for grant: TokenGrant, at bank: Bank) async throws(BankError) -> GrantedTokens

    /// The cards of whoever the token is of: ``BankCard/mostPerBank`` at the most.
    func cards(with accessToken: Secret, at bank: Bank) async throws(BankError) -> [BankCard]
}

/// A card as its bank describes it.
package struct BankCard: Sendable, Equatable, Codable {
    /// More are a fault of the bank's.
    package static let mostPerBank = 50
    private static let longestReference = 256
    private static let longestNetwork = 40

    /// The bank's token reference, what a payment names the card to the bank by: never the card's number.
    package let reference: String
    /// The card number's last four digits.
    package let lastFour: String
    /// The scheme: `VISA`.
    package let network: String

    package init(reference: String, lastFour: String, network: String) {
        self.reference = reference
        self.lastFour = lastFour
        self.network = network
    }

    /// Whether it can be kept and shown: a reference of printable ASCII, four digits, a scheme of plain text.
    package var isSound: Bool {
        (1...Self.longestReference).contains(reference.utf8.count)
            && reference.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            && lastFour.utf8.count == 4 && lastFour.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && ShownText.isPlain(network, limit: Self.longestNetwork)
    }
}

/// Why a bank gives nothing; its text is for the log.
package enum BankError: Error, Equatable, Sendable {
    /// It can't be reached, is too slow, or says that it can't just now.
    case unavailable(cause: String)
    /// It answers what can't be used.
    case unusable(cause: String)
    /// It does not take the code or the token.
    case refused(cause: String)
}
