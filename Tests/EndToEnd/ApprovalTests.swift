import Foundation
import Kernel
import Outbound
import Testing
import Wire

extension EndToEnd {
    /// A signed-in person approves something, through the real programs.
    @Suite struct Approving {
        private static let payment = """
            {"message":"Pay the invoice 4711","amount":{"value":"1250.00","currency":"EUR"},"payee":"Example Ltd"}
            """
        private static let person = "ada@example.com"

        @Test func `a person approves a payment, and the token names it, once and again after a kill`() async throws {
            try await Fixture.run(people: [Self.person]) { fixture in
                let bearer = try await Self.signIn(fixture)
                let asked = try await Self.ask(fixture, bearer)
                await fixture.daemon.destroy()
                try await fixture.daemon.start()
                #expect(try await Self.confirm(asked, fixture) == 303, "killed while nobody had opened it")
                await fixture.daemon.destroy()
                try await fixture.mock.decide(Self.person, "accept")
                try await fixture.daemon.start()
                let end = try await Self.follow(asked, fixture, bearer)
                let token = try #require(end.approval?.token, "\(end)")
                #expect(end.status == .completed && end.tokens == nil && end.accessToken == nil)
                let claims = try Self.claims(of: token)
                #expect(claims.message == "Pay the invoice 4711" && claims.payee == "Example Ltd")
                #expect(claims.amount == ApprovalAmount(value: "1250.00", currency: "EUR"))
                #expect(claims.exp - claims.iat <= 300)

                try await fixture.daemon.restart()
                let again = try await Self.poll(asked, fixture, bearer)
                #expect(try Self.claims(of: try #require(again.approval?.token)) == claims)
                let refused = try await fixture.web.send(
                    .get,
                    fixture.daemon.url + "/auth/operations",
                    ["Authorization": "Bearer \(token)"]
                )
                #expect(refused.status == 401, "it opens nothing")
                let ack = fixture.daemon.url + "/auth/approvals/ack/\(asked.operationId)"
                #expect(try await fixture.web.send(.post, ack, bearer).status == 200)
                let closed = try await Self.poll(asked, fixture, bearer)
                #expect(closed.approval == nil && closed.delivery == "closed")
            }
        }

        @Test func `a long poll is answered by the verdict, and another session learns nothing`() async throws {
            try await Fixture.run(people: [Self.person]) { fixture in
                let bearer = try await Self.signIn(fixture)
                let other = try await Self.signIn(fixture)
                let asked = try await Self.ask(fixture, bearer)
                #expect(try await Self.confirm(asked, fixture) == 303)
                try await fixture.mock.decide(Self.person, "reject_liveness")
                let end = try await eventually("an end of the approval", within: .seconds(90)) {
                    let view = try await Self.poll(asked, fixture, bearer, query: "?wait=20")
                    return view.status == .pending ? nil : view
                }
                #expect(end.status == .failed && end.code == "liveness_failed")
                let poll = fixture.daemon.url + "/auth/approvals/poll/\(asked.operationId)"
                #expect(try await fixture.web.send(.get, poll, other).status == 404)
                #expect(try await fixture.web.send(.get, poll).status == 401)
            }
        }

        @Test func `without the number nothing is begun at the provider`() async throws {
            try await Fixture.run(people: [Self.person]) { fixture in
                let bearer = try await Self.signIn(fixture)
                let asked = try await Self.ask(fixture, bearer)
                let before = try await fixture.mock.calls()
                let page = try #require(URL(string: asked.authIdUrl)?.path())
                #expect(try await fixture.web.send(.get, fixture.daemon.url + page).text.contains("€1,250.00"))
                #expect(try await fixture.web.send(.post, fixture.daemon.url + page).status == 400)
                #expect(try await fixture.mock.calls() == before)
            }
        }

        private struct Claims: Decodable, Equatable {
            let iss, sub, aud, sid, jti, type, message: String
            let payee: String?
            let amount: ApprovalAmount?
            let iat, exp: Int
        }

        private static func signIn(_ fixture: Fixture) async throws -> [String: String] {
            let login = try await fixture.app.begin(person)
            try await fixture.mock.decide(person, "accept")
            let token = try #require(try await fixture.app.follow(login).accessToken)
            return ["Authorization": "Bearer \(token)"]
        }

        private static func ask(_ fixture: Fixture, _ bearer: [String: String]) async throws -> InitiateLoginResponse {
            let url = fixture.daemon.url + "/api/auth/approvals/initiate"
            let reply = try await fixture.web.send(.post, url, bearer, json: payment)
            #expect(reply.status == 200, "\(reply)")
            return try reply.json(InitiateLoginResponse.self)
        }

        /// Types the number on the page.
        private static func confirm(_ asked: InitiateLoginResponse, _ fixture: Fixture) async throws -> Int {
            let page = try #require(URL(string: asked.authIdUrl)?.path())
            let number = try #require(asked.number)
            return try await fixture.web.send(.post, fixture.daemon.url + page, form: "number=\(number)").status
        }

        private static func poll(
            _ asked: InitiateLoginResponse,
            _ fixture: Fixture,
            _ bearer: [String: String],
            query: String = ""
        ) async throws -> PollLoginResponse {
            let url = fixture.daemon.url + "/auth/approvals/poll/\(asked.operationId)\(query)"
            let reply = try await fixture.web.send(.get, url, bearer, within: .seconds(40))
            guard reply.status == 200 else { throw ExpectationError("poll: \(reply)") }
            return try reply.json()
        }

        private static func follow(
            _ asked: InitiateLoginResponse,
            _ fixture: Fixture,
            _ bearer: [String: String]
        ) async throws -> PollLoginResponse {
            try await eventually("an end of the approval", within: .seconds(90)) {
                let view = try await poll(asked, fixture, bearer)
                return view.status == .pending ? nil : view
            }
        }

        private static func claims(of token: String) throws -> Claims {
            let parts = token.split(separator: ".").map(String.init)
            let header = try #require(Base64URL.decode(parts[0]))
            #expect(String(decoding: header, as: UTF8.self).contains(#""typ":"vst-approval+jwt""#))
            return try JSONDecoder().decode(Claims.self, from: Data(try #require(Base64URL.decode(parts[1]))))
        }
    }
}
