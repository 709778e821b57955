package import CodeFlow
package import Kernel

/// Port: the requests to a bank, each sent once.
package protocol BankGateway: Sendable {
    /// Redeems a code or a refresh token, which may be valid only once.
    ///
    /// The timeout is ``Bank/timeout`` for a code, and ``Bank/exchangeTime`` for a refresh token.
    func tokens(for grant: TokenGrant, at bank: Bank) async throws(BankError) -> GrantedTokens

    /// Returns the cards of the token's customer, at most ``BankCard/mostPerBank``.
    func cards(with accessToken: Secret, at bank: Bank) async throws(BankError) -> [BankCard]
}

/// A card as its bank describes it.
package struct BankCard: Sendable, Equatable, Codable {
    /// The most cards of one bank: more are an error of the bank.
    package static let mostPerBank = 50
    private static let longestReference = 256
    private static let longestNetwork = 40

    /// The bank's token reference, by which a payment names the card; never the card number.
    package let reference: String
    /// The card number's last four digits.
    package let lastFour: String
    /// The card scheme, such as `VISA`.
    package let network: String

    package init(reference: String, lastFour: String, network: String) {
        self.reference = reference
        self.lastFour = lastFour
        self.network = network
    }

    /// Whether the card is valid: a reference of printable ASCII, four digits, a scheme of plain text.
    package var isSound: Bool {
        (1...Self.longestReference).contains(reference.utf8.count)
            && reference.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            && lastFour.utf8.count == 4 && lastFour.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && ShownText.isPlain(network, limit: Self.longestNetwork)
    }
}

/// The error of a request to a bank; its text is for the log.
package enum BankError: Error, Equatable, Sendable {
    /// The bank can't be reached, is too slow, or is temporarily unavailable.
    case unavailable(cause: String)
    /// The response can't be used.
    case unusable(cause: String)
    /// The bank does not accept the code or the token.
    case refused(cause: String)
}
