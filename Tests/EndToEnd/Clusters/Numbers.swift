import Foundation
import Fuzzing
import Outbound
import Testing
import Wire

extension EndToEnd.Clusters {
    /// Pairing numbers, typed at one daemon after the other and at all of them at once.
    enum Numbers {
        private static let person = "accept+50ms+number@example.com"
        static let people = [person]
        private static let count = TestSize.isLong ? 100 : 30

        static func play(_ cluster: Cluster) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask {
                        let login = try await start(cluster)
                        if number.isMultiple(of: 2) {
                            try await typeRight(login, cluster)
                        } else {
                            try await typeWrong(login, cluster)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let twice = """
                SELECT subject FROM audit WHERE fact IN ('operation.failed', 'operation.redeemed')
                GROUP BY subject, fact HAVING count(*) > 1
                """
            #expect(try await cluster.column(twice).isEmpty)
        }

        /// The number is right at a daemon that has not seen the login, after a wrong one at another.
        private static func typeRight(_ login: Started, _ cluster: Cluster) async throws {
            let places = Array(0..<3).shuffled()
            #expect(try await login.type(login.wrong, at: places[0], cluster) == 400)
            #expect(try await login.type(login.right, at: places[1], cluster) == 303)
            let told = try await cluster.app(places[2]).follow(login.login)
            #expect(told.status == .completed && told.tokens != nil, "\(told)")
        }

        /// Three wrong numbers at three daemons end the login once, and no daemon takes the right one.
        private static func typeWrong(_ login: Started, _ cluster: Cluster) async throws {
            let replies = try await cluster.atOnce { try await login.type(login.wrong, at: $1, $0) }
            #expect(replies.map(\.status).sorted() == [400, 400, 403], "\(replies)")
            for index in 0..<3 { #expect(try await login.type(login.right, at: index, cluster) == 410) }
            let told = try await cluster.app.follow(login.login)
            #expect(told.status == .failed && told.code == "too_many_attempts", "\(told)")
        }

        private static func start(_ cluster: Cluster) async throws -> Started {
            let app = cluster.app
            let body = #"{"email":"\#(person)","mode":"cross-device"}"#
            let reply = try await cluster.web.send(.post, app.address("initiate"), app.sent(nil), json: body)
            let answer = try reply.json(InitiateLoginResponse.self)
            return Started(
                login: App.Login(
                    id: answer.operationId,
                    page: try #require(URL(string: answer.authIdUrl)?.path()),
                    cookies: reply.cookies,
                    verifier: nil
                ),
                right: try #require(answer.number.flatMap { Int($0) })
            )
        }

        /// A login with the number that its app shows.
        private struct Started: Sendable {
            let login: App.Login
            let right: Int

            var wrong: Int { (right + 1) % 100 }

            /// Types a number on the page of that daemon; returns the status.
            func type(_ number: Int, at index: Int, _ cluster: Cluster) async throws -> Int {
                try await type(number, at: cluster.daemons[index].url, cluster.web).status
            }

            func type(_ number: Int, at url: String, _ web: WebClient) async throws -> WebClient.Reply {
                let digits = number < 10 ? "0\(number)" : "\(number)"
                let browser = ["User-Agent": "ExampleBrowser/1.0"]
                return try await web.send(.post, url + login.page, browser, form: "number=\(digits)")
            }
        }
    }
}
