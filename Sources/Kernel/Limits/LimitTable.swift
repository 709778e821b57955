/// The uses of one limit by many keys: in a table of this daemon, and in the database if the limit is counted there.
///
/// A use that the table refuses asks nobody, and a refusal by the database is kept in the table until it ends. So a
/// flood with one key costs a few statements, however long it lasts.
package struct LimitTable: Sendable {
    /// Who counts a limit's uses, when several daemons share a database.
    package enum Scope: Sendable {
        /// All daemons together, for a small limit. A larger one is divided by their number.
        case allDaemons
        /// Each daemon, up to its part. No use costs a statement.
        case divided
        /// Each daemon, as if it were alone. No use costs a statement.
        case eachDaemon
    }

    private let name: String
    private let table: UseTable
    private let scope: Scope
    private let sharing: LimitSharing

    /// `name`: Names the limit among all limits of all modules, for good: its rows are found by it.
    package init(_ name: String, scope: Scope = .allDaemons, sharing: LimitSharing, table: UseTable) {
        self.name = name
        self.scope = scope
        self.sharing = sharing
        self.table = table
    }

    private var now: Uptime { sharing.clock.now }

    /// Whether the limit is counted in the database at the moment.
    package func isCommon(_ limit: RateLimit) -> Bool { common(limit) != nil }

    /// Takes one request of the key's budget; returns `nil` if there was one, otherwise how long until there is.
    /// - Throws: ``StoreError`` if the limit can't be counted: then the request has to be refused.
    package func take(_ key: UInt64, _ limit: RateLimit) async throws(StoreError) -> Duration? {
        guard let uses = common(limit) else { return takeHere(key, limit) }
        if let wait = table.take(key, limit, at: now) { return wait }
        do throws(StoreError) {
            guard let wait = try await uses.take(stored(key), limit) else { return nil }
            table.exhaust(key, limit, for: wait, at: now)
            return wait
        } catch {
            // What was refused must not use up the budget of after the outage.
            table.giveBack(key, limit)
            throw error
        }
    }

    /// Takes one request from this daemon's table only.
    package func takeHere(_ key: UInt64, _ limit: RateLimit) -> Duration? { table.take(key, here(limit), at: now) }

    /// Gives back one request that was taken of the key's budget.
    package func giveBack(_ key: UInt64, _ limit: RateLimit) async throws(StoreError) {
        table.giveBack(key, here(limit))
        try await common(limit)?.giveBack(stored(key), limit)
    }

    /// Returns how long until this daemon's table allows a request; `nil` if it allows one now.
    package func waitHere(_ key: UInt64, _ limit: RateLimit) -> Duration? {
        table.wait(key, here(limit), at: now)
    }

    /// Marks the key for that time from now.
    ///
    /// `limit`: The limit that it has reached, which decides whether other daemons learn of it.
    package func mark(_ key: UInt64, for time: Duration, past limit: RateLimit) async throws(StoreError) {
        markHere(key, for: time)
        try await common(limit)?.mark(stored(key), for: time)
    }

    /// Marks the key in this daemon's table only.
    package func markHere(_ key: UInt64, for time: Duration) { table.mark(key, until: now + time) }

    /// Returns whether the key is marked in this daemon's table.
    package func isMarkedHere(_ key: UInt64) -> Bool { table.isMarked(key, at: now) }

    /// The question whether the database knows more of a key than this daemon's table.
    package struct Question: Sendable {
        let uses: any SharedUses
        let key: UInt64
    }

    /// Returns the question about the key's uses or mark, if the limit is counted in the database.
    package func question(_ key: UInt64, _ limit: RateLimit) -> Question? {
        common(limit).map { Question(uses: $0, key: stored(key)) }
    }

    /// Returns how long the uses or marks of each question's key are paid for, with one statement for all of them.
    package static func ask(_ questions: [Question]) async throws(StoreError) -> [Duration] {
        guard let uses = questions.first?.uses else { return [] }
        let paid = try await uses.paid(questions.map(\.key))
        return questions.map { paid[$0.key, default: .zero] }
    }

    /// Keeps in this daemon's table that the key has to wait, so that it is not asked for again before.
    package func exhaust(_ key: UInt64, _ limit: RateLimit, for wait: Duration) {
        table.exhaust(key, limit, for: wait, at: now)
    }

    private func stored(_ key: UInt64) -> UInt64 { sharing.stored(key, of: name) }

    private func common(_ limit: RateLimit) -> (any SharedUses)? {
        switch scope {
        case .allDaemons: sharing.common(limit)
        case .divided, .eachDaemon: nil
        }
    }

    /// Returns the limit of this daemon's table.
    private func here(_ limit: RateLimit) -> RateLimit {
        switch scope {
        case .allDaemons: isCommon(limit) ? limit : sharing.part(of: limit)
        case .divided: sharing.part(of: limit)
        case .eachDaemon: limit
        }
    }
}
