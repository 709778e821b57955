import Foundation
import Outbound
import Synchronization
import Testing
import VestibuleClient
import Wire

extension EndToEnd {
    /// From the start to tokens, as each kind of client does it.
    @Suite struct HappyPath {
        @Test func `the client library signs a person in through the pages that a browser shows`() async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let server = try #require(URL(string: fixture.daemon.url))
                let store = MemoryTokenStore()
                let login = try FaceLogin(server: server, store: store, options: .init(longPoll: 5))
                let hints = Mutex<[FaceLogin.Progress]>([])
                let signedIn = try await login.signIn(
                    email: "ada@example.com",
                    open: { page in
                        do {
                            try Browser.visit(page, deciding: "accept")
                            return true
                        } catch {
                            Issue.record(error)
                            return false
                        }
                    },
                    progress: { progress in hints.withLock { $0.append(progress) } }
                )
                #expect(signedIn.user?.email == "ada@example.com")
                let claims = try Claims(signedIn.tokens.accessToken)
                #expect(claims.sub == signedIn.user?.id)
                #expect(try Claims(signedIn.tokens.refreshToken).sid == claims.sid)
                #expect(await store.load().tokens == signedIn.tokens)
                guard case .completed = hints.withLock({ $0.last }) else {
                    Issue.record("the last progress is not completion: \(hints.withLock { $0 })")
                    return
                }
                // The library acknowledges: nothing is left to be handed out.
                let states = try await fixture.daemon.order(["operations", "list", "--json"])
                #expect(try states.json([OperationRow].self).map(\.state) == ["closed"])
            }
        }

        @Test func `the second sign-in on a device needs no address`() async throws {
            try await Fixture.run(people: ["accept+ada@example.com"]) { fixture in
                let file = fixture.folder["login.json"]
                let words = ["login", "--server", fixture.daemon.url, "--store", file, "--scripted", "--json"]
                let first = try await CommandRun.run(Programs.daemon, words + ["--email", "accept+ada@example.com"])
                #expect(first.code == 0, "\(first)")
                let second = try await CommandRun.run(Programs.daemon, words)
                #expect(second.code == 0, "\(second)")
                struct Answer: Decodable {
                    let accessToken: String
                }
                let sessions = try [first, second].map { try Claims($0.json(Answer.self).accessToken).sid }
                #expect(Set(sessions).count == 2)
            }
        }

        @Test(arguments: ["", "/api"])
        func `the published apps of both generations read the poll answers`(prefix: String) async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                try await signInAsPublished(Self.publishedApp(fixture, prefix), fixture)
            }
        }

        /// The published app sends both fields with every request, a GET and a stale token included.
        private static func publishedApp(_ fixture: Fixture, _ prefix: String) -> App {
            var app = fixture.app
            app.prefix = prefix
            app.headers = ["Content-Type": "application/json", "Authorization": "Bearer of-a-time-long-gone"]
            return app
        }

        private func signInAsPublished(_ app: App, _ fixture: Fixture) async throws {
            let order = #"{"email":"ada@example.com"}"#
            let headers = app.sent(nil).filter { $0.key != "Content-Type" }
            let begun = try await fixture.web.send(.post, app.address("initiate"), headers, json: order)
            #expect(begun.status == 200, "\(begun)")
            let present = try begun.json(PresentApp.Initiated.self)
            let documented = try begun.json(SeedDocument.Initiated.self)
            #expect(present.operationId == documented.operationId)
            #expect(present.authUrl == documented.authIdUrl)
            let page = try #require(URL(string: present.authUrl))
            let login = App.Login(id: present.operationId, page: page.path(), cookies: begun.cookies, verifier: nil)

            let pending = try await app.ask(login)
            #expect(try pending.json(PresentApp.Polled.self).status == "pending")
            #expect(try pending.json(SeedDocument.Polled.self).status == "pending")
            #expect(pending.header("ETag") == nil)
            #expect(pending.header("Cache-Control") == "no-store")

            try Browser.visit(page, deciding: "accept")
            try checkCompleted(try await firstAnswerAfterPending(login, app))
        }

        private func firstAnswerAfterPending(_ login: App.Login, _ app: App) async throws -> WebClient.Reply {
            try await eventually("a verdict") {
                let reply = try await app.ask(login)
                return try reply.json(PresentApp.Polled.self).status == "pending" ? nil : reply
            }
        }

        private func checkCompleted(_ reply: WebClient.Reply) throws {
            let present = try reply.json(PresentApp.Polled.self)
            let documented = try reply.json(SeedDocument.Polled.self)
            #expect(present.status == "completed")
            let user = try #require(present.user)
            #expect(user.email == "ada@example.com")
            #expect(documented.user == user)
            let tokens = try #require(documented.tokens)
            #expect(present.accessToken == tokens.accessToken)
            #expect(present.refreshToken == tokens.refreshToken)
            #expect(present.tokenType == "Bearer")
            #expect((3590...3600).contains(try #require(present.expiresIn)))
            #expect(try Claims(tokens.accessToken).sub == user.id.uuidString.lowercased())
        }
    }
}
