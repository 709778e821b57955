import Kernel
internal import Synchronization

/// All clients of the authorization server, those of the config and those of the store, answered from memory.
///
/// What the store holds is put here by ``ClientService`` alone, behind the commit. A client of the config can't be shadowed.
package final class OAuthClientDirectory: Sendable {
    private let configured: [String: OAuthClient]
    private let own: [String: OAuthClient]
    private let stored = Mutex(Stored())

    private struct Stored {
        var clients: [String: OAuthClient] = [:]
        /// The change that each comes from.
        var changes: [String: UInt64] = [:]
        var latestChange: UInt64 = 0
    }

    /// `configured`: the clients of the config that are OAuth clients, each id once; `own`: pages of the server itself that have
    /// people sign in, which are found by their ids and listed nowhere.
    package init(configured: [OAuthClient], own: [OAuthClient] = []) {
        self.own = Dictionary(own.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.configured = Dictionary(configured.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The client of that id, also if it is disabled.
    package func client(_ id: String) -> OAuthClient? {
        own[id] ?? configured[id] ?? stored.withLock { $0.clients[id] }
    }

    /// All of them, in the order of their ids.
    package var all: [OAuthClient] {
        let stored = stored.withLock { $0.clients }
        return stored.merging(configured) { _, configured in configured }.values.sorted { $0.id < $1.id }
    }

    /// Those of the config.
    var configuredClients: [OAuthClient] { Array(configured.values) }

    /// Whether a client of the operator's, or a page of the server's own, is called that; `name` is folded.
    func isNamed(_ name: String) -> Bool {
        (Array(own.values) + all).contains { client in
            switch client.origin {
            case .config, .added: ShownText.folded(client.name) == name
            case .registered: false
            }
        }
    }

    /// How many are of the store.
    package var storedCount: Int { stored.withLock { $0.clients.count } }

    /// Whether the config names a client of that id.
    package func isConfigured(_ id: String) -> Bool { configured[id] != nil }

    /// All that the store holds, in the place of what was known of it.
    func replace(_ clients: [OAuthClient]) {
        let table = Dictionary(clients.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        stored.withLock { $0.clients = table }
    }

    /// A number for a change, taken inside its unit of work: units follow one another, and so do their numbers.
    func nextChange() -> UInt64 {
        stored.withLock { stored in
            stored.latestChange += 1
            return stored.latestChange
        }
    }

    /// A client of the store that is new or has changed, unless a later change of it came here first.
    func put(_ client: OAuthClient, as change: UInt64) {
        stored.withLock { stored in
            guard change > stored.changes[client.id] ?? 0 else { return }
            stored.clients[client.id] = client
            stored.changes[client.id] = change
        }
    }
}
