import Kernel
package import MockServing

/// The configuration of the mock of a bank.
package struct BankMockConfiguration: Sendable {
    /// The name on the bank's page.
    package var name = "Mock Bank"
    package var authorization = AuthorizationConfiguration(
        clientID: "vestibule",
        clientSecret: Secret("mock-bank-secret"),
        tokenPrefix: "bank",
        neededWithCode: ["redirect_uri", "code_verifier"],
        furtherMembers: #""scope":"cards""#
    )
    package var customers: [BankCustomer] = [
        BankCustomer(
            id: "alice",
            name: "Alice",
            cards: [
                BankMockCard(id: "card-alice-1", lastFour: "4242", network: "VISA"),
                BankMockCard(id: "card-alice-2", lastFour: "5454", network: "MASTERCARD"),
            ]
        ),
        BankCustomer(
            id: "bob",
            name: "Bob",
            cards: [BankMockCard(id: "card-bob-1", lastFour: "0119", network: "VISA")]
        ),
        BankCustomer(id: "many", name: "Twenty cards", cards: twenty),
        BankCustomer(id: "nocards", name: "Without cards", cards: []),
    ]

    package init() {}

    private static let twenty = (1...20).map { number in
        BankMockCard(
            id: "card-many-\(number)",
            lastFour: number < 10 ? "700\(number)" : "70\(number)",
            network: number.isMultiple(of: 2) ? "MASTERCARD" : "VISA"
        )
    }
}

/// A customer of the bank.
package struct BankCustomer: Sendable, Equatable {
    package let id: String
    /// The name on the bank's page.
    package var name: String
    package var cards: [BankMockCard]
}

/// A card as the bank describes it, without its number.
package struct BankMockCard: Sendable, Equatable, Codable {
    /// The reference of the card.
    package let id: String
    package let lastFour: String
    package let network: String
}
