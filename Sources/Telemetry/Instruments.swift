import CoreMetrics
import Synchronization

/// A number that only grows, by one atomic addition at a time.
final class CounterInstrument: CounterHandler {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    func increment(by amount: Int64) {
        // A scraper takes a counter that goes down for a restart of the process.
        guard amount > 0 else { return }
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    /// Does nothing: scrapers compute the rate themselves, so counters never start again.
    func reset() {}
}

/// A number that goes up and down.
final class GaugeInstrument: MeterHandler, RecorderHandler {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }

    private func add(_ amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (isDone, current) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if isDone { return }
            old = current
        }
    }
}

/// Counts the observations in each bucket, and sums them: two atomic additions per observation.
///
/// Values are kept as integers (nanoseconds for durations), so that the sum is one atomic addition without a retry
/// loop.
final class HistogramInstrument: TimerHandler, RecorderHandler {
    /// The values for a scrape: the count of each bucket, the one above all bounds last, and the sum in the family's
    /// unit.
    struct Reading {
        let counts: [UInt64]
        let sum: Double
    }

    private final class Cell: Sendable {
        let count = Atomic<UInt64>(0)
    }

    /// The upper ends of the buckets, in integer units.
    private let bounds: [Int64]
    private let cells: [Cell]
    private let total = Atomic<Int64>(0)
    private let unitsPerOne: Double

    /// `unitsPerOne`: The number of integer units in one unit of `bounds`.
    init(bounds: [Double], unitsPerOne: Double) {
        self.bounds = bounds.map { Int64(($0 * unitsPerOne).rounded()) }
        self.unitsPerOne = unitsPerOne
        cells = (0...bounds.count).map { _ in Cell() }
    }

    var reading: Reading {
        Reading(
            counts: cells.map { $0.count.load(ordering: .relaxed) },
            sum: Double(total.load(ordering: .relaxed)) / unitsPerOne
        )
    }

    func recordNanoseconds(_ duration: Int64) { observe(duration) }
    func preferDisplayUnit(_ unit: TimeUnit) {}
    func record(_ value: Int64) { observe(value) }
    func record(_ value: Double) { if value.isFinite, value.magnitude < 1e18 { observe(Int64(value.rounded())) } }

    private func observe(_ units: Int64) {
        // A stopped clock gives zero. A negative value would make the sum shrink.
        let units = max(0, units)
        var bucket = 0
        while bucket < bounds.count, units > bounds[bucket] { bucket += 1 }
        cells[bucket].count.wrappingAdd(1, ordering: .relaxed)
        total.wrappingAdd(units, ordering: .relaxed)
    }
}
