import Kernel
import Logging
import MemoryStore
import Testing

@testable import Vestibule

/// What the daemon tells operators of the machine's clock.
struct ClockWatchTests {
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
    @Test func `attack: the operator log writes each cause once and remembers a bounded number`() {
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
