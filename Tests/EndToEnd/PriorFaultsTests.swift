import Foundation
import Outbound
import Testing
import Wire

extension EndToEnd {
    /// The errors of the published implementation that clients in the field know, one test each.
    @Suite struct PriorFaults {
        @Test func `fault 1, tokens at most once: the second completed poll has the same tokens`() async throws {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let app = Self.publishedApp(fixture)
                let login = try await app.begin("accept@example.com")
                let first = try await app.follow(login)
                let second = try await app.poll(login)
                #expect(first.status == .completed && second.status == .completed)
                let (one, other) = (try GrantClaims(first), try GrantClaims(second))
                #expect(one == other)
                #expect(second.accessToken?.isEmpty == false && second.refreshToken?.isEmpty == false)
            }
        }

        @Test func `fault 2, polls cached by their tag: no answer has one, and a conditional poll is answered in full`()
            async throws
        {
            try await Fixture.run(people: ["reject_match@example.com", "accept@example.com"]) { fixture in
                let app = Self.publishedApp(fixture)
                let login = try await app.initiate("reject_match@example.com")
                let pending = try await app.ask(login)
                #expect(pending.header("ETag") == nil && pending.header("Last-Modified") == nil)
                #expect(pending.header("Cache-Control") == "no-store")
                #expect(try await app.open(login) == 303)
                var conditional = app
                conditional.headers["If-None-Match"] = "*"
                let failed = try await conditional.follow(login)
                #expect(failed.status == .failed && failed.code == "not_matched")
                let signedIn = try await app.begin("accept@example.com")
                _ = try await conditional.follow(signedIn)
                for ended in [login, signedIn] {
                    let answer = try await conditional.ask(ended)
                    #expect(answer.status == 200, "\(answer)")
                    #expect(answer.header("ETag") == nil && answer.header("Last-Modified") == nil)
                    #expect(answer.header("Cache-Control") == "no-store")
                }
            }
        }

