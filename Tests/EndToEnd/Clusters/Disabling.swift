import Foundation
import Fuzzing
import Outbound
import SoftwareAuthenticator
import Synchronization
import Testing
import Wire

extension EndToEnd.Clusters {
    /// Accounts that an operator disables at one daemon while their people sign in and refresh at all of them.
    enum Disabling {
        static let people = (0..<count).map { "accept+50ms+race\($0)@example.com" }
        private static let count = TestSize.isLong ? 1000 : 6

        /// A person with a session, a passkey, and an approved login that nobody has collected.
        private struct Target: Sendable {
            let email: String
            let tokens: LoginTokens
            let passkey: SoftwareAuthenticator.Credential
            let login: App.Login
        }

        static func play(_ cluster: Cluster) async throws {
            for first in stride(from: 0, to: count, by: 20) {
                var targets: [Target] = []
                for email in people[first..<min(first + 20, count)] {
                    targets.append(try await prepare(email, cluster))
                }
                try await eventually("all are approved") {
                    try await cluster.column("SELECT id FROM operations WHERE state = 'approved'").count
                        >= targets.count
                }
                for (number, target) in targets.enumerated() { try await race(target, number, cluster) }
            }
            let disabled = "JOIN accounts ON accounts.id = account AND accounts.state = 'disabled'"
            let open = "SELECT sessions.id FROM sessions \(disabled) WHERE revoked_at IS NULL"
            #expect(try await cluster.column(open).isEmpty)
            let undecided = "SELECT operations.id FROM operations \(disabled) WHERE operations.state = 'approved'"
            #expect(try await cluster.column(undecided).isEmpty)
        }

        private static func prepare(_ email: String, _ cluster: Cluster) async throws -> Target {
            let first = try await cluster.app(0).begin(email, withVerifier: true)
            let tokens = try #require(try await cluster.app(1).follow(first).tokens)
            let bearer = ["Authorization": "Bearer \(tokens.accessToken)"]
            let path = "/api/auth/add-device"
            let options = try await cluster.web.send(
                .post,
                "\(cluster.daemons[2].url)\(path)/generate-options",
                bearer
            )
            #expect(options.status == 200, "\(options)")
            let (passkey, made) = try authenticator.create(options.text)
            let added = try await cluster.web.send(
                .post,
                "\(cluster.daemons[0].url)\(path)/verify",
                bearer,
                json: made
            )
            #expect(added.status == 200, "\(added)")
            let login = try await cluster.app(2).begin(email, withVerifier: true)
            return Target(email: email, tokens: tokens, passkey: passkey, login: login)
        }

        private static let authenticator = SoftwareAuthenticator(origin: Cluster.origin)

        /// Disables the account at a random moment; afterwards nothing opens a session.
        private static func race(_ target: Target, _ number: Int, _ cluster: Cluster) async throws {
            #expect(try await refresh(target, cluster).status == 200)
            #expect(try await showPasskey(target, cluster).status == 200)
            let race = Race()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await cluster.daemons[number % 3].order(["accounts", "disable", target.email])
                    race.end()
                }
                group.addTask { try await race.run { try await refresh(target, cluster) } }
                group.addTask { try await race.run { try await showPasskey(target, cluster) } }
                group.addTask {
                    // The command takes about as long until it reaches the daemon.
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...300)))
                    try await race.run { try await cluster.app.ask(target.login) }
                }
                try await group.waitForAll()
            }
            #expect(try await refresh(target, cluster).status == 401)
            #expect(try await showPasskey(target, cluster).status != 200)
        }

        /// Requests that are sent again and again until the command has ended.
        private final class Race: Sendable {
            private let isOver = Mutex(false)

            func end() { isOver.withLock { $0 = true } }

            func run(_ step: @Sendable () async throws -> WebClient.Reply) async throws {
                while !isOver.withLock({ $0 }), !Task.isCancelled {
                    let reply = try await step()
                    #expect(reply.status < 500, "\(reply)")
                }
            }
        }

        private static func refresh(_ target: Target, _ cluster: Cluster) async throws -> WebClient.Reply {
            let headers = ["Authorization": "Bearer \(target.tokens.refreshToken)"]
            return try await cluster.web.send(.post, "\(cluster.app.base)/auth/refresh", headers)
        }

        private static func showPasskey(_ target: Target, _ cluster: Cluster) async throws -> WebClient.Reply {
            struct Options: Decodable { let challengeId: String }
            let app = cluster.app
            let options = try await cluster.web.send(
                .post,
                "\(app.base)/api/generate-authentication-options",
                json: "{}"
            )
            let signed = try authenticator.get(options.text, with: target.passkey)
            let id = try options.json(Options.self).challengeId
            let body = #"{"response":\#(signed),"challengeId":"\#(id)"}"#
            return try await cluster.web.send(.post, "\(app.base)/api/verify-authentication", json: body)
        }
    }
}
