import Foundation
import Outbound
import Testing
import Wire

extension EndToEnd.Clusters {
    /// A key in the list of a daemon.
    private struct ListedKey: Decodable, Equatable {
        let kid: String
        let state: String
        let use: String
    }

    // T-208, T-266
    @Test func `keys that daemons rotate at once become the same on all, and one retires a key for all`() async throws {
        let person = "accept+50ms@example.com"
        try await Cluster.run(people: [person], places: 2) { cluster in
            let login = try await cluster.app(0).begin(person, withVerifier: true)
            let tokens = try #require(try await cluster.app(1).follow(login).tokens)
            let old = try Claims.keyID(tokens.accessToken)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for daemon in cluster.daemons {
                    group.addTask { try await daemon.order(["keys", "rotate", "--now"]) }
                }
                try await group.waitForAll()
            }
            var lists: [[ListedKey]] = []
            try await eventually("the same keys on all", within: .seconds(20)) {
                lists = try await Self.lists(cluster)
                return Set(lists.map { $0.map(\.kid) }).count == 1
            }
            #expect(lists[0].map(\.state).prefix(2) == ["active", "next"])
            #expect(lists[0].contains(ListedKey(kid: old, state: "retiring", use: "tokens")))
            let isRecorded = """
                SELECT (SELECT count(*) FROM audit WHERE fact = 'keys.rotated')
                    = (SELECT sum(version) - count(*) FROM key_rings)
                """
            #expect(try await cluster.column(isRecorded) == ["t"], "each change once, whoever made it")
            for daemon in cluster.daemons { #expect(try await Self.me(tokens.accessToken, daemon, cluster) == 200) }

            try await cluster.daemons[2].order(["keys", "retire", old])
            for daemon in cluster.daemons {
                try await eventually("a refusal", within: .seconds(20), every: .milliseconds(10)) {
                    try await Self.me(tokens.accessToken, daemon, cluster) == 401
                }
            }
        }
    }

    /// Returns the keys for access tokens that each daemon has.
    private static func lists(_ cluster: Cluster) async throws -> [[ListedKey]] {
        var lists: [[ListedKey]] = []
        for daemon in cluster.daemons {
            let list = try await daemon.order(["keys", "list", "--json"]).json([ListedKey].self)
            lists.append(list.filter { $0.use == "tokens" })
        }
        return lists
    }

    private static func me(_ token: String, _ daemon: Daemon, _ cluster: Cluster) async throws -> Int {
        try await cluster.web.send(.get, "\(daemon.url)/auth/me", ["Authorization": "Bearer \(token)"]).status
    }
}
