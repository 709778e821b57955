import Foundation
import MailServer
import Outbound
import Testing
import Wire

extension EndToEnd {
    /// Signing in by a mailed code, and opening an account, with the real programs from the first request to the last.
    struct MailedSignIn {
        private static let phone = "5f0c3a52-4d1e-4f43-9f0b-7a6f0c1d2e3f"

        private struct Queued: Decodable {
            let to: String?
        }

        @Test func `a code from the outbox signs in on the device that asked, across a restart, until it signs out`()
            async throws
        {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let outbox = Outbox(fixture.daemon)
                let unknown = try await Self.ask("nobody@example.com", fixture)
                let known = try await Self.ask("ada@example.com", fixture)
                #expect(unknown.status == 200 && known.status == 200)
                let mail = try await outbox.mail(to: "ada@example.com")
                #expect(try outbox.mails.map(\.to) == ["ada@example.com"], "an address that nobody has gets none")
                let page = try await fixture.web.send(.get, fixture.daemon.url + mail.path)
                #expect(try page.status == 200 && page.text.contains(mail.code))

                try await fixture.daemon.restart()
                let answer = try known.json(MailLoginResponse.self)
                let wrong = try mail.code == "111111" ? "222222" : "111111"
                #expect(try await Self.type(wrong, for: answer, fixture).status == 401)
                let signedIn = try await Self.type(mail.code, for: answer, fixture).json(SignInResponse.self)
                #expect(signedIn.user.email == "ada@example.com")
                #expect(try await Self.type(mail.code, for: answer, fixture).status == 401, "it is good once")
                try await Self.refreshAndSignOut(signedIn, fixture)
                #expect(try !#require(fixture.daemon.program).log.tail().contains(mail.code))
            }
        }

