/// The brands of this server: the owner's, and those of clients that the operator gives one.
///
/// A client that registered itself has none until then, whatever it claims to be called: its pages are the owner's.
package struct Brands: Sendable, Equatable {
    package let owner: Brand
    package let clients: [String: Brand]

    package init(owner: Brand, clients: [String: Brand] = [:]) {
        self.owner = owner
        self.clients = clients
    }

    package static let builtIn = Brands(owner: .builtIn)

    /// Returns the brand of pages and mails for that client, which may be none.
    package func brand(of client: String?) -> Brand { client.flatMap { clients[$0] } ?? owner }

    /// Every brand, the owner's first.
    package var all: [Brand] { [owner] + clients.sorted { $0.key < $1.key }.map(\.value) }
}