        @Test func `fault 3, two names for one thing: both generations of the app read both answers`() async throws {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let app = Self.publishedApp(fixture)
                let begun = try await fixture.web.send(
                    .post,
                    app.address("initiate"),
                    app.sent(nil),
                    json: #"{"email":"accept@example.com"}"#
                )
                let present = try begun.json(PresentApp.Initiated.self)
                let document = try begun.json(SeedDocument.Initiated.self)
                #expect(present.authUrl == document.authIdUrl && present.operationId == document.operationId)
                let page = try #require(URL(string: present.authUrl)).path()
                let login = App.Login(id: present.operationId, page: page, cookies: begun.cookies, verifier: nil)
                #expect(try await app.open(login) == 303)
                _ = try await app.follow(login)
                let answer = try await app.ask(login)
                let (flat, nested) = (
                    try answer.json(PresentApp.Polled.self), try answer.json(SeedDocument.Polled.self)
                )
                #expect(flat.status == "completed" && flat.accessToken != nil && flat.user != nil)
                #expect(flat.accessToken.map { $0.split(separator: ".").count } == 3)
                #expect(nested.tokens?.refreshToken.isEmpty == false && nested.user == flat.user)
            }
        }

        @Test func `fault 4, every end shown as pending: rejected, failed and cancelled each say so`() async throws {
            let codes = [
                "reject_match": "not_matched", "reject_liveness": "liveness_failed", "decline": "declined",
                "error": "provider_error", "cancel": "canceled", "expire": "expired",
            ]
            try await Fixture.run(people: codes.keys.map { "\($0)@example.com" }) { fixture in
                for (outcome, code) in codes {
                    let login = try await fixture.app.begin("\(outcome)@example.com")
                    let answer = try await fixture.app.follow(login)
                    #expect(answer.status == .failed && answer.code == code, "\(outcome): \(answer)")
                    #expect(answer.message?.isEmpty == false)
                }
            }
        }

        @Test func `fault 5, the failure that a retry swallows: it is the same however often it is asked for`()
            async throws
        {
            let limits = ["limits.pollsPerOperation.burst=20", "limits.pollsPerOperation.rate=5/s"]
            try await Fixture.run(limits, people: ["decline@example.com"]) { fixture in
                let app = Self.publishedApp(fixture)
                let login = try await app.begin("decline@example.com")
                let first = try await app.follow(login)
                // The app asks on until its sixtieth attempt, two seconds apart; here ten times as fast.
                for _ in 0..<60 {
                    #expect(try await app.poll(login) == first)
                    try await Task.sleep(for: .milliseconds(200))
                }
                #expect(first.status == .failed && first.code == "declined")
            }
        }

        @Test func `fault 6, a limit that two logins use up: eight people behind one address poll on`() async throws {
            let limits = [
                "limits.initiatePerAddress.burst=300", "limits.strangersPerAddress.burst=200",
                "limits.pollsPerOperation.burst=20", "limits.pollsPerOperation.rate=5/s",
            ]
            try await Fixture.run(limits, people: (1...8).map { "p\($0)@example.com" }) { fixture in
                let app = Self.publishedApp(fixture)
                for person in 1...8 {
                    let login = try await app.initiate("p\(person)@example.com")
                    // As many as come at once; the app itself asks every two seconds.
                    for _ in 0..<15 { #expect(try await app.ask(login).status == 200) }
                }
            }
        }

        // T-236
        @Test func `fault 10, starts for an account without end: the sixteenth at once gets a time to retry after`()
            async throws
        {
            let limits = ["limits.initiatePerAccount.burst=15", "limits.initiatePerAccount.rate=1/m"]
            try await Fixture.run(limits, people: ["ada@example.com"]) { fixture in
                let app = fixture.cookielessApp
                for _ in 0..<15 { _ = try await app.initiate("ada@example.com") }
                let refused = try await fixture.web.send(
                    .post,
                    app.address("initiate"),
                    app.sent(nil),
                    json: #"{"email":"ada@example.com"}"#
                )
                #expect(refused.status == 429 && refused.text.contains("rate_limited"), "\(refused)")
                #expect(refused.header("Retry-After").flatMap { Int($0) }.map { $0 > 0 } == true)
                _ = try await app.initiate("somebody-else@example.com")
            }
        }

        @Test func `fault 7, state in the process: a restart in the middle of a login loses nothing`() async throws {
            try await Fixture.run(people: ["accept+3s@example.com", "ada@example.com"]) { fixture in
                let app = Self.publishedApp(fixture)
                let scanned = try await app.begin("accept+3s@example.com")
                let begun = try await app.initiate("ada@example.com")
                try await fixture.daemon.restart()
                #expect(try await app.poll(begun).status == .pending)
                #expect(try await app.follow(scanned, within: .seconds(60)).status == .completed)
            }
        }

        // T-001
        @Test(.enabled(if: Database.isReadable, Database.missingTool))
        func `fault 8, the id alone collects: with a verifier or a cookie it does not`()
            async throws
        {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let database = fixture.daemon.database
                for withVerifier in [true, false] {
                    let app = fixture.app
                    let login = try await app.begin("ada@example.com", withVerifier: withVerifier)
                    // The first poll with the cookie ties the login to it.
                    try await app.waitFor(hint: "user_in_provider", login)
                    let scan = try await fixture.mock.newestScan(of: "ada@example.com")
                    #expect(scan.id.lowercased() != login.id.lowercased(), "the id is ours, not the provider's")
                    try await fixture.mock.decide("ada@example.com", "accept")
                    try await eventually("the approval") { try await database.state(of: login.id) == "approved" }
                    let attacker = App.Login(id: login.id, page: login.page, cookies: [], verifier: nil)
                    func steal() async throws {
                        let stolen = try await fixture.cookielessApp.poll(attacker)
                        #expect(stolen.status == .pending && stolen.accessToken == nil && stolen.tokens == nil)
                    }
                    try await steal()
                    #expect(try await database.state(of: login.id) == "approved", "nothing was collected")
                    let owner = try await app.follow(login)
                    #expect(owner.status == .completed && owner.accessToken != nil)
                    try await steal()
                }
            }
        }

        @Test func `fault 9, 404 for an unknown e-mail: it is begun like any other`() async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let unknown = try await fixture.app.ask(try await fixture.app.initiate("nobody@example.com"))
                let known = try await fixture.app.ask(try await fixture.app.initiate("ada@example.com"))
                #expect(unknown.status == 200 && known.status == 200)
                #expect(Set(try Self.members(unknown)) == Set(try Self.members(known)))
            }
        }

        // T-259
        @Test func `fault 11, a provider call on every poll: a provider that hangs holds no poll up`() async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let login = try await fixture.app.begin("ada@example.com")
                try await fixture.app.waitFor(hint: "user_in_provider", login)
                try await fixture.mock.breakDown("status", "hang")
                let before = try await fixture.mock.calls()["transaction_status"] ?? 0
                for _ in 0..<15 { #expect(try await fixture.app.poll(login).status == .pending) }
                let after = try await fixture.mock.calls()["transaction_status"] ?? 0
                #expect(after - before <= 3, "fifteen polls cost \(after - before) checks")
            }
        }

        @Test func `fault 12, a refresh that the app can't use: bearer and no body do, with its cookies and without`()
            async throws
        {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let app = Self.publishedApp(fixture)
                for keepsCookies in [true, false] {
                    let login = try await app.begin("accept@example.com")
                    let signedIn = try await app.ask(try await Self.collected(login, app))
                    let token = try #require(try signedIn.json(PollLoginResponse.self).refreshToken)
                    var cookies = keepsCookies ? signedIn.cookies : []
                    for _ in 0..<2 {
                        var headers = ["Authorization": "Bearer \(token)"]
                        if !cookies.isEmpty { headers["Cookie"] = cookies.joined(separator: "; ") }
                        let url = fixture.daemon.url + "/api/auth/refresh"
                        let reply = try await fixture.web.send(.post, url, headers, json: "")
                        #expect(reply.status == 200, "\(reply)")
                        let answer = try reply.json(PresentApp.Refreshed.self)
                        #expect(!answer.message.isEmpty)
                        if keepsCookies { cookies = reply.cookies }
                        let me = try await fixture.web.send(
                            .get,
                            fixture.daemon.url + "/api/auth/me",
                            ["Authorization": "Bearer \(answer.accessToken)"]
                        )
                        #expect(try me.json(SignedInUserResponse.self).user.email == "accept@example.com")
                    }
                }
            }
        }

        @Test func `fault 13, completion believed from a browser: only the provider's word signs in`() async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let login = try await fixture.app.begin("ada@example.com")
                try await fixture.app.waitFor(hint: "user_in_provider", login)
                for path in ["", "?status=completed", "/return/completed", "/callback?success=true"] {
                    for method in ["GET", "POST"] {
                        _ = try await fixture.web.send(
                            method == "GET" ? .get : .post,
                            fixture.daemon.url + login.page + path
                        )
                    }
                }
                for body in [#"{"status":"completed"}"#, #"{"event":"verifiedPage"}"#] {
                    // From the app itself, whose polls would be answered with tokens.
                    let headers = fixture.app.sent(login)
                    _ = try await fixture.web.send(.post, fixture.app.address("poll/\(login.id)"), headers, json: body)
                    _ = try await fixture.web.send(.post, fixture.app.address("ack/\(login.id)"), headers, json: body)
                }
                let answer = try await fixture.app.poll(login)
                #expect(answer.status == .pending && answer.accessToken == nil)
                try await fixture.mock.decide("ada@example.com", "accept")
                #expect(try await fixture.app.follow(login).status == .completed)
            }
        }

        @Test(.enabled(if: Database.isReadable, Database.missingTool))
        func
            `fault 14, a scan that succeeds after the app gave up: the provider's time is ours, and late grants nothing`()
            async throws
        {
            let patient = ["providers.mock.requestTimeout=20s", "providers.mock.guard.probeTimeout=20s"]
            try await Fixture.run(patient, people: ["ada@example.com"]) { fixture in
                let login = try await fixture.app.initiate("ada@example.com")
                let database = fixture.daemon.database
                await fixture.daemon.destroy()
                try await database.moveDeadlines(to: 12, where: "1")
                try await fixture.daemon.start()
                #expect(try await fixture.app.open(login) == 303)
                let scan = try await fixture.mock.newestScan(of: "ada@example.com")
                let lifetime = try scan.lifetime
                #expect(lifetime <= 12, "the provider was given \(lifetime) s")
                // The last check begins five seconds before the deadline, and learns of an approval after it. The ones before
                // it are given up for it.
                try await fixture.mock.breakDown("status", "slow", milliseconds: 8000)
                try await fixture.mock.decide("ada@example.com", "accept")
                let answer = try await fixture.app.follow(login, within: .seconds(60))
                // No check was answered in time: that is the provider's delay, and not the person's.
                #expect(answer.status == .failed && answer.code == "provider_unavailable", "\(answer)")
                try await eventually("the late verdict on record", within: .seconds(60)) {
                    try await database.number("SELECT COUNT(*) FROM audit WHERE fact = 'operation.late_verdict'") == 1
                }
                #expect(try await fixture.app.poll(login) == answer)
                #expect(try await database.number("SELECT COUNT(*) FROM sessions") == 0)
            }
        }

        /// The app in the field: its base address ends in `/api`, and it keeps cookies.
        private static func publishedApp(_ fixture: Fixture) -> App {
            var app = fixture.app
            app.prefix = "/api"
            app.headers["Cache-Control"] = "no-cache"
            return app
        }

        /// The login, once it was collected.
        private static func collected(_ login: App.Login, _ app: App) async throws -> App.Login {
            #expect(try await app.follow(login).status == .completed)
            return login
        }

        private static func members(_ reply: WebClient.Reply) throws -> [String] {
            let object = try JSONSerialization.jsonObject(with: reply.body)
            return (object as? [String: Any]).map { Array($0.keys) } ?? []
        }
    }
}
