import Foundation
import Testing
import Wire

extension EndToEnd {
    /// The answer with the tokens gets lost on its way.
    @Suite(.enabled(if: Database.isReadable, Database.missingTool))
    struct LostAnswer {
        /// The proofs that a client can present.
        enum Proof: String, CaseIterable, Sendable { case verifier, cookie, addressAlone }

        @Test(arguments: Proof.allCases)
        func `a lost answer is given again, the same, until it is acknowledged`(proof: Proof) async throws {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                var app = fixture.app
                app.keepsCookies = proof == .cookie
                let login = try await app.begin("accept@example.com", withVerifier: proof == .verifier)
                try await lose(firstAnswerOf: login, app, fixture)

                let grant = try await storedGrant(login, fixture)
                let again = try await app.poll(login)
                let claims = try GrantClaims(again)
                #expect(claims.session == grant[0])
                #expect(claims.access.jti == grant[1])
                #expect(claims.refresh.jti == grant[2])
                #expect("\(claims.access.iat)" == grant[3] && claims.refresh.iat == claims.access.iat)
                #expect(try GrantClaims(try await app.poll(login)) == claims)

                var other = app
                other.userAgent = "SomebodyElse/1.0"
                other.keepsCookies = false
                let outsider = App.Login(id: login.id, page: login.page, cookies: [], verifier: nil)
                #expect(try await other.poll(outsider).status == .pending)

                if proof == .addressAlone { app.headers["Authorization"] = "Bearer \(try #require(again.accessToken))" }
                let receipt = try await app.acknowledge(login)
                #expect(receipt.status == 200, "\(receipt)")
                let closed = try await app.poll(login)
                #expect(closed.status == .completed && closed.delivery == "closed", "\(closed)")
                #expect(closed.tokens == nil && closed.accessToken == nil && closed.refreshToken == nil)
                #expect(try await fixture.daemon.database.number("SELECT COUNT(*) FROM sessions") == 1)
            }
        }

        @Test func `a connection that breaks off in the middle of the answer loses nothing`() async throws {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let app = fixture.app
                let login = try await app.begin("accept@example.com", withVerifier: true)
                try await approved(login, fixture)
                let start = try cut(login, app, fixture, after: 24)
                #expect(start.hasPrefix("HTTP/1.1 200"))
                #expect(try await fixture.daemon.database.state(of: login.id) == "redeemed")
                let grant = try await storedGrant(login, fixture)
                #expect(try GrantClaims(try await app.poll(login)).session == grant[0])
            }
        }

        @Test func `a client that is gone when the verdict comes finds its tokens when it is back`() async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                var app = fixture.app
                app.keepsCookies = false
                let login = try await app.begin("ada@example.com")
                do {
                    let connection = try RawConnection(port: fixture.daemon.port)
                    let target = "/auth/biometric-login/poll/\(login.id)?wait=30"
                    try connection.send("GET", target, ["User-Agent": app.userAgent])
                    #expect(try !connection.hasSomething(within: 1), "it waits")
                }
                try await fixture.mock.decide("ada@example.com", "accept")
                try await approved(login, fixture)
                // A poll that still waited would have collected by now.
                #expect(try await fixture.daemon.database.number("SELECT COUNT(*) FROM sessions") == 0)
                let answer = try await app.follow(login)
                #expect(answer.status == .completed && answer.tokens != nil)
            }
        }

        // T-003
        @Test func `a client without cookies gets its tokens again for twenty seconds`() async throws {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let app = fixture.cookielessApp
                let login = try await app.begin("accept@example.com")
                try await approved(login, fixture)
                let asked = ContinuousClock.now
                let first = try GrantClaims(try await app.poll(login))
                let answered = ContinuousClock.now
                var last = answered
                let closed = try await eventually("the end of the repetitions") {
                    let asked = ContinuousClock.now
                    let answer = try await app.poll(login)
                    guard answer.tokens != nil else { return answer }
                    #expect(try GrantClaims(answer) == first)
                    last = asked
                    try await Task.sleep(for: .milliseconds(200))
                    return nil
                }
                #expect(closed.status == .completed && closed.delivery == "closed")
                // Their twenty seconds begin between the question and its answer, however long a machine takes for any.
                let refused = ContinuousClock.now
                #expect(refused - asked >= .seconds(19), "\(refused - asked)")
                #expect(last - answered <= .seconds(21), "\(last - answered)")
            }
        }

        /// Sends the first poll that finds the approval, and goes away without reading its answer.
        private func lose(firstAnswerOf login: App.Login, _ app: App, _ fixture: Fixture) async throws {
            try await approved(login, fixture)
            let connection = try RawConnection(port: fixture.daemon.port)
            try connection.send("GET", "/auth/biometric-login/poll/\(login.id)", app.sent(login))
            try await eventually("the lost poll redeems") {
                try await fixture.daemon.database.state(of: login.id) == "redeemed"
            }
        }

        /// The same, reading so many bytes of the answer.
        private func cut(_ login: App.Login, _ app: App, _ fixture: Fixture, after count: Int) throws -> String {
            let connection = try RawConnection(port: fixture.daemon.port)
            try connection.send("GET", "/auth/biometric-login/poll/\(login.id)", app.sent(login))
            return try connection.read(atMost: count)
        }

        private func approved(_ login: App.Login, _ fixture: Fixture) async throws {
            try await eventually("the approval") {
                try await fixture.daemon.database.state(of: login.id) == "approved"
            }
        }

        /// Session, access token id, refresh token id, and when they were issued in seconds since 1970.
        private func storedGrant(_ login: App.Login, _ fixture: Fixture) async throws -> [String] {
            let condition = try Database.isOperation(login.id)
            let columns = "session, access_jti, refresh_jti, issued_at / 1000"
            let sql = "SELECT \(columns) FROM operations WHERE \(condition)"
            return try #require(try await fixture.daemon.database.rows(sql).first)
        }
    }
}
