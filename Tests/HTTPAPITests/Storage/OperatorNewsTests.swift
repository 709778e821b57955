import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Logging
import MemoryStore
import Operations
import Settings
import Storage
import Telemetry
import Testing

@testable import Assembly
@testable import HTTPAPI

/// What operators are told of the store and the clock, in the log and in the metrics.
struct OperatorNewsTests {
    // T-261
    @Test(arguments: [true, false])
    func `a database that is deleted or replaced stops starts and readiness, and the log says what to do`(
        _ isReplaced: Bool
    ) async throws {
        try await Harness.run(.router, storage: .sqlite, { $0.metrics.enabled = true }) { harness in
            let path = harness.settings.storage.sqlite.path
            #expect(try await harness.send(.get, "/readyz").status == .ok)
            try FileManager.default.moveItem(atPath: path, toPath: path + ".kept")
            if isReplaced { try FileManager.default.copyItem(atPath: path + ".kept", toPath: path) }
            harness.time.advance(by: .seconds(2))
            let ready = try await harness.send(.get, "/readyz")
            #expect(ready.status == .serviceUnavailable)
            #expect(try ready.json()["store"] as? String == "unavailable")
            let start = try await harness.post(Harness.initiatePath, #"{"email":"ada@example.com"}"#)
            try harness.expect(start, is: "store_unavailable", 503)
            #expect(!start.text.contains(path))
            let line = try #require(harness.log.lines.first { $0.message.hasPrefix("the store can't be written") })
            #expect(line.level == .error)
            #expect(line.metadata["cause"]?.contains("\(path) was deleted or replaced") == true)
            #expect(line.metadata["cause"]?.contains("Stop the daemon, put the database back") == true)
            let text = try #require(harness.composition.metrics).text()
            #expect(!text.contains("vestibule_store_failed_commits_total{cause=\"unavailable\"} 0\n"))
            #expect(text.contains("vestibule_readiness_total{outcome=\"ready\"} 1\n"))
            #expect(text.contains("vestibule_readiness_total{outcome=\"unavailable\"} 1\n"))

            if isReplaced { try FileManager.default.removeItem(atPath: path) }
            try FileManager.default.moveItem(atPath: path + ".kept", toPath: path)
            harness.time.advance(by: .seconds(2))
            #expect(try await harness.send(.get, "/readyz").status == .ok)
            let news = try #require(harness.log.lines.first { $0.message == "the store can be written again" })
            #expect(news.level == .notice && news.metadata["failedCommits"].flatMap { Int($0) } ?? 0 >= 2)
        }
    }

    @Test func `the store's files, the clock and the process have their metrics`() async throws {
        try await Harness.run(.router, storage: .sqlite, { $0.metrics.enabled = true }) { harness in
            let text = try #require(harness.composition.metrics).text()
            #expect(harness.composition.metrics?.refused == [])
            func value(_ series: String) -> Double? {
                text.split(separator: "\n").first { $0.hasPrefix(series + " ") }?.split(separator: " ").last
                    .flatMap { Double($0) }
            }
            for series in [
                "vestibule_store_commit_units_count", #"vestibule_store_bytes{file="database"}"#,
                #"vestibule_store_bytes{file="wal"}"#,
                "process_open_fds", "process_max_fds", "process_resident_memory_bytes",
                "process_virtual_memory_bytes", "process_cpu_seconds_total", "process_start_time_seconds",
            ] {
                #expect(value(series) ?? 0 > 0, "\(series)")
            }
            #expect(value("vestibule_store_damaged") == 0)
            #expect(value("vestibule_clock_believed") == 0, "nothing speaks for it in a new database")
            #expect(value(#"vestibule_store_failed_commits_total{cause="corrupt"}"#) == 0)
        }
    }

    @Test func `the metric clock_believed follows the clock at each scrape`() async throws {
        try await Harness.run(.router, storage: .sqlite, { $0.metrics.enabled = true }) { harness in
            let metrics = try #require(harness.composition.metrics)
            // From here on the wall clock goes with the monotonic one, for as long as is asked.
            #expect(metrics.text().contains("\nvestibule_clock_believed 0\n"))
            harness.time.advance(by: SteadyClock.proof)
            #expect(metrics.text().contains("\nvestibule_clock_believed 1\n"))
            harness.time.stepWall(by: .seconds(3 * 86_400))
            #expect(metrics.text().contains("\nvestibule_clock_believed 0\n"), "before any sweep")
            harness.time.stepWall(by: .zero - .seconds(3 * 86_400))
            #expect(metrics.text().contains("\nvestibule_clock_believed 1\n"))
        }
    }
}
