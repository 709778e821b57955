import Glibc
import Kernel
import PostgresServer
import Testing

@testable import Storage

/// Messages between daemons over a real server, by notifications and by a table.
struct PostgresFeedTests {
    private let database: TestPostgresDatabase

    init() async throws { database = try await PostgresServer.shared.migratedDatabase() }

    /// A feed that has begun to receive, with what it hears.
    private func feed(_ notices: PostgresNotices) async throws -> (feed: PostgresFeed, heard: Collected<FeedEvent>) {
        var options = database.options
        options.notices = notices
        let feed = PostgresFeed(options, environment: .tests)
        let heard = Collected<FeedEvent>()
        let events = feed.events()
        Task { for await event in events { heard.add(event) } }
        try await wait { feed.isLive }
        // Its own first batch has come back, so that it hears what others send from now on.
        try await Task.sleep(for: .milliseconds(100))
        return (feed, heard)
    }

    private func wait(_ condition: () async throws -> Bool) async throws {
        for _ in 0..<3000 {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("it did not come about within fifteen seconds")
    }

    private func message(_ number: Int64) -> FeedMessage {
        .changed(publicID: Digest256(sha256: "id \(number)"), seq: number)
    }

    @Test(arguments: PostgresNotices.allCases)
    func `every message reaches each other daemon once, in order, and not its sender`(
        _ notices: PostgresNotices
    ) async throws {
        let (first, ownHeard) = try await feed(notices)
        let (second, heard) = try await feed(notices)
        let (third, alsoHeard) = try await feed(notices)
        let messages = (1...2000).map { message($0) }
        for message in messages { first.announce(message) }
        for other in [heard, alsoHeard] {
            try await wait { other.all.filter { $0 != .gap }.count >= messages.count }
            #expect(other.all.filter { $0 != .gap } == messages.map { .message($0) })
        }
        #expect(ownHeard.all.filter { $0 != .gap }.isEmpty)
        for feed in [first, second, third] { feed.close() }
    }

    @Test(arguments: PostgresNotices.allCases)
    func `a daemon that loses its connection is a gap for others, one that stops in order is none`(
        _ notices: PostgresNotices
    ) async throws {
        let (first, heard) = try await feed(notices)
        let (second, _) = try await feed(notices)
        let before = heard.all.count
        for backend in try await PostgresServer.shared.backends(of: database.name) {
            try await database.run("SELECT pg_terminate_backend(\(backend), 5000)")
        }
        try await wait { heard.all.dropFirst(before).contains(.gap) }
        try await wait { first.isLive && second.isLive }
        try await Task.sleep(for: .milliseconds(500))
        second.announce(message(5))
        try await wait { heard.all.contains(.message(message(5))) }
        let then = heard.all.count
        second.close()
        try await Task.sleep(for: .seconds(5))
        #expect(!heard.all.dropFirst(then).contains(.gap))
        first.close()
    }

    @Test(arguments: PostgresNotices.allCases)
    func `the last message of a command whose connection is lost is sent on another one`(
        _ notices: PostgresNotices
    ) async throws {
        let (first, _) = try await feed(notices)
        let (second, heard) = try await feed(notices)
        let oldest = try #require(try await database.server.backends(of: database.name).first)
        try await database.server.signal("TERM", process: oldest)
        first.announce(message(1))
        #expect(first.close() == 0)
        try await wait { heard.all.contains(.message(message(1))) }
        second.close()
    }

    @Test(arguments: PostgresNotices.allCases)
    func `a feed whose server process stands still tells a gap, and receives again by another one`(
        _ notices: PostgresNotices
    ) async throws {
        let (first, heard) = try await feed(notices)
        let backends = try await PostgresServer.shared.backends(of: database.name)
        let backend = try #require(backends.first.flatMap { pid_t(exactly: $0) })
        #expect(kill(backend, SIGSTOP) == 0)
        defer { kill(backend, SIGCONT) }
        let before = heard.all.count
        try await wait { heard.all.dropFirst(before).contains(.gap) }
        // It has another connection by then, although the old server process still stands.
        try await wait { first.isLive }
        first.close()
    }

    @Test(arguments: PostgresNotices.allCases)
    func `a flood is cut into batches that the server takes, and a dropped message is a gap`(
        _ notices: PostgresNotices
    ) async throws {
        let (first, _) = try await feed(notices)
        let (second, heard) = try await feed(notices)
        let before = heard.all.count
        // Far more than is sent in the time that this takes.
        let flood = (1...100).map { message($0) }
        for _ in 0..<3000 { for message in flood { first.announce(message) } }
        try await wait { heard.all.dropFirst(before).contains(.gap) }
        #expect(heard.all.dropFirst(before).count < 300_000)
        first.close()
        second.close()
    }

    @Test func `attack: what others write into the channel is no message`() async throws {
        let (first, heard) = try await feed(.listen)
        for text in ["", "x", "a b c", "s 1 \(message(1).text)x", String(repeating: "9", count: 7000)] {
            try await database.run("SELECT pg_notify('vestibule', '\(text)')")
        }
        for _ in 0..<2 { try await database.run("SELECT pg_notify('vestibule', 'x \(Int64.max)')") }
        try await database.run("SELECT pg_notify('vestibule', 's 1 \(message(2).text)')")
        try await wait { heard.all.contains(.message(message(2))) }
        #expect(heard.all.filter { $0 != .gap } == [.message(message(2))])
        first.close()
    }

    @Test(arguments: PostgresNotices.allCases)
    func `a feed without a server tells gaps, and can be closed`(_ notices: PostgresNotices) async throws {
        let options = PostgresOptions(url: Secret("postgres://nobody@127.0.0.1:9/none"), notices: notices)
        let feed = PostgresFeed(options, environment: .tests)
        let heard = Collected<FeedEvent>()
        let events = feed.events()
        let listening = Task { for await event in events { heard.add(event) } }
        feed.announce(message(1))
        try await wait { heard.all.contains(.gap) }
        #expect(!feed.isLive)
        feed.close()
        await listening.value
    }
}
