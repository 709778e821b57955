import Testing
import Wire

/// What the clients were told, compared with what the daemon stored.
extension Ledger {
    /// Brings every login that was answered to its end, as its client would.
    func finish(with app: App) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var next = entries.makeIterator()
            for _ in 0..<8 {
                if let entry = next.next() { group.addTask { try await self.finish(entry.login, app) } }
            }
            while try await group.next() != nil {
                if let entry = next.next() { group.addTask { try await self.finish(entry.login, app) } }
            }
        }
    }

    private func finish(_ login: App.Login, _ app: App) async throws {
        try await eventually("the end of \(login.id)", within: .seconds(120), every: .milliseconds(100)) {
            let reply = try await app.ask(login)
            // A lost one is in the ledger as a contradiction; there is nothing to wait for.
            if note(reply, about: login) || reply.status == 404 { return true }
            let hint = try? reply.json(PollLoginResponse.self).hint
            if hint == "created" || hint == "link_opened" { try await app.open(login) }
            return false
        }
    }

    /// Expects that every session that a client was told of is stored, and that each redeemed operation has one.
    ///
    /// `rows`: The first column of a query's rows.
    func verify(_ rows: (String) async throws -> [String]) async throws {
        #expect(contradictions.isEmpty, "\(contradictions.prefix(10))")
        let entries = entries
        #expect(entries.count > 10, "the load did next to nothing")
        #expect(entries.allSatisfy { $0.end != nil })
        let told = entries.flatMap(\.sessions)
        #expect(Set(told).count == told.count)
        let stored = try await rows("SELECT id FROM sessions")
        #expect(Set(told.map(Self.unmasked)).isSubset(of: stored.map(Self.unmasked)))
        let granted = try await rows("SELECT session FROM operations WHERE session IS NOT NULL")
        #expect(granted.count == stored.count && Set(granted) == Set(stored))
        let twice = try await rows(
            "SELECT subject FROM audit WHERE fact = 'operation.redeemed' GROUP BY subject HAVING COUNT(*) > 1"
        )
        #expect(twice.isEmpty)
    }

    /// The half of an id that is the same outside and in a PostgreSQL database.
    private static func unmasked(_ id: String) -> String { String(id.suffix(17)) }
}
