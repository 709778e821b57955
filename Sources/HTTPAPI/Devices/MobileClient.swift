package import Operations

/// The client whose routes the wallet's surface serves.
package struct MobileClient: Sendable {
    private let clients: ClientDirectory
    private let surface: String?

    /// `surface`: the client that the config names for the surface.
    package init(_ clients: ClientDirectory, surface: String?) {
        self.clients = clients
        self.surface = surface
    }

    func policy() throws -> ClientPolicy { try clients.client(named: nil, surface: surface) }
}
