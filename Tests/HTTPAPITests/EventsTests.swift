import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import Operations
import Settings
import Synchronization
import Testing
import Web
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The stream of server-sent events: the content of a poll, as it changes, and never a token.
struct EventsTests {
    @Test(arguments: ["", "/api"])
    func `the event stream has an event for every step and ends with the approval`(_ prefix: String) async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            async let stream = harness.send(.get, prefix + Self.path(login), login.bound)
            try await WaitTests.parked(harness, 1)
            try await harness.open(login)
            try await WaitTests.parked(harness, 1)
            try await harness.judge(.pending(.processing))
            try await WaitTests.parked(harness, 1)
            try await harness.judge(.approved)
            let answer = try await stream
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "text/event-stream")
            #expect(answer.headers[.cacheControl] == "no-store")
            let text = answer.text
            #expect(text.hasPrefix("retry: 2000\n\nid: 1\ndata: {\"hint\":\"created\",\"interval\":2,"))
            #expect(text.contains("\"hint\":\"processing\""))
            #expect(text.hasSuffix(",\"status\":\"completed\"}\n\n"))
            for secret in ["accessToken", "refreshToken", "user\":", "eyJ"] { #expect(!text.contains(secret)) }
            #expect(try harness.operation(login).state.name == .approved, "a stream collects nothing")
            let collected = try await harness.poll(login, login.bound).decode(PollLoginResponse.self)
            #expect(collected.tokens != nil)
        }
    }

    @Test func `a failure is told with its code, and ends the stream for good`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.open(login)
            async let stream = harness.send(.get, Self.path(login), login.bound)
            try await WaitTests.parked(harness, 1)
            try await harness.judge(.rejected(.declined))
            let text = try await stream.text
            #expect(text.contains("\"code\":\"declined\"") && text.contains("\"status\":\"failed\""))
            let last = try #require(Self.lastID(text))
            let again = try await harness.send(.get, Self.path(login), login.bound(and: last))
            #expect(again.status == .noContent, "else an event source would ask for ever")
            #expect(again.text.isEmpty)
            #expect(try await harness.send(.get, Self.path(login), login.bound).text.contains("declined"))
        }
    }

    @Test func `a stream with Last-Event-ID begins after that event`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            async let stream = harness.send(.get, Self.path(login), login.bound(and: "1"))
            try await WaitTests.parked(harness, 1)
            try await harness.send(.post, login.cancelPath, login.bound)
            let text = try await stream.text
            #expect(!text.contains("created") && text.contains("canceled"))
            for odd in ["99", "x", "-1", ""] {
                let answer = try await harness.send(.get, Self.path(login), login.bound(and: odd))
                #expect(answer.status == .ok && answer.text.contains("canceled"), "Last-Event-ID: \(odd)")
            }
        }
    }

    @Test func `silence is broken by a comment every 15 seconds`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let written = Written()
            let stream = Self.stream(harness, of: login)
            async let run: Void = stream.follow(written)
            try await written.reaches(2)
            for tick in 1...3 {
                try await WaitTests.parked(harness, 1)
                await harness.pass(.seconds(14))
                #expect(written.count == 1 + tick, "not yet")
                await harness.pass(.seconds(1))
                try await written.reaches(2 + tick)
            }
            harness.api.drain.drain()
            try await run
            #expect(written.last == ":\n\n")
        }
    }

    @Test(.ofOneDaemon(.ownHealth)) func `a stream reports an outage and its end at once`() async throws {
        try await Harness.run {
            $0.faceLogin.cadence.hot = .seconds(1)
            $0.faceLogin.cadence.cold = .seconds(1)
        } _: { harness in
            let opened = try await harness.start()
            try await harness.open(opened)
            let watched = try await harness.start("bob@example.com")
            let written = Written()
            let stream = Self.stream(harness, of: watched)
            async let run: Void = stream.follow(written)
            async let poll = harness.send(.get, opened.pollPath + "?wait=30", opened.bound)
            try await WaitTests.parked(harness, 2)
            harness.provider.fail(with: .unavailable(cause: "down"))
            for _ in 0..<2 { await harness.pass(.seconds(2)) }
            // All this takes less than the time between two heartbeats.
            await harness.pass(.seconds(1))
            try await written.reaches(3)
            #expect(written.last?.contains("\"hint\":\"provider_degraded\"") == true, "it has no scan of its own")
            try await WaitTests.parked(harness, 2)
            harness.provider.fail(with: nil)
            await harness.pass(.seconds(2))
            await harness.pass(.seconds(1))
            try await written.reaches(4)
            #expect(written.last?.contains("\"hint\":\"created\"") == true)
            try await WaitTests.parked(harness, 2)
            harness.api.drain.drain()
            try await run
            let answer = try await poll.decode(PollLoginResponse.self)
            #expect(answer.status == .pending && answer.seq == 3, "health is no change to a long poll")
        }
    }

    @Test(.ofOneDaemon(.ownHealth)) func `a stream reports a failed check of its own operation at once`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.open(login)
            let written = Written()
            let stream = Self.stream(harness, of: login)
            async let run: Void = stream.follow(written)
            try await WaitTests.parked(harness, 1)
            harness.provider.fail(with: .unavailable(cause: "down"))
            await harness.pass(.seconds(6))
            try await written.reaches(3)
            #expect(written.last?.contains("provider_degraded") == true, "at the first failure, which is no outage yet")
            harness.api.drain.drain()
            try await run
        }
    }

    @Test func `attack: the event stream without proof shows created and expired, whatever happens to the login`()
        async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start(isChallenged: true)
            async let stream = harness.send(.get, Self.path(login))
            try await WaitTests.parked(harness, 1)
            try await harness.open(login)
            try await WaitTests.parked(harness, 1)
            try await harness.judge(.approved)
            try await WaitTests.parked(harness, 1)
            for _ in 0..<13 {
                await harness.pass(.seconds(15))
            }
            let text = try await stream.text
            let events = text.split(separator: "\n").filter { $0.hasPrefix("data:") }
            #expect(events.count == 2 && text.contains("created") && text.contains("expired"), "\(text)")
        }
    }

    @Test func `an id that nobody was given is not found, and nothing is streamed`() async throws {
        try await Harness.run { harness in
            let unknown = "/auth/biometric-login/events/00000000-0000-4000-8000-000000000000"
            try harness.expect(try await harness.send(.get, unknown), is: "operation_not_found", 404)
        }
    }

    /// A stream of somebody who has the id alone.
    private static func stream(_ harness: Harness, of login: StartedLogin) -> EventStream {
        EventStream(
            following: Following(
                service: harness.composition.service,
                addresses: ClientAddresses(trusting: []),
                clock: harness.composition.environment.clock,
                drain: harness.api.drain,
                pollInterval: 2,
                bodyLimit: 0
            ),
            publicID: login.publicID,
            viewer: .caller(Caller(fingerprint: .zero)),
            seen: nil,
            kind: .login,
            texts: .english
        )
    }

    private static func path(_ login: StartedLogin) -> String {
        login.pollPath.replacing("/poll/", with: "/events/")
    }

    private static func lastID(_ text: String) -> String? {
        text.split(separator: "\n").last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }
}

extension StartedLogin {
    fileprivate func bound(and lastEventID: String) -> HTTPFields {
        var headers = bound
        headers[our: .lastEventID] = lastEventID
        return headers
    }
}

extension EventStream {
    @concurrent
    fileprivate func follow(_ written: Written) async throws {
        var writer: any ResponseBodyWriter = Pen(written: written)
        try await run(to: &writer)
    }
}

/// The output of an answer, piece by piece.
final class Written: Sendable {
    private let pieces = Mutex<[String]>([])

    var count: Int { pieces.withLock(\.count) }
    var last: String? { pieces.withLock(\.last) }
    func add(_ piece: String) { pieces.withLock { $0.append(piece) } }

    func reaches(_ count: Int) async throws {
        for _ in 0..<20_000 where self.count < count { try await Task.sleep(for: .milliseconds(2)) }
        try #require(self.count == count)
    }
}

struct Pen: ResponseBodyWriter {
    let written: Written

    mutating func write(_ buffer: ByteBuffer) async throws { written.add(String(buffer: buffer)) }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
