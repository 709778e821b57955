import Hummingbird
package import Operations

/// Lets requests in by the address that they come from.
package struct AddressGate: Sendable {
    private let desk: OperationDesk
    private let addresses: ClientAddresses

    package init(desk: OperationDesk, addresses: ClientAddresses) {
        self.desk = desk
        self.addresses = addresses
    }

    /// Takes one of what the request's address has of that limit.
    /// - Throws: ``LimitExceeded``.
    func admit(_ limit: Limit, _ request: Request, _ context: APIContext) throws(LimitExceeded) {
        try desk.admit(limit, from: desk.limits.source(of: addresses.client(of: request, context)?.counted.bytes ?? []))
    }
}
