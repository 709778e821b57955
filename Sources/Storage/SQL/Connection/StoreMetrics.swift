package import CoreMetrics
package import Kernel

/// The metrics of the stores, through the swift-metrics API.
package struct StoreMetrics: Sendable {
    private let clock: any MonotonicClock
    private let groupSize: Recorder
    private let commit: CoreMetrics.Timer
    private let read: CoreMetrics.Timer
    private let reruns: Counter
    private let lanesBusy: Meter

    package init(_ factory: any MetricsFactory, clock: any MonotonicClock) {
        self.clock = clock
        groupSize = Recorder(label: "vestibule_store_commit_units", factory: factory)
        reruns = Counter(label: "vestibule_store_reruns_total", factory: factory)
        lanesBusy = Meter(label: "vestibule_store_lanes_busy", factory: factory)
        let timer = { (work: String) in
            CoreMetrics.Timer(label: "vestibule_store_seconds", dimensions: [("work", work)], factory: factory)
        }
        commit = timer("commit")
        read = timer("read")
    }

    /// Measures a group's commit.
    func committing<T>(_ units: Int, _ body: () throws -> T) rethrows -> T {
        let start = clock.now
        defer {
            commit.recordNanoseconds((clock.now - start).wholeNanoseconds)
            groupSize.record(Int64(units))
        }
        return try body()
    }

    /// Measures a read, including its wait for a connection.
    func reading<T>(_ body: () async throws -> T) async throws -> T {
        let start = clock.now
        defer { read.recordNanoseconds((clock.now - start).wholeNanoseconds) }
        return try await body()
    }

    /// Counts a transaction that is run again.
    func noteRerun() { reruns.increment() }

    /// Counts a connection as busy while `body` runs.
    func occupying(_ body: () -> Void) {
        lanesBusy.increment()
        defer { lanesBusy.decrement() }
        body()
    }
}
