import CoreMetrics
import Kernel
import Testing

@testable import Storage

/// What the metrics of the stores say about PostgreSQL.
struct PostgresMetricsTests {
    @Test func `reruns are counted, and a connection is busy only while it works`() async throws {
        let metrics = RecordedMetrics()
        let fixture = try await PostgresFixture(
            poolSize: 1,
            metrics: StoreMetrics(metrics, clock: Environment.real.clock)
        )
        let (runs, busy) = (Collected<Int>(), Collected<Double>())
        try await fixture.unitOfWork.run { transaction in
            busy.add(metrics.sum("vestibule_store_lanes_busy"))
            guard runs.add(0) < 3 else { return }
            let again = "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40001'; END $$"
            try transaction.connection().change(again)
        }
        #expect(try await fixture.database.read { try $0.count("SELECT 7 AS count") } == 7)
        #expect(metrics.sum("vestibule_store_reruns_total") == 2)
        #expect(busy.all == [1, 1, 1])
        #expect(metrics.count("vestibule_store_seconds") == 2, "one unit and one read")
        fixture.database.close()
        #expect(metrics.sum("vestibule_store_lanes_busy") == 0)
    }
}

/// Keeps every value that is recorded.
private final class RecordedMetrics: MetricsFactory {
    private let values = Collected<(label: String, value: Double)>()

    func sum(_ label: String) -> Double { values.all.filter { $0.label == label }.reduce(0) { $0 + $1.value } }
    func count(_ label: String) -> Int { values.all.count { $0.label == label } }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { handler(label) }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { handler(label) }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { handler(label) }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        handler(label)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}

    private func handler(_ label: String) -> RecordingHandler {
        RecordingHandler { [values] in values.add((label, $0)) }
    }
}

private final class RecordingHandler: CounterHandler, MeterHandler, TimerHandler, RecorderHandler {
    private let note: @Sendable (Double) -> Void

    init(_ note: @escaping @Sendable (Double) -> Void) { self.note = note }

    func increment(by amount: Int64) { note(Double(amount)) }
    func increment(by amount: Double) { note(amount) }
    func decrement(by amount: Double) { note(-amount) }
    func set(_ value: Int64) { note(Double(value)) }
    func set(_ value: Double) { note(value) }
    func record(_ value: Int64) { note(Double(value)) }
    func record(_ value: Double) { note(value) }
    func recordNanoseconds(_ duration: Int64) { note(Double(duration)) }
    func reset() {}
}