        @Test func `a person opens an account, confirms the address by the mailed link, and signs in with a password`()
            async throws
        {
            // Three passwords are hashed, which takes a busy machine its time.
            try await Fixture.run(within: .seconds(300)) { fixture in
                let order = #"{"email":"eve@example.com","name":"Eve","password":"correct horse battery"}"#
                let register = { try await Self.hashed("/api/auth/register", order, fixture) }
                let reply = try await register()
                #expect(reply.status == 201)
                let opened = try reply.json(SignInResponse.self)
                #expect(!opened.user.emailVerified)
                let again = try await register()
                #expect(again.status == 409 && again.text.contains("email_taken"))

                let link = fixture.daemon.url + (try await Outbox(fixture.daemon).mail(to: "eve@example.com").path)
                #expect(try await fixture.web.send(.get, link).status == 200)
                #expect(try await !Self.me(opened.accessToken, fixture).emailVerified, "looking proves nothing")
                let confirmed = try await fixture.web.send(
                    .post,
                    link,
                    form: "password=correct+horse+battery",
                    within: .seconds(90)
                )
                #expect(confirmed.status == 200)
                #expect(try await Self.me(opened.accessToken, fixture).emailVerified)

                let password = #"{"email":"Eve@example.com","password":"correct horse battery"}"#
                let signedIn = try await Self.hashed("/auth/login", password, fixture).json(SignInResponse.self)
                #expect(signedIn.user.id == opened.user.id)
                let token = ["Authorization": "Bearer \(signedIn.refreshToken)"]
                let refreshed = try await fixture.web.send(.post, fixture.daemon.url + "/auth/refresh", token)
                    .json(RefreshResponse.self)
                #expect(try await Self.me(refreshed.accessToken, fixture).id == opened.user.id)
                let out = ["Authorization": "Bearer \(refreshed.accessToken)"]
                #expect(try await fixture.web.send(.post, fixture.daemon.url + "/auth/logout", out).status == 200)
                for path in ["/auth/me", "/auth/sessions"] {
                    #expect(try await fixture.web.send(.get, fixture.daemon.url + path, out).status == 401)
                }
                #expect(try await fixture.web.send(.post, fixture.daemon.url + "/auth/refresh", token).status == 401)
                #expect(
                    try await Self.me(opened.accessToken, fixture).id == opened.user.id,
                    "the other session stays active"
                )
            }
        }

        @Test func `while the mail server is away a code waits, is listed, and arrives once by a flush`() async throws {
            let folder = try MailFolder()
            let server = try await MailServer(.starttls, in: folder, signIn: ("vestibule", "open sesame"))
            let settings = try await Mail.settings(server, folder)
            server.stop()
            try await Fixture.run(settings, people: ["ada@example.com"]) { fixture in
                let daemon = fixture.daemon
                let asked = try await Self.ask("ada@example.com", fixture)
                #expect(asked.status == 200, "no request waits for mail")
                #expect(try await Self.queued(daemon) == ["ada@example.com"])
                // Waiting mail is in the store, not in the process.
                #expect(try await daemon.stop() == .exited(0))
                #expect(try await Self.queued(daemon) == ["ada@example.com"])
                try await daemon.start()
                #expect(try folder.taken.isEmpty)

                try await server.start()
                try await daemon.order(["mail", "flush"])
                // The daemon may have been trying it just then.
                try await eventually("the mail") { try !folder.taken.isEmpty }
                try await eventually("an empty queue") { try await Self.queued(daemon).isEmpty }
                try await daemon.order(["mail", "flush"])
                #expect(try folder.taken.map(\.to) == [["ada@example.com"]], "once")
                let mail = try Outbox.Mail(try #require(folder.taken.first).text)
                let answer = try asked.json(MailLoginResponse.self)
                #expect(try await Self.type(mail.code, for: answer, fixture).status == 200)
            }
        }

        // MARK: Requests

        /// Whom mail waits for.
        private static func queued(_ daemon: Daemon) async throws -> [String] {
            try await daemon.order(["mail", "list", "--state", "queued", "--json"]).json([Queued].self).compactMap(\.to)
        }

        private static func ask(_ email: String, _ fixture: Fixture) async throws -> WebClient.Reply {
            let body = #"{"email":"\#(email)","deviceId":"\#(phone)"}"#
            return try await fixture.web.send(.post, fixture.daemon.url + "/api/mobile/auth/login", json: body)
        }

        /// A request that has a password hashed.
        private static func hashed(_ path: String, _ json: String, _ fixture: Fixture) async throws -> WebClient.Reply {
            try await fixture.web.send(.post, fixture.daemon.url + path, json: json, within: .seconds(90))
        }

        private static func type(
            _ code: String,
            for answer: MailLoginResponse,
            _ fixture: Fixture
        ) async throws -> WebClient.Reply {
            let body = #"{"challenge":"\#(answer.challenge)","deviceId":"\#(phone)","code":"\#(code)"}"#
            return try await fixture.web.send(.post, fixture.daemon.url + "/api/mobile/auth/login/verify", json: body)
        }

        private static func refreshAndSignOut(_ signedIn: SignInResponse, _ fixture: Fixture) async throws {
            let base = fixture.daemon.url + "/api/mobile"
            let order = { (token: String) in #"{"refreshToken":"\#(token)"}"# }
            let first = try await fixture.web.send(
                .post,
                base + "/auth/token/refresh",
                json: order(signedIn.refreshToken)
            ).json(RefreshResponse.self)
            let successor = try #require(first.refreshToken)
            #expect(successor != signedIn.refreshToken)
            let bearer = ["Authorization": "Bearer \(first.accessToken)"]
            #expect(try await fixture.web.send(.get, base + "/profile", bearer).status == 200)
            #expect(try await fixture.web.send(.post, base + "/auth/logout", bearer).status == 200)
            #expect(try await fixture.web.send(.get, base + "/profile", bearer).status == 401)
            let late = try await fixture.web.send(.post, base + "/auth/token/refresh", json: order(successor))
            #expect(late.status == 401)
        }

        private static func me(_ token: String, _ fixture: Fixture) async throws -> SignedInUser {
            let bearer = ["Authorization": "Bearer \(token)"]
            return try await fixture.web.send(.get, fixture.daemon.url + "/auth/me", bearer)
                .json(SignedInUserResponse.self).user
        }
    }
}
