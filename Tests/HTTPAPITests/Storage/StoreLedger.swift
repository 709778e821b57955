import GRDB
import Synchronization
import Telemetry

@testable import Assembly
@testable import Storage

/// What one step has cost the store.
struct StoreWork: Equatable, Sendable, CustomStringConvertible {
    let step: String
    /// Units of work.
    let units: Int
    /// Reads outside of one.
    let reads: Int
    /// Rows inserted, changed or deleted.
    let rows: Int
    /// What the writing connection ran, in order.
    let statements: [String]

    var description: String {
        "\(step): \(units) units, \(reads) reads, \(rows) rows\n  " + statements.joined(separator: "\n  ")
    }
}

/// Keeps count of what a daemon's store does, step by step; `metrics.enabled` has to be set.
final class StoreLedger: Sendable {
    private struct Totals {
        var units = 0
        var reads = 0
        var rows = 0
    }

    private struct State {
        var totals = Totals()
        var statements: [String] = []
        var works: [StoreWork] = []
    }

    private let state = Mutex(State())

    var works: [StoreWork] { state.withLock(\.works) }

    /// Counts from here.
    func open(_ harness: Harness) throws {
        try harness.database.pool.writeWithoutTransaction { database in
            database.trace { [self] event in
                guard case .statement(let statement) = event else { return }
                let sql = statement.sql
                state.withLock { $0.statements.append(sql) }
            }
        }
        let totals = try totals(harness)
        state.withLock { $0.totals = totals }
    }

    /// Books what was done since the last step.
    func book(_ step: String, _ harness: Harness) throws {
        let totals = try totals(harness)
        state.withLock { state in
            let work = StoreWork(
                step: step,
                units: totals.units - state.totals.units,
                reads: totals.reads - state.totals.reads,
                rows: totals.rows - state.totals.rows,
                statements: state.statements
            )
            state.works.append(work)
            state.totals = totals
            state.statements = []
        }
    }

    private func totals(_ harness: Harness) throws -> Totals {
        // First: behind whatever the writer still has to finish, its measuring included.
        let rows = try harness.database.pool.writeWithoutTransaction(\.totalChangesCount)
        let text = harness.composition.metrics?.text() ?? ""
        return Totals(
            units: Self.value("vestibule_store_commit_units_sum", in: text),
            reads: Self.value(#"vestibule_store_seconds_count{work="read"}"#, in: text),
            rows: rows
        )
    }

    private static func value(_ series: String, in text: String) -> Int {
        let line = text.split(separator: "\n").first { $0.hasPrefix(series + " ") }
        return line?.split(separator: " ").last.flatMap { Double($0) }.map { Int($0) } ?? 0
    }
}
