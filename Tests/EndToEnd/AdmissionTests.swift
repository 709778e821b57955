import Synchronization
import Testing

extension EndToEnd {
    /// What the tests of this target stand on: a test that waits or is ended holds up nobody.
    struct Admissions {
        /// Who was let in, in order.
        private final class Order: Sendable {
            private let state = Mutex<[String]>([])

            var names: [String] { state.withLock { $0 } }

            func add(_ name: String) { state.withLock { $0.append(name) } }
        }

        @Test func `one that needs several places lets some pass, and not all`() async throws {
            let admission = Admission(capacity: 2)
            let order = Order()
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (held, release) = AsyncStream.makeStream(of: Void.self)
                group.addTask { try await admission.enter(places: 1) { for await _ in held {} } }
                try await eventually("a place is taken") { await admission.taken == 1 }
                group.addTask { try await admission.enter(places: 2) { order.add("both") } }
                try await eventually("one waits for both") { await admission.waiting == 1 }
                for _ in 0..<12 { try await admission.enter(places: 1) { order.add("one") } }
                group.addTask { try await admission.enter(places: 1) { order.add("late") } }
                try await eventually("a late one waits behind it") { await admission.waiting == 2 }
                release.finish()
                try await group.waitForAll()
            }
            #expect(order.names.suffix(2) == ["both", "late"])
            #expect(await admission.taken == 0)
        }

        @Test func `a test that is ended while it waits leaves the queue`() async throws {
            let admission = Admission(capacity: 1)
            try await admission.enter(places: 1) {
                let waits = Task { try await admission.enter(places: 1) { Issue.record("it was let in") } }
                try await eventually("it waits") { await admission.waiting == 1 }
                waits.cancel()
                await #expect(throws: CancellationError.self) { try await waits.value }
                #expect(await admission.waiting == 0)
            }
        }

        @Test func `a test that is ended while it starts a program is not held up by it`() async throws {
            let starts = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await RunningProgram.start("sleep", ["600"])
            }
            starts.cancel()
            let program = try await bounded(.seconds(60), "the start") { try await starts.value }
            await program.destroy()
            #expect(program.end == .killed(signal: 9))
        }
    }
}
