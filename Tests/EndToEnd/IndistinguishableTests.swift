import Foundation
import Outbound
import Testing

extension EndToEnd {
    /// An unauthenticated caller finds out nothing about an e-mail address.
    @Suite(.enabled(if: Database.isReadable, Database.missingTool))
    struct Indistinguishable {
        private static let emails = [
            "real@example.com", "nobody@example.com", "blocked@example.com", "faceless@example.com",
        ]

        // T-027
        @Test func `an unknown, a blocked and a faceless account look like a real one to the end`() async throws {
            try await Fixture.run(people: ["real@example.com", "blocked@example.com"]) { fixture in
                try await fixture.daemon.order(["accounts", "add", "--email", "faceless@example.com"])
                try await fixture.daemon.order(["accounts", "disable", "blocked@example.com"])
                var logins: [App.Login] = []
                var starts: [Impression] = []
                for email in Self.emails {
                    let reply = try await fixture.web.send(
                        .post,
                        fixture.app.address("initiate"),
                        json: #"{"email":"\#(email)"}"#
                    )
                    starts.append(try Impression(reply))
                    logins.append(try Self.login(reply))
                }
                for (email, start) in zip(Self.emails, starts) { #expect(start == starts[0], "\(email)") }

                try await comparePolls(of: logins, fixture, count: 5)
                try await comparePages(of: logins, fixture)
                // As long as nobody opened the real one, they end alike too.
                await fixture.daemon.destroy()
                // A busy machine has the daemon up before them: all are seen waiting first.
                try await fixture.daemon.database.moveDeadlines(to: 12, where: "1")
                try await fixture.daemon.start()
                let traces = try await traces(of: logins, fixture)
                for (email, trace) in zip(Self.emails, traces) {
                    #expect(trace == traces[0], "\(email)")
                    #expect(trace.map { $0.body["status"] } == ["\"pending\"", "\"failed\""], "\(email)")
                    #expect(trace.last?.body["code"] == "\"expired\"", "\(email)")
                }
            }
        }

        // T-001
        @Test func `a caller with the id alone sees a login that nobody opens`() async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let unopened = try await fixture.app.initiate("ada@example.com", withVerifier: true)
                let opened = try await fixture.app.begin("ada@example.com", withVerifier: true)
                try await fixture.app.waitFor(hint: "user_in_provider", opened)
                let outsider = { (login: App.Login) in
                    App.Login(id: login.id, page: login.page, cookies: [], verifier: nil)
                }
                let before = try Impression(try await fixture.app.ask(outsider(unopened)))
                #expect(try Impression(try await fixture.app.ask(outsider(opened))) == before)
                try await fixture.mock.decide("ada@example.com", "accept")
                _ = try await fixture.app.follow(opened)
                #expect(try Impression(try await fixture.app.ask(outsider(opened))) == before)
            }
        }

        private func comparePolls(of logins: [App.Login], _ fixture: Fixture, count: Int) async throws {
            for round in 0..<count {
                var impressions: [Impression] = []
                for login in logins { impressions.append(try Impression(try await fixture.cookielessApp.ask(login))) }
                for (email, impression) in zip(Self.emails, impressions) {
                    #expect(impression == impressions[0], "\(email), round \(round)")
                }
                try await Task.sleep(for: .milliseconds(150))
            }
        }

        private func comparePages(of logins: [App.Login], _ fixture: Fixture) async throws {
            var pages: [WebClient.Reply] = []
            for login in logins { pages.append(try await fixture.web.send(.get, fixture.daemon.url + login.page)) }
            for (email, page) in zip(Self.emails, pages) {
                #expect(page.status == 200 && page.body == pages[0].body, "\(email)")
            }
        }

        /// The answers of polls until all logins are over, each once.
        private func traces(of logins: [App.Login], _ fixture: Fixture) async throws -> [[Impression]] {
            var traces: [[Impression]] = logins.map { _ in [] }
            try await eventually("the end of the logins") {
                for (index, login) in logins.enumerated() {
                    let impression = try Impression(try await fixture.cookielessApp.ask(login))
                    if traces[index].last != impression { traces[index].append(impression) }
                }
                return traces.allSatisfy { $0.last?.body["status"] == "\"failed\"" }
            }
            return traces
        }

        private static func login(_ reply: WebClient.Reply) throws -> App.Login {
            let begun = try reply.json(PresentApp.Initiated.self)
            let page = try #require(URL(string: begun.authUrl)).path()
            return App.Login(id: begun.operationId, page: page, cookies: reply.cookies, verifier: nil)
        }
    }
}
