import Testing
import Wire

extension EndToEnd {
    /// Many collectors of one approval.
    @Suite(.enabled(if: Database.isReadable, Database.missingTool))
    struct Race {
        private static let logins = 100
        private static let connections = 8

        // T-009
        @Test func `a hundred approved logins, each polled eight times at once, open a hundred sessions`() async throws
        {
            try await Fixture.run(["limits.off=true"], people: ["accept@example.com"], alone: true) { fixture in
                let app = fixture.app
                var logins: [App.Login] = []
                for number in 0..<Self.logins {
                    logins.append(try await app.begin("accept@example.com", withVerifier: number.isMultiple(of: 2)))
                }
                let database = fixture.daemon.database
                try await eventually("all are approved", within: .seconds(60), every: .milliseconds(200)) {
                    try await database.number("SELECT COUNT(*) FROM operations WHERE state = 'approved'") == Self.logins
                }

                let grants = try await collect(logins, app)
                var sessions: Set<String> = []
                for login in logins {
                    let claims = try (grants[login.id] ?? []).map { try GrantClaims($0) }
                    #expect(claims.count == Self.connections)
                    #expect(Set(claims).count == 1, "\(login.id)")
                    sessions.formUnion(claims.map(\.session))
                }
                #expect(sessions.count == Self.logins)
                let stored = try await database.rows("SELECT id FROM sessions").compactMap(\.first)
                #expect(stored.count == Self.logins && Set(stored) == sessions)
                #expect(try await database.number("SELECT COUNT(*) FROM refresh_tokens") == Self.logins)
                #expect(try await database.redeemedTwice() == 0)
            }
        }

        private func collect(_ logins: [App.Login], _ app: App) async throws -> [String: [PollLoginResponse]] {
            try await withThrowingTaskGroup(of: (String, PollLoginResponse).self) { group in
                for login in logins {
                    for _ in 0..<Self.connections { group.addTask { (login.id, try await app.poll(login)) } }
                }
                return try await group.reduce(into: [:]) { $0[$1.0, default: []].append($1.1) }
            }
        }
    }
}
