package import Kernel

/// A client that was just added or has a new secret.
///
/// The secret is shown only this once.
package struct IssuedClient: Sendable {
    package let client: OAuthClient
    /// The secret; `nil` for a client without one.
    package let secret: Secret?
    package let createdAt: Instant
}

/// The use cases of the clients in the database, for the operator and for clients that register themselves.
package struct ClientService: Sendable {
    /// The most clients in the database.
    ///
    /// All of them are held in memory.
    package static let mostClients = 10_000
    /// The longest time for which the previous secret stays valid beside a new one.
    package static let longestOverlap = Duration.seconds(30 * 86_400)
    package static let mostUses = 1000
    package static let longestTicket = Duration.seconds(30 * 86_400)

    package let directory: OAuthClientDirectory
    let environment: Environment
    let unitOfWork: any UnitOfWork
    let store: any OAuthClientStore
    let auditLog: any AuditLog
    private let secrets: ClientSecrets
    private let ending: any ClientEnding
    let rules: NewClientRules

    /// - Parameters:
    ///   - directory: The clients in memory. This service keeps them up to date.
    ///   - environment: The time and randomness.
    ///   - unitOfWork: The units of work of the database.
    ///   - store: The clients in the database.
    ///   - auditLog: The log of the changes of clients.
    ///   - secrets: Creates the secrets of clients.
    ///   - ending: Ends the sessions and requests of disabled clients.
    ///   - rules: The rules for new clients.
    package init(
        directory: OAuthClientDirectory,
        environment: Environment,
        unitOfWork: any UnitOfWork,
        store: any OAuthClientStore,
        auditLog: any AuditLog,
        secrets: ClientSecrets,
        ending: any ClientEnding,
        rules: NewClientRules
    ) {
        self.directory = directory
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.store = store
        self.auditLog = auditLog
        self.secrets = secrets
        self.ending = ending
        self.rules = rules
    }

    /// The algorithms of id tokens, the default one first.
    package var identityAlgorithms: @Sendable () -> [IdentityAlgorithm] { rules.identityAlgorithms }

    /// Loads the clients of the database into the directory, before the first request and after other daemons' changes.
    /// - Returns: The ids that are also in the config. The clients of the database with these ids are not used.
    @discardableResult
    package func load() async throws -> [String] {
        let count = directory.appliedCount
        let stored = try await store.all().map(\.client)
        directory.replace(stored.filter { !rules.reserved.contains($0.id) }, readAfter: count)
        return stored.map(\.id).filter(rules.reserved.contains)
    }

    /// Returns all clients of the config and of the database, in the order of their ids.
    ///
    /// `createdAt` is `nil` for a client of the config.
    package func list() async throws -> [(client: OAuthClient, createdAt: Instant?)] {
        let configured = directory.configuredClients.map { (client: $0, createdAt: Instant?.none) }
        let stored = try await store.all().map { (client: $0.client, createdAt: Instant?.some($0.createdAt)) }
        return (configured + stored.filter { !rules.reserved.contains($0.client.id) }).sorted {
            $0.client.id < $1.client.id
        }
    }

    /// Adds a client for the operator.
    ///
    /// A missing `id` is generated.
    /// - Throws: ``ClientError``, ``StoreError``.
    package func add(_ metadata: ClientMetadata, id: String?) async throws -> IssuedClient {
        try await keep(metadata, id: id, as: .added) { _ in }
    }

    /// Adds a client that registers itself with a ticket (RFC 7591 §3).
    ///
    /// CIBA is refused, because its requests reach absent people, and its notices let this server call an address. Only
    /// the operator adds clients with CIBA. The name of one of the operator's clients is refused as well, because
    /// people decide by names.
    /// - Throws: ``ClientError`` `badTicket`, `metadata` or `tooMany`; ``StoreError``.
    package func register(_ metadata: ClientMetadata, ticket: Secret) async throws -> IssuedClient {
        let (digest, now) = (Digest256(sha256: ticket.expose()), environment.now())
        let name = metadata.name.map(ShownText.folded)
        return try await keep(metadata, id: nil, as: .registered) {
            [store, directory, names = rules.names] transaction in
            // The ticket is checked first: without a ticket, nobody can find out which names are taken.
            guard try store.use(digest, at: now, in: transaction) else { throw ClientError.badTicket }
            guard let name else { return }
            guard !names.contains(name), !directory.isNamed(name) else {
                throw ClientError.metadata(
                    OAuthError(.invalidClientMetadata, "client_name is that of another client here.")
                )
            }
        }
    }

    /// Gives a client a new secret.
    ///
    /// The previous secret stays valid for `overlap`. Older secrets end now.
    /// - Throws: ``ClientError``, ``StoreError``.
    package func rotateSecret(of id: String, overlap: Duration) async throws -> IssuedClient {
        guard overlap >= .zero, overlap <= Self.longestOverlap else {
            throw ClientError.badArgument("The overlap goes from 0s to 30d.")
        }
        let ((secret, hash), now) = (secrets.make(environment), environment.now())
        let stored = try await change(id, recording: .secretRotated) { [store] stored, transaction in
            guard case .secret(let earlier) = stored.client.authentication else {
                throw ClientError.hasNoSecret(id: id)
            }
            let kept = overlap > .zero ? earlier.filter { $0.expiresAt == nil } : []
            try store.setSecrets(
                id,
                [hash] + kept.map { SecretHash($0.digest, expiresAt: now + overlap) },
                in: transaction
            )
        }
        return IssuedClient(client: stored.client, secret: secret, createdAt: stored.createdAt)
    }

    /// Disables a client, or enables it again.
    ///
    /// Disabling ends the client's sessions and pending requests for good. People are asked for consent again, because
    /// the client may have misled them before it was disabled.
    /// - Throws: ``ClientError``, ``StoreError``.
    package func setEnabled(_ id: String, _ isEnabled: Bool) async throws -> OAuthClient {
        // A failure may have left sessions that would otherwise become active again with the client.
        if isEnabled { try await ending.settle(ofDisabled: id) }
        let client = try await change(id, recording: isEnabled ? .enabled : .disabled) {
            [store, ending] _, transaction in
            _ = try store.setEnabled(id, isEnabled, in: transaction)
            if !isEnabled { try ending.endAll(ofDisabled: id, in: transaction) }
        }.client
        if !isEnabled { try await ending.settle(ofDisabled: id) }
        return client
    }

    /// Creates a ticket with which clients can register themselves.
    /// - Throws: ``ClientError/badArgument(_:)``, ``StoreError``.
    package func openRegistration(uses: Int, lifetime: Duration) async throws -> (token: Secret, expiresAt: Instant) {
        guard (1...Self.mostUses).contains(uses), lifetime >= .seconds(60), lifetime <= Self.longestTicket else {
            throw ClientError.badArgument(
                "A registration token is good for 1 to \(Self.mostUses) clients, and for 1m to 30d."
            )
        }
        let (token, now) = (environment.newSecret(), environment.now())
        let ticket = RegistrationTicket(
            digest: Digest256(sha256: token.expose()),
            uses: uses,
            createdAt: now,
            expiresAt: now + lifetime
        )
        try await unitOfWork.run { [store, auditLog] transaction in
            try store.insert(ticket, in: transaction)
            try auditLog.append(
                AuditRecord(
                    ClientAuditEvent.registrationOpened,
                    of: "registration",
                    account: nil,
                    detail: "uses \(uses)"
                ),
                in: transaction
            )
        }
        return (token, ticket.expiresAt)
    }

    private func keep(
        _ metadata: ClientMetadata,
        id: String?,
        as origin: OAuthClient.Origin,
        after admit: @escaping @Sendable (borrowing Transaction) throws -> Void
    ) async throws -> IssuedClient {
        let id = try checked(id)
        let issued = metadata.hasSecret ? secrets.make(environment) : nil
        let client: OAuthClient
        do throws(OAuthError) {
            let hashes = issued.map { [$0.hash] } ?? []
            client = try metadata.client(
                id: id,
                origin: origin,
                secrets: hashes,
                notices: rules.notices,
                algorithms: rules.identityAlgorithms()
            )
        } catch { throw ClientError.metadata(error) }
        let stored = StoredOAuthClient(client: client, createdAt: environment.now())
        try await add(stored, as: origin, after: admit)
        return IssuedClient(client: client, secret: issued?.secret, createdAt: stored.createdAt)
    }

    private func add(
        _ added: StoredOAuthClient,
        as origin: OAuthClient.Origin,
        after admit: @escaping @Sendable (borrowing Transaction) throws -> Void
    ) async throws {
        let id = added.client.id
        try await directory.additions.counting("all") { others in
            // Counted before the unit, in which concurrent additions would contradict each other.
            let count = try await unitOfWork.read { [store] in try store.count(in: $0) } + others
            try await unitOfWork.run { [store, auditLog, directory] transaction in
                try admit(transaction)
                guard count < Self.mostClients else { throw ClientError.tooMany }
                guard try store.insert(added, in: transaction) else { throw ClientError.taken(id: id) }
                let event: ClientAuditEvent = origin == .added ? .added : .registered
                try auditLog.append(AuditRecord(event, of: id, account: nil), in: transaction)
                directory.put(added.client, whenDurable: transaction)
            }
        }
    }

    /// Changes a client in the database and in the directory.
    func change(
        _ id: String,
        recording event: ClientAuditEvent,
        detail: String? = nil,
        _ body: @escaping @Sendable (StoredOAuthClient, borrowing Transaction) throws -> Void
    ) async throws -> StoredOAuthClient {
        guard !directory.isConfigured(id) else { throw ClientError.configured(id: id, in: rules.configFile) }
        let stored = try await unitOfWork.run { [store, auditLog, directory] transaction in
            guard let before = try store.find(id, in: transaction) else { throw ClientError.unknown(id: id) }
            try body(before, transaction)
            try auditLog.append(AuditRecord(event, of: id, account: nil, detail: detail), in: transaction)
            guard let after = try store.find(id, in: transaction) else { throw ClientError.unknown(id: id) }
            directory.put(after.client, whenDurable: transaction)
            return after
        }
        directory.changed()
        return stored
    }

    private func checked(_ id: String?) throws(ClientError) -> String {
        guard let id else { return environment.newUUID().description }
        let isWritten = id.utf8.allSatisfy { byte in
            switch byte {
            case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard isWritten, (1...64).contains(id.utf8.count), id.first != "-", id.first != "_",
            !rules.reserved.contains(id)
        else {
            throw .badID(id: id)
        }
        return id
    }
}

/// The rules for new clients in the database: they must not be confused with the clients of the config.
package struct NewClientRules: Sendable {
    let reserved: Set<String>
    let names: Set<String>
    /// `nil` for the built-in config.
    let configFile: String?
    let notices: NotificationEndpointRule
    let identityAlgorithms: @Sendable () -> [IdentityAlgorithm]
    /// Returns all that is wrong with a theme.
    let themeFaults: @Sendable (ClientTheme) -> [String]

    /// - Parameters:
    ///   - reserved: The ids and audiences of the config. With one of them, a new client's tokens would pass as another
    ///     client's.
    ///   - names: The names of the config's clients that people are shown.
    ///   - configFile: The config's file as the operator names it; `nil` for the built-in config.
    ///   - notices: The rule for endpoints of pings and pushes.
    ///   - identityAlgorithms: The algorithms of id tokens, the default one first.
    ///   - themeFaults: Returns all that is wrong with a theme.
    package init(
        reserved: Set<String>,
        names: Set<String>,
        configFile: String? = nil,
        notices: NotificationEndpointRule = .secure,
        identityAlgorithms: @escaping @Sendable () -> [IdentityAlgorithm] = { [.es256, .rs256] },
        themeFaults: @escaping @Sendable (ClientTheme) -> [String] = { _ in ["Themes can't be given here."] }
    ) {
        self.reserved = reserved
        self.names = Set(names.map(ShownText.folded))
        self.configFile = configFile
        self.notices = notices
        self.identityAlgorithms = identityAlgorithms
        self.themeFaults = themeFaults
    }
}
