import Fuzzing
import Outbound
import Synchronization
import Testing
import Wire

extension EndToEnd.Clusters {
    /// Waiting polls while the connections that carry the daemons' messages are cut without a pause.
    enum LostNotices {
        static let people = (0..<count).map { "waiting-\($0)@example.com" }
        private static let count = TestSize.isLong ? 100 : 12
        /// A poll that nobody tells waits for 20 s, and a busy machine needs longer than an idle one.
        private static let limit: Duration = TestSize.isLong ? .seconds(5) : .seconds(10)

        static func play(_ cluster: Cluster) async throws {
            var logins: [(email: String, login: App.Login)] = []
            for email in people { logins.append((email, try await cluster.app.begin(email, withVerifier: true))) }
            let cuts = Cuts()
            let longest = try await withThrowingTaskGroup(of: Duration?.self) { group in
                group.addTask {
                    while !Task.isCancelled { cuts.add(try await cut(cluster)) }
                    return nil
                }
                for (email, login) in logins { group.addTask { try await wait(for: login, of: email, cluster) } }
                var times: [Duration] = []
                while times.count < logins.count, let time = try await group.next() {
                    if let time { times.append(time) }
                }
                group.cancelAll()
                return times.max() ?? .zero
            }
            print("with notices lost \(cuts.count) times, the last one was told after \(longest)")
            #expect(cuts.count > 2)
            #expect(longest < limit)
        }

        /// How many connections were ended.
        private final class Cuts: Sendable {
            private let state = Mutex(0)

            var count: Int { state.withLock { $0 } }

            func add(_ number: Int) { state.withLock { $0 += number } }
        }

        /// Ends the connection by which one of the daemons listens, and returns how many were ended.
        private static func cut(_ cluster: Cluster) async throws -> Int {
            let ended = """
                SELECT pg_terminate_backend(pid) FROM (
                    SELECT pid FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    AND (query LIKE '%pg_notify%' OR query LIKE 'LISTEN %')
                    ORDER BY random() LIMIT 1
                ) AS listener
                """
            let count = try await cluster.column(ended).count { $0 == "t" }
            try? await Task.sleep(for: .milliseconds(150))
            return count
        }

        /// Returns the time from the person's decision until the waiting client is told.
        private static func wait(for login: App.Login, of email: String, _ cluster: Cluster) async throws -> Duration {
            async let told = cluster.app.park(login)
            try await Task.sleep(for: .milliseconds(Int.random(in: 300...2000)))
            try await cluster.mock.decide(email, "accept")
            let decided = ContinuousClock.now
            let answer = try await told
            #expect(answer.status == .completed && answer.tokens != nil, "\(answer)")
            return ContinuousClock.now - decided
        }
    }
}
