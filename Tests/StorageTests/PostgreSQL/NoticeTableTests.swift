import Kernel
import PostgresServer
import Synchronization
import Testing

@testable import Storage

/// The table of messages for servers without LISTEN.
struct NoticeTableTests {
    private let database: TestPostgresDatabase

    init() async throws { database = try await PostgresServer.shared.migratedDatabase() }

    /// A table on a connection of its own, with that connection.
    private func table() throws -> (table: NoticeTable, connection: PostgresConnection) {
        let connection = try PostgresConnection(database.options, clock: Environment.tests.clock)
        return (NoticeTable(connection, clock: Environment.tests.clock), connection)
    }

    private func batch(_ sender: String, _ number: Int64) -> FeedBatch {
        FeedBatch(sender: sender, number: number, messages: [.revoked(Environment.tests.newUUID())])
    }

    private func sender() -> String { Environment.tests.newUUID().description }

    /// Asks once, after the pause between two questions.
    private func ask(_ table: NoticeTable) throws -> [String] {
        try table.receive(until: WakeUp(), within: NoticeTable.pause * 2)
    }

    @Test func `a reader gets what is sent after it has begun, each batch once and a sender's in order`() throws {
        let ((reader, _), (other, _)) = (try table(), try table())
        let (first, second) = (sender(), sender())
        try other.send(batch(first, 1))
        try reader.begin()
        let sent = [batch(first, 2), batch(first, 3), batch(second, 1)]
        for batch in sent { try other.send(batch) }
        #expect(try ask(reader).sorted() == sent.map(\.text).sorted())
        #expect(try ask(reader).isEmpty)
        let more = (4...500).map { batch(first, $0) }
        for batch in more { try other.send(batch) }
        var read: [String] = []
        for _ in 0..<4 where read.count < more.count { read += try ask(reader) }
        #expect(read == more.map(\.text), "more than one answer holds")
    }

    // T-097
    @Test func `attack: a row whose transaction began earlier and is committed later is read, however late`() throws {
        let ((reader, _), (other, _), (late, transaction)) = (try table(), try table(), try table())
        let (first, second) = (sender(), sender())
        try other.send(batch(second, 1))
        try reader.begin()
        transaction.begin(.migration)
        let (lateFirst, lateNext) = (batch(first, 1), batch(second, 2))
        try late.send(lateFirst)
        // Another reader begins, and others' rows are read, while the late ones can't be seen.
        let (alsoReader, _) = try table()
        try alsoReader.begin()
        let early = (1...3).map { batch(sender(), $0) }
        for batch in early { try other.send(batch) }
        for reader in [reader, alsoReader] { #expect(try ask(reader).count == early.count) }
        try late.send(lateNext)
        for reader in [reader, alsoReader] { #expect(try ask(reader).isEmpty) }
        try transaction.commit()
        for reader in [reader, alsoReader] {
            #expect(try ask(reader).sorted() == [lateFirst.text, lateNext.text].sorted())
            #expect(try ask(reader).isEmpty)
        }
    }

    // T-097
    @Test func `attack: a row that its sender gave up, and that is committed after its next one, is noticed as a gap`()
        throws
    {
        let ((reader, _), (other, _), (late, transaction)) = (try table(), try table(), try table())
        let (name, now) = (sender(), Environment.tests.clock.now)
        try reader.begin()
        var senders = FeedSenders()
        try other.send(batch(name, 1))
        transaction.begin(.migration)
        try late.send(batch(name, 2))
        #expect(try ask(reader).compactMap { FeedBatch($0) }.map { senders.note($0, at: now) } == [true])
        try other.send(batch(name, 3))
        #expect(try ask(reader).compactMap { FeedBatch($0) }.map { senders.note($0, at: now) } == [false])
        try transaction.commit()
        #expect(try ask(reader).isEmpty)
    }

    @Test func `attack: what others write into the table stops no reader, and counts only under a sender's name`()
        async throws
    {
        let (reader, _) = try table()
        try reader.begin()
        let name = sender()
        let texts = ["", "x", "a b c", name, "\(name) 9 k"]
        for (place, text) in texts.enumerated() { try await insert(name, Int64(place + 1), text) }
        for other in ["", "x,y 7", "a b", "\(name.prefix(8)), 1"] { try await insert(other, .max, "\(name) 10 k") }
        #expect(try ask(reader) == texts)
        for _ in 0..<2 { #expect(try ask(reader).isEmpty) }
        try await insert(name, .max, "y")
        #expect(try ask(reader) == ["y"])
        for _ in 0..<2 { #expect(try ask(reader).isEmpty) }
    }

    private func insert(_ sender: String, _ number: Int64, _ text: String, age: Int64 = 0) async throws {
        let now = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"
        try await database.run("INSERT INTO notices VALUES ('\(sender)', \(number), '\(text)', \(now) - \(age))")
    }

    @Test func `rows are deleted after a minute, by any of the readers, and not before`() async throws {
        let readers = [try table().table, try table().table]
        for reader in readers { try reader.begin() }
        let name = sender()
        for (number, age) in [(1, 3_600_000), (2, 61_000), (3, 30_000), (4, 0)] as [(Int64, Int64)] {
            try await insert(name, number, "x", age: age)
        }
        for reader in readers { #expect(try ask(reader) == ["x", "x"]) }
        #expect(try await database.run("SELECT number FROM notices ORDER BY number") == [["3"], ["4"]])
    }

    @Test func `rows that have become old since the last deletion are deleted with the next one`() async throws {
        let (_, connection) = try table()
        let clock = StillClock()
        let reader = NoticeTable(connection, clock: clock)
        try reader.begin()
        let name = sender()
        for number: Int64 in 1...3 {
            try await insert(name, number, "x", age: 61_000)
            #expect(try reader.receive(until: WakeUp(), within: .zero).count == (number == 2 ? 1 : 0))
            // Two of them before the next deletion.
            clock.advance(by: .seconds(number == 1 ? 9 : 1))
        }
        #expect(try await database.run("SELECT number FROM notices").isEmpty)
    }

    @Test func `a row is sent without a change of the connection's settings`() async throws {
        let (table, connection) = try table()
        try table.send(batch(sender(), 1))
        let setting = try SQLConnection(connection).first("SELECT current_setting('synchronous_commit') AS word") {
            try $0.text("word")
        }
        let usual = try await database.run("SHOW synchronous_commit")
        #expect(usual == [[setting]])
    }

    @Test func `the table is asked only after the pause, however often its reader is woken`() throws {
        let (other, connection) = try table()
        let clock = StillClock()
        let reader = NoticeTable(connection, clock: clock)
        try reader.begin()
        let (wake, sent) = (WakeUp(), batch(sender(), 1))
        #expect(try reader.receive(until: wake, within: .zero).isEmpty)
        try other.send(sent)
        for _ in 0..<5 {
            wake.signal()
            #expect(try reader.receive(until: wake, within: .milliseconds(20)).isEmpty)
        }
        clock.advance(by: NoticeTable.pause - .milliseconds(1))
        #expect(try reader.receive(until: wake, within: .milliseconds(20)).isEmpty)
        clock.advance(by: .milliseconds(1))
        #expect(try reader.receive(until: wake, within: .milliseconds(20)) == [sent.text])
    }
}

/// A clock that a test moves.
private final class StillClock: MonotonicClock {
    private let time = Mutex(Uptime(nanoseconds: 0))

    var now: Uptime { time.withLock(\.self) }

    func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }

    func sleep(until deadline: Uptime) async throws { throw CancellationError() }
}
