import Outbound
import Testing
import Wire

extension EndToEnd.Clusters {
    /// Commands to one daemon, whose effect all of them show; keys have a test of their own.
    enum Administration {
        private static let person = OneTimeUses.people[0]

        private struct Row: Decodable {
            let id: String
            let isOpen: Bool
        }

        private struct Client: Decodable { let isEnabled: Bool }

        static func play(_ cluster: Cluster) async throws {
            try await endSession(cluster)
            try await disableAccount(cluster)
            try await disableClient(cluster)
        }

        private static func endSession(_ cluster: Cluster) async throws {
            let tokens = try await signIn(cluster, 0)
            let session = try Claims(tokens.accessToken).sid
            let listed = try await cluster.daemons[1].order(["sessions", "list", person, "--json"]).json([Row].self)
            #expect(listed.contains { $0.id == session && $0.isOpen }, "\(session) in \(listed)")
            try await cluster.daemons[2].order(["sessions", "revoke", session])
            try await expectRefused(tokens, cluster)
        }

        private static func disableAccount(_ cluster: Cluster) async throws {
            let tokens = try await signIn(cluster, 1)
            try await cluster.daemons[0].order(["accounts", "disable", person])
            try await expectRefused(tokens, cluster)
            try await cluster.daemons[1].order(["accounts", "enable", person])
            _ = try await signIn(cluster, 2)
        }

        /// The client that was added at the third daemon.
        private static func disableClient(_ cluster: Cluster) async throws {
            try await cluster.daemons[0].order(["clients", "disable", "signing"])
            for daemon in cluster.daemons.dropFirst() {
                let shown = try await daemon.order(["clients", "show", "signing", "--json"]).json(Client.self)
                #expect(!shown.isEnabled)
            }
        }

        private static func signIn(_ cluster: Cluster, _ index: Int) async throws -> LoginTokens {
            let login = try await cluster.app(index).begin(person, withVerifier: true)
            return try #require(try await cluster.app((index + 1) % 3).follow(login).tokens)
        }

        private static func expectRefused(_ tokens: LoginTokens, _ cluster: Cluster) async throws {
            for index in 0..<3 {
                try await eventually("a refusal", within: .seconds(20), every: .milliseconds(10)) {
                    try await cluster.me(tokens.accessToken, index) == 401
                }
            }
        }
    }
}
