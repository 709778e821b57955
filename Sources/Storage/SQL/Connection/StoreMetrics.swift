package import CoreMetrics
package import Kernel

/// The metrics of the stores, through the swift-metrics API.
package struct StoreMetrics: Sendable {
    private let clock: any MonotonicClock
    private let groupSize: Recorder
    private let commit: CoreMetrics.Timer
    private let read: CoreMetrics.Timer

    package init(_ factory: any MetricsFactory, clock: any MonotonicClock) {
        self.clock = clock
        groupSize = Recorder(label: "vestibule_store_commit_units", factory: factory)
        let timer = { (work: String) in
            CoreMetrics.Timer(label: "vestibule_store_seconds", dimensions: [("work", work)], factory: factory)
        }
        commit = timer("commit")
        read = timer("read")
    }

    /// Measures a group's commit.
    func committing(_ units: Int, _ body: () -> Void) {
        let start = clock.now
        body()
        commit.recordNanoseconds((clock.now - start).wholeNanoseconds)
        groupSize.record(Int64(units))
    }

    /// Measures a read, including its wait for a connection.
    func reading<T>(_ body: () async throws -> T) async throws -> T {
        let start = clock.now
        defer { read.recordNanoseconds((clock.now - start).wholeNanoseconds) }
        return try await body()
    }
}
