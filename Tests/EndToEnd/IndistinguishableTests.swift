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

        @Test func `an unknown, a blocked and a faceless account look like a real one to the end`() async throws {
            try await Stage.run(people: ["real@example.com", "blocked@example.com"]) { stage in
                try await stage.daemon.order(["accounts", "add", "--email", "faceless@example.com"])
                try await stage.daemon.order(["accounts", "disable", "blocked@example.com"])
                var logins: [App.Login] = []
                var starts: [Impression] = []
                for email in Self.emails {
                    let reply = try await stage.web.send(
                        .post,
                        stage.app.address("initiate"),
                        json: #"{"email":"\#(email)"}"#
                    )
                    starts.append(try Impression(reply))
                    logins.append(try Self.login(reply))
                }
                for (email, start) in zip(Self.emails, starts) { #expect(start == starts[0], "\(email)") }

                try await comparePolls(of: logins, stage, count: 5)
                try await comparePages(of: logins, stage)
                // As long as nobody opened the real one, they end alike too.
                await stage.daemon.destroy()
                // A busy machine has the daemon up before them: all are seen waiting first.
                try await stage.daemon.database.bringDeadlines(to: 12, where: "1")
                try await stage.daemon.start()
                let traces = try await traces(of: logins, stage)
                for (email, trace) in zip(Self.emails, traces) {
                    #expect(trace == traces[0], "\(email)")
                    #expect(trace.map { $0.body["status"] } == ["\"pending\"", "\"failed\""], "\(email)")
                    #expect(trace.last?.body["code"] == "\"expired\"", "\(email)")
                }
            }
        }

        @Test func `a caller with the id alone sees a login that nobody opens`() async throws {
            try await Stage.run(people: ["ada@example.com"]) { stage in
                let unopened = try await stage.app.initiate("ada@example.com", withVerifier: true)
                let opened = try await stage.app.begin("ada@example.com", withVerifier: true)
                try await stage.app.waitFor(hint: "user_in_provider", opened)
                let stranger = { (login: App.Login) in
                    App.Login(id: login.id, page: login.page, cookies: [], verifier: nil)
                }
                let before = try Impression(try await stage.app.ask(stranger(unopened)))
                #expect(try Impression(try await stage.app.ask(stranger(opened))) == before)
                try await stage.mock.decide("ada@example.com", "accept")
                _ = try await stage.app.follow(opened)
                #expect(try Impression(try await stage.app.ask(stranger(opened))) == before)
            }
        }

        private func comparePolls(of logins: [App.Login], _ stage: Stage, count: Int) async throws {
            for round in 0..<count {
                var impressions: [Impression] = []
                for login in logins { impressions.append(try Impression(try await stage.cookielessApp.ask(login))) }
                for (email, impression) in zip(Self.emails, impressions) {
                    #expect(impression == impressions[0], "\(email), round \(round)")
                }
                try await Task.sleep(for: .milliseconds(150))
            }
        }

        private func comparePages(of logins: [App.Login], _ stage: Stage) async throws {
            var pages: [WebClient.Reply] = []
            for login in logins { pages.append(try await stage.web.send(.get, stage.daemon.url + login.page)) }
            for (email, page) in zip(Self.emails, pages) {
                #expect(page.status == 200 && page.body == pages[0].body, "\(email)")
            }
        }

        /// The answers of polls until all logins are over, each once.
        private func traces(of logins: [App.Login], _ stage: Stage) async throws -> [[Impression]] {
            var traces: [[Impression]] = logins.map { _ in [] }
            try await eventually("the end of the logins") {
                for (index, login) in logins.enumerated() {
                    let impression = try Impression(try await stage.cookielessApp.ask(login))
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
