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

@testable import HTTPAPI
@testable import Vestibule

/// What operators are told of the store, the clock and repeated faults, in the log and in the metrics.
struct OperatorNewsTests {
    // T-261
    @Test(arguments: [true, false])
    func `a database that is deleted or replaced stops starts and readiness, and the log says what to do`(
        _ isReplaced: Bool
    ) async throws {
        try await Harness.run(.router, { $0.metrics.enabled = true }) { harness in
            let path = harness.settings.storage.path
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
        try await Harness.run(.router, { $0.metrics.enabled = true }) { harness in
            let text = try #require(harness.composition.metrics).text()
            #expect(harness.composition.metrics?.refused == [])
            func value(_ series: String) -> Double? {
                text.split(separator: "\n").first { $0.hasPrefix(series + " ") }?.split(separator: " ").last
                    .flatMap { Double($0) }
            }
            for series in [
                #"vestibule_store_bytes{file="database"}"#, #"vestibule_store_bytes{file="wal"}"#,
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

    @Test func `a clock that is not believed shows as soon as somebody scrapes`() async throws {
        try await Harness.run(.router, { $0.metrics.enabled = true }) { harness in
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

    @Test func `a clock that is stepped is told at once, and drift is not`() throws {
        let (time, log) = (VirtualTime(), LogRecorder())
        let watch = ClockWatch(environment: time.environment(), logger: log.logger)
        var last = watch.reading
        time.advance(by: .seconds(10))
        last = watch.look(since: last)
        time.stepWall(by: .milliseconds(1500))
        last = watch.look(since: last)
        #expect(log.lines.isEmpty)
        for seconds in [-60, 900] {
            time.stepWall(by: .seconds(seconds))
            last = watch.look(since: last)
            #expect(log.lines.last?.message == "the clock was stepped")
            #expect(log.lines.last?.level == .warning && log.lines.last?.metadata["seconds"] == "\(seconds)")
        }
        #expect(log.lines.count == 2)
    }
}

/// One cause fills neither the log nor the disk under it.
struct DeduplicatingLogTests {
    private let time = VirtualTime()
    private let log = LogRecorder()
    private let lines = RepeatedLines()
    private let logger: Logger

    init() {
        let (log, lines, clock) = (log, lines, time.environment().clock)
        logger = Logger(label: "test") { _ in DeduplicatingLogHandler(log.handler, lines: lines, clock: clock) }
    }

    @Test func `a warning of one cause is written once in ten seconds, and then with a count`() {
        for number in 0..<1000 {
            logger.warning("it failed", metadata: ["cause": "disk", "request": "\(number)"])
        }
        logger.warning("it failed", metadata: ["cause": "net"])
        logger.error("it failed", metadata: ["cause": "disk"])
        logger.warning("another", metadata: ["cause": "disk"])
        #expect(log.lines.map(\.message) == ["it failed", "it failed", "it failed", "another"])
        time.advance(by: RepeatedLines.quiet)
        logger.warning("it failed", metadata: ["cause": "disk", "request": "x"])
        #expect(log.lines.last?.metadata["repeated"] == "999")
        #expect(log.lines.last?.metadata["request"] == "x")
    }

    @Test func `what was held back is written when nothing more comes`() {
        for _ in 0..<5 { logger.warning("it failed", metadata: ["cause": "disk"]) }
        let clock = time.environment().clock
        lines.flush(at: clock.now)
        #expect(log.lines.count == 1, "not before its time")
        time.advance(by: RepeatedLines.quiet)
        lines.flush(at: clock.now)
        #expect(log.lines.count == 2 && log.lines.last?.metadata["repeated"] == "3")
        time.advance(by: RepeatedLines.quiet)
        lines.flush(at: clock.now)
        #expect(log.lines.count == 2)
    }

    @Test func `what is no warning is written each time`() {
        for _ in 0..<5 { logger.info("request") }
        #expect(log.lines.count == 5)
    }

    // CWE-400: causes that somebody makes up must not become memory, nor take the calm from a real one.
    @Test func `attack: causes without end are written once each, and only the newest are remembered`() {
        let most = RepeatedLines.most
        for number in 0..<2 * most { logger.warning("it failed", metadata: ["cause": "\(number)"]) }
        #expect(log.lines.count == 2 * most && lines.count == most)
        for _ in 0..<1000 { logger.error("the disk is full", metadata: ["cause": "disk"]) }
        #expect(log.lines.count == 2 * most + 1, "the first line of a new cause, and no other")
        logger.warning("it failed", metadata: ["cause": "\(2 * most - 1)"])
        #expect(log.lines.count == 2 * most + 1)
        logger.warning("it failed", metadata: ["cause": "0"])
        #expect(log.lines.count == 2 * most + 2, "the oldest were forgotten")
        #expect(lines.count == most)
    }

    @Test func `a cause that others push out says how often it came`() {
        for _ in 0..<5 { logger.warning("it failed", metadata: ["cause": "disk"]) }
        time.advance(by: .seconds(1))
        for number in 0..<RepeatedLines.most { logger.warning("it failed", metadata: ["cause": "\(number)"]) }
        let told = log.lines.filter { $0.metadata["cause"] == "disk" }
        #expect(told.count == 2 && told.last?.metadata["repeated"] == "3")
    }
}
