import Kernel
package import MockServing

/// The mock's state as a value, without a clock, randomness or I/O of its own.
package struct BankMockState: AuthorizationMock {
    /// The name on the bank's page.
    let name: String
    package private(set) var customers: [BankCustomer]
    package var calls = CallBook<BankFaultKind>()
    package var grants: GrantBook

    package init(_ configuration: BankMockConfiguration) {
        name = configuration.name
        customers = configuration.customers
        grants = GrantBook(configuration.authorization)
    }

    /// Replaces a customer's cards; `false` for an unknown customer.
    package mutating func setCards(_ cards: [BankMockCard], of customer: String) -> Bool {
        guard let index = customers.firstIndex(where: { $0.id == customer }) else { return false }
        customers[index].cards = cards
        return true
    }

    /// Issues a code for a customer; `nil` for an unknown one.
    mutating func issueCode(
        for customer: String,
        _ form: MockForm,
        at now: Instant,
        _ inputs: MachineInputs
    ) -> String? {
        guard customers.contains(where: { $0.id == customer }) else { return nil }
        return grants.issueCode(for: customer, form, at: now, inputs)
    }

    /// Returns the cards of an access token's customer; `nil` for an invalid or expired token.
    func cards(behind token: String, at now: Instant) -> [BankMockCard]? {
        guard let customer = grants.person(behind: token, at: now) else { return nil }
        return customers.first { $0.id == customer }?.cards
    }
}
