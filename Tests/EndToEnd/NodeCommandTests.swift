import Foundation
import Outbound
import Testing
import Wire

extension EndToEnd {
    /// `vestibule nodes` on three daemons.
    @Suite(.serialized) struct NodeCommands {
        private static let person = "accept+50ms@example.com"
        private static let slow = "ada@example.com"

        private struct Node: Decodable {
            let name: String
            let isAsked: Bool
            let state: String
            let isLeader: Bool
            let lease: Lease
            let liveOperations: Int?
            let agreement: Agreement

            struct Lease: Decodable {
                let state: String
                let adoptedBy: String?
            }

            struct Agreement: Decodable {
                let hasSameConfig: Bool?
                let hasSameEncryptionKey: Bool?
            }
        }

        private static func nodes(_ daemon: Daemon) async throws -> [Node] {
            try await daemon.order(["nodes", "list", "--json"]).json()
        }

        /// The names of the daemons, each as it says itself.
        private static func names(_ cluster: Cluster) async throws -> [String] {
            var names: [String] = []
            for daemon in cluster.daemons {
                names.append(try #require(try await nodes(daemon).first { $0.isAsked }).name)
            }
            return names
        }

        private static func readiness(_ cluster: Cluster) async throws -> [Int] {
            var statuses: [Int] = []
            for daemon in cluster.daemons {
                statuses.append(try await cluster.web.send(.get, "\(daemon.url)/readyz").status)
            }
            return statuses
        }

        @Test func `daemons are listed and drained, the last one only with --last, and who took over is told`()
            async throws
        {
            // One cluster for both: each start costs seconds.
            try await Cluster.run(people: [Self.person, Self.slow], places: 2) { cluster in
                try await Self.drain(cluster)
                try await Self.list(cluster)
            }
        }

        /// Any daemon lists all of them, one of which leads, and who took over from one that is killed.
        private static func list(_ cluster: Cluster) async throws {
            try await eventually("each says that it serves") {
                try await Self.nodes(cluster.daemons[1]).map(\.state) == ["serving", "serving", "serving"]
            }
            let names = try await Self.names(cluster)
            // One that has just been restarted may have a name that nobody had.
            #expect(Set(names).count == 3 && names.contains("local"), "\(names)")
            let login = try await cluster.app(0).initiate(Self.slow, withVerifier: true)
            #expect(try await cluster.app(2).open(login) == 303)
            let nodes = try await Self.nodes(cluster.daemons[0])
            #expect(nodes.filter(\.isLeader).map(\.name) == ["local"])
            #expect(nodes.allSatisfy { $0.agreement.hasSameConfig == true && $0.lease.state == "held" })
            #expect(nodes.allSatisfy { $0.agreement.hasSameEncryptionKey == true })
            #expect(nodes.first { $0.name == names[2] }?.liveOperations ?? 0 > 0, "who opened it follows it")
            await cluster.daemons[2].destroy()
            try await eventually("one of the others took over", within: .seconds(30)) {
                let killed = try await Self.nodes(cluster.daemons[0]).first { $0.name == names[2] }
                guard let killed, let adopter = killed.lease.adoptedBy else { return false }
                return killed.state == "stopped" && killed.lease.state == "over" && names[..<2].contains(adopter)
            }
            let text = try await cluster.daemons[1].order(["nodes", "list"]).output
            #expect(text.contains("\(names[1]) *") && text.contains("over "), "\(text)")
        }

        /// A drained daemon is not ready and serves what arrives, and the last one is drained only with `--last`.
        private static func drain(_ cluster: Cluster) async throws {
            try await eventually("each says that it serves") {
                try await Self.nodes(cluster.daemons[0]).allSatisfy { $0.state == "serving" }
            }
            let names = try await Self.names(cluster)
            try await cluster.daemons[0].order(["nodes", "drain", names[2]])
            try await eventually("its load balancer is told") {
                try await Self.readiness(cluster) == [200, 200, 503]
            }
            let health = try await cluster.web.send(.get, "\(cluster.daemons[2].url)/readyz").text
            #expect(health.contains(#""reason":"drained""#) && health.contains(#""draining":false"#), "\(health)")
            // What still arrives, start to end.
            let login = try await cluster.app(2).begin(Self.person, withVerifier: true)
            #expect(try await cluster.app(2).follow(login).tokens != nil)

            // Without a name it is the daemon that is asked.
            try await cluster.daemons[1].order(["nodes", "drain"])
            let last = try await cluster.daemons[0].command("nodes", "drain")
            #expect(last.code == 1 && last.complaint.contains("--last"), "\(last)")
            let unknown = try await cluster.daemons[0].command("nodes", "drain", "node-77")
            #expect(unknown.code == 1 && unknown.complaint.contains("node-77"), "\(unknown)")
            try await cluster.daemons[2].order(["nodes", "drain", "--undo"])
            try await eventually("it is back") { try await Self.readiness(cluster) == [200, 503, 200] }

            // A restart ends it too.
            #expect(try await cluster.daemons[1].stop() == .exited(0))
            try await cluster.daemons[1].start()
            try await eventually("all are back") { try await Self.readiness(cluster) == [200, 200, 200] }
            #expect(try await cluster.daemons[1].stop() == .exited(0))
            let stopped = try await cluster.daemons[1].command("nodes", "list")
            #expect(stopped.code == 69 && stopped.complaint.contains("No daemon runs"), "\(stopped)")
            try await cluster.daemons[1].start()
        }
    }
}
