package import Kernel
internal import Synchronization

/// All clients of the authorization server, from the config and from the database, in memory.
///
/// Only ``ClientService`` adds the clients of the database, after the commit. They cannot replace a client of the
/// config.
package final class OAuthClientDirectory: Sendable {
    private let configured: [String: OAuthClient]
    private let own: [String: OAuthClient]
    private let stored = Mutex(Stored())
    /// Tells other daemons of each change.
    let feed: any ChangeFeed
    /// Called after the operator's changes of the clients of the database, and after each reading of them.
    ///
    /// It may read files, so that it is never called on a thread of the storage.
    private let onChange: @Sendable (OAuthClientDirectory) -> Void
    /// The clients that are being added to the database.
    let additions = InProgress()

    private struct Stored {
        var clients: [String: OAuthClient] = [:]
        /// The number of the last change of each client.
        var changes: [String: UInt64] = [:]
        var latestChange: UInt64 = 0
        /// The number of changes that were applied, and with each client the last that was its.
        var applied: UInt64 = 0
        var lastApplied: [String: UInt64] = [:]
    }

    /// - Parameters:
    ///   - configured: The OAuth clients of the config, each id once.
    ///   - own: The clients of the server's own pages with a sign-in. They are found by their ids, and listed nowhere.
    ///   - feed: Tells other daemons of each change.
    ///   - onChange: Called after the operator's changes of the clients of the database, also by another daemon.
    package init(
        configured: [OAuthClient],
        own: [OAuthClient] = [],
        feed: any ChangeFeed = SilentFeed(),
        onChange: @escaping @Sendable (OAuthClientDirectory) -> Void = { _ in }
    ) {
        self.feed = feed
        self.onChange = onChange
        self.own = Dictionary(own.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.configured = Dictionary(configured.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the client with that id, even a disabled one.
    package func client(_ id: String) -> OAuthClient? {
        own[id] ?? configured[id] ?? stored.withLock { $0.clients[id] }
    }

    /// All clients, in the order of their ids.
    package var all: [OAuthClient] {
        let stored = stored.withLock { $0.clients }
        return stored.merging(configured) { _, configured in configured }.values.sorted { $0.id < $1.id }
    }

    /// The clients of the config.
    var configuredClients: [OAuthClient] { Array(configured.values) }

    /// Whether a client of the operator or a page of the server has that name.
    ///
    /// `name` must be folded.
    func isNamed(_ name: String) -> Bool {
        (Array(own.values) + all).contains { client in
            switch client.origin {
            case .config, .added: ShownText.folded(client.name) == name
            case .registered: false
            }
        }
    }

    /// The clients of the database that have a theme, by their ids.
    package var themed: [String: OAuthClient.Appearance] {
        stored.withLock { stored in stored.clients.compactMapValues { $0.appearance.theme == nil ? nil : $0.appearance }
        }
    }

    /// The number of clients in the database.
    package var storedCount: Int { stored.withLock { $0.clients.count } }

    /// Whether the config has a client with that id.
    package func isConfigured(_ id: String) -> Bool { configured[id] != nil }

    /// The number of changes that this daemon has applied, for ``replace(_:readAfter:)``.
    var appliedCount: UInt64 { stored.withLock(\.applied) }

    /// Replaces all clients of the database, except for those that this daemon has changed since they were read.
    ///
    /// - Parameters:
    ///   - clients: The clients of the database.
    ///   - count: ``appliedCount`` from before they were read.
    func replace(_ clients: [OAuthClient], readAfter count: UInt64) {
        let table = Dictionary(clients.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        stored.withLock { stored in
            let newer = Set(stored.lastApplied.filter { $0.value > count }.keys)
            let kept = stored.clients.filter { newer.contains($0.key) }
            // One that was removed since is not among them.
            stored.clients = table.filter { !newer.contains($0.key) }.merging(kept) { _, kept in kept }
        }
        onChange(self)
    }

    /// Adds or replaces a client of the database, once the unit that has written the client is durable.
    ///
    /// Units that change one client become durable in the order of their last runs, so the last of them is kept.
    func put(_ client: OAuthClient, whenDurable transaction: borrowing Transaction) {
        let change = nextChange()
        transaction.whenDurable {
            self.put(client, as: change)
            self.feed.announce(.clientsChanged)
        }
    }

    /// Removes a client of the database, once the unit that has deleted the client is durable.
    func remove(_ id: String, whenDurable transaction: borrowing Transaction) {
        let change = nextChange()
        transaction.whenDurable {
            self.remove(id, as: change)
            self.feed.announce(.clientsChanged)
        }
    }

    /// Removes a client of the database, unless a later change of that client was applied before.
    private func remove(_ id: String, as change: UInt64) {
        stored.withLock { stored in
            guard change > stored.changes[id] ?? 0 else { return }
            stored.clients[id] = nil
            stored.changes[id] = change
            stored.applied += 1
            stored.lastApplied[id] = stored.applied
        }
    }

    /// Tells of a change, once its unit of work is over.
    func changed() { onChange(self) }

    /// Returns the number of the next change.
    func nextChange() -> UInt64 {
        stored.withLock { stored in
            stored.latestChange += 1
            return stored.latestChange
        }
    }

    /// Adds or replaces a client of the database, unless a later change of that client was applied before.
    func put(_ client: OAuthClient, as change: UInt64) {
        stored.withLock { stored in
            guard change > stored.changes[client.id] ?? 0 else { return }
            stored.clients[client.id] = client
            stored.changes[client.id] = change
            stored.applied += 1
            stored.lastApplied[client.id] = stored.applied
        }
    }
}
