import Outbound
import Testing
import Wire

extension EndToEnd {
    /// Many who refresh with one token.
    @Suite(.enabled(if: Database.isReadable, Database.missingTool))
    struct RefreshRace {
        private static let sessions = 100
        private static let connections = 8

        @Test func `a hundred refresh tokens, each presented eight times at once, have a hundred successors`()
            async throws
        {
            let settings = ["limits.off=true", "clients.bbms.refresh=rotation"]
            try await Fixture.run(settings, people: ["accept@example.com"], alone: true) { fixture in
                let tokens = try await Self.signIn(fixture)
                let database = fixture.daemon.database
                #expect(try await database.number("SELECT COUNT(*) FROM refresh_tokens") == Self.sessions)
                let answers = try await Self.refresh(tokens, fixture)
                var successors: Set<String> = []
                for token in tokens {
                    let given = answers[token] ?? []
                    #expect(given.count == Self.connections)
                    #expect(Set(given).count == 1, "the same for all who ask")
                    successors.formUnion(given)
                }
                #expect(successors.count == Self.sessions && successors.isDisjoint(with: tokens))
                #expect(try await database.number("SELECT COUNT(*) FROM refresh_tokens") == 2 * Self.sessions)
                let parents = "SELECT COUNT(DISTINCT parent) FROM refresh_tokens WHERE parent IS NOT NULL"
                #expect(try await database.number(parents) == Self.sessions)
                #expect(try await database.number("SELECT COUNT(*) FROM sessions WHERE revoked_at IS NOT NULL") == 0)
            }
        }

        private static func signIn(_ fixture: Fixture) async throws -> [String] {
            let app = fixture.app
            var logins: [App.Login] = []
            for _ in 0..<sessions { logins.append(try await app.begin("accept@example.com", withVerifier: true)) }
            let database = fixture.daemon.database
            try await eventually("all are approved", within: .seconds(60), every: .milliseconds(200)) {
                try await database.number("SELECT COUNT(*) FROM operations WHERE state = 'approved'") == sessions
            }
            var tokens: [String] = []
            for login in logins { tokens.append(try #require(try await app.poll(login).refreshToken)) }
            return tokens
        }

        private static func refresh(_ tokens: [String], _ fixture: Fixture) async throws -> [String: [String]] {
            let (web, url) = (fixture.web, fixture.daemon.url + "/auth/refresh")
            return try await withThrowingTaskGroup(of: (String, String).self) { group in
                for token in tokens {
                    for _ in 0..<connections {
                        group.addTask {
                            let reply = try await web.send(.post, url, ["Authorization": "Bearer \(token)"])
                            let answer = try reply.json(RefreshResponse.self)
                            return (token, answer.refreshToken ?? "none: \(reply)")
                        }
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0, default: []].append($1.1) }
            }
        }
    }
}
