import Foundation
import Glibc
import Outbound
import Synchronization
import Testing
import Wire

extension EndToEnd {
    /// The daemon is asked to stop.
    @Suite struct Shutdown {
        /// The longest time of a stop while only polls are parked.
        ///
        /// Anything else would be cut off after listen.drainTimeout, which is twenty seconds.
        private static let bound: Duration = .seconds(15)
        private static let metrics = ["metrics.enabled=true", "metrics.port=0"]

        @Test func `signals that mean something to other daemons do not end this one`() async throws {
            try await Fixture.run { fixture in
                for signal in [SIGUSR1, SIGUSR2] { fixture.daemon.program?.send(signal: signal) }
                let ready = try await fixture.web.send(.get, "\(fixture.daemon.url)/readyz")
                #expect(ready.status == 200)
                #expect(try await fixture.daemon.stop() == .exited(0))
            }
        }

        // T-235
        @Test(arguments: [("SIGTERM", SIGTERM), ("SIGINT", SIGINT)])
        func `parked polls are answered, and the daemon ends in order`(name: String, signal: Int32) async throws {
            try await Fixture.run(Self.metrics, people: ["ada@example.com"]) { fixture in
                let login = try await fixture.app.begin("ada@example.com")
                try await fixture.app.waitFor(hint: "user_in_provider", login)
                let app = fixture.app
                async let parked = app.poll(login, wait: 30)
                try await Self.isParked(fixture)

                let start = ContinuousClock.now
                let end = try await fixture.daemon.stop(signal)
                let time = ContinuousClock.now - start
                let answer = try await parked
                #expect(end == .exited(0), "\(name)")
                #expect(time < Self.bound, "\(name): \(time)")
                #expect(answer.status == .pending && answer.hint == "user_in_provider")
                let port = fixture.daemon.port
                #expect(throws: ExpectationError.self) { _ = try RawConnection(port: port) }

                // Operations in progress continue with the next daemon.
                try await fixture.daemon.start()
                try await fixture.mock.decide("ada@example.com", "accept")
                #expect(try await fixture.app.follow(login).status == .completed)
            }
        }

        // A connection that arrives while the listener closes has no owner: the process ended by a signal.
        // T-235
        @Test(arguments: 1...3)
        func `attack: the daemon stops cleanly while clients connect without pause`(_: Int) async throws {
            try await Fixture.run(["limits.off=true", "listen.drainNotice=0s"]) { fixture in
                let port = fixture.daemon.port
                let connections = Connections()
                // Threads of their own: connecting blocks, and the tests' pool has two.
                for _ in 0..<8 { Thread.detachNewThread { connections.openMore(to: port) } }
                try await eventually("a hundred connections") { connections.count.withLock { $0 > 100 } }
                #expect(try await fixture.daemon.stop() == .exited(0))
            }
        }

        @Test func `a poll that is parked is answered when the verdict comes`() async throws {
            try await Fixture.run(Self.metrics, people: ["ada@example.com"]) { fixture in
                let login = try await fixture.app.begin("ada@example.com")
                try await fixture.app.waitFor(hint: "user_in_provider", login)
                let app = fixture.app
                let start = ContinuousClock.now
                async let parked = app.poll(login, wait: 30)
                try await Self.isParked(fixture)
                try await fixture.mock.decide("ada@example.com", "accept")
                #expect(try await parked.status == .completed)
                #expect(ContinuousClock.now - start < .seconds(29), "not at the end of its thirty seconds")
            }
        }

        private final class Connections: Sendable {
            let count = Mutex(0)

            /// Opens connections and closes them, every second one after a request, until the daemon has gone.
            func openMore(to port: Int) {
                var isAsking = false
                while let connection = try? RawConnection(port: port) {
                    isAsking.toggle()
                    if isAsking { try? connection.send("GET", "/livez", [:]) }
                    count.withLock { $0 += 1 }
                }
            }
        }

        /// Returns once a poll has been sent and is parked.
        private static func isParked(_ fixture: Fixture) async throws {
            let program = try #require(fixture.daemon.program)
            let line = try await program.line(beginning: "vestibule metrics on ")
            let metrics = String(try #require(line.split(separator: " ").last))
            try await eventually("a parked poll") {
                try await fixture.web.send(.get, metrics).text.contains("\nvestibule_waiters_parked 1\n")
            }
        }
    }
}
