import Kernel
package import MockServing

/// Everything that the mock knows, as a value: no clock, no randomness and no I/O of its own.
package struct BankMockState: AuthorizationMock {
    /// What its page calls it.
    let name: String
    package private(set) var customers: [BankCustomer]
    package var calls = CallBook<BankFaultKind>()
    package var grants: GrantBook

    package init(_ configuration: BankMockConfiguration) {
        name = configuration.name
        customers = configuration.customers
        grants = GrantBook(configuration.authorization)
    }

    /// Gives a customer other cards; `false` for a customer whom it does not know.
    package mutating func setCards(_ cards: [BankMockCard], of customer: String) -> Bool {
        guard let index = customers.firstIndex(where: { $0.id == customer }) else { return false }
        customers[index].cards = cards
        return true
    }

    /// A code for that customer; `nil` for one whom the bank does not know.
    mutating func issueCode(
        for customer: String,
        _ order: MockForm,
        at now: Instant,
        _ inputs: MachineInputs
    ) -> String? {
        guard customers.contains(where: { $0.id == customer }) else { return nil }
        return grants.issueCode(for: customer, order, at: now, inputs)
    }

    /// The cards of whomever an access token is of; `nil` for one that is not good, or not any more.
    func cards(behind token: String, at now: Instant) -> [BankMockCard]? {
        guard let customer = grants.person(behind: token, at: now) else { return nil }
        return customers.first { $0.id == customer }?.cards
    }
}
