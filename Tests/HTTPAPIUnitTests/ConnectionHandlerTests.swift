import HTTPTypes
import Kernel
import Logging
import MemoryStore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Testing

@testable import HTTPAPI

/// The ends of connections that are slow, too many, or idle at a stop; in time that the test moves.
struct ConnectionHandlerTests {
    /// A connection with all handlers that bytes pass.
    private struct Connection {
        let channel = EmbeddedChannel()

        init() throws {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(HTTPResponseEncoder())
            try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
            try pipeline.addHandler(
                RequestRulesInstaller(needsHost: true, headerTime: .seconds(10), readTime: .seconds(30))
            )
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }
        func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

        func answer(_ fields: [(String, String)] = []) throws {
            let headers = HTTPHeaders([("Content-Length", "0")] + fields)
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
            try channel.writeOutbound(HTTPServerResponsePart.head(head))
            try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        }
    }

    private static let request = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"

    // RFC 9110 §15.5.9; OWASP, Denial of Service Cheat Sheet.
    // T-229
    @Test func `attack: request headers that take ten seconds end the connection`() throws {
        let connection = try Connection()
        try connection.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n")
        for _ in 0..<9 {
            connection.pass(1)
            try connection.send("X-A: b\r\n")
        }
        #expect(connection.channel.isActive)
        connection.pass(1)
        #expect(!connection.channel.isActive)
    }

    // T-229
    @Test func `attack: the headers of a later request have ten seconds from their first byte`() throws {
        let connection = try Connection()
        try connection.send(Self.request)
        try connection.answer()
        connection.pass(60)
        #expect(connection.channel.isActive, "between two requests nothing is due")
        try connection.send("G")
        connection.pass(9)
        #expect(connection.channel.isActive)
        connection.pass(1)
        #expect(!connection.channel.isActive)
    }

    // T-229
    @Test func `a request that waits for its answer is never ended by the time of headers`() throws {
        let connection = try Connection()
        try connection.send(Self.request)
        connection.pass(60)
        #expect(connection.channel.isActive, "parked")
        // The beginning of the next request, behind it.
        try connection.send("GET /l")
        connection.pass(60)
        #expect(connection.channel.isActive)
        try connection.answer()
        connection.pass(10)
        #expect(!connection.channel.isActive)
    }

    // RFC 9112 §9.6.
    @Test func `who says in an answer that the connection is over closes it behind the answer`() throws {
        let connection = try Connection()
        for _ in 0..<2 {
            try connection.send(Self.request)
            try connection.answer()
            #expect(connection.channel.isActive)
        }
        try connection.send(Self.request)
        try connection.answer([("Connection", "close")])
        #expect(!connection.channel.isActive)
    }

    @Test func `requests that were written before it are answered, and the last answer alone says so`() throws {
        let connection = try Connection()
        for _ in 0..<3 { try connection.send(Self.request) }
        for number in 1...3 {
            #expect(connection.channel.isActive)
            try connection.answer([("Connection", "close")])
            var text = ""
            while let part = try connection.channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: part) }
            #expect(text.hasPrefix("HTTP/1.1 200"))
            #expect(text.lowercased().contains("connection: close") == (number == 3), "\(text)")
        }
        #expect(!connection.channel.isActive)
    }

    /// The number of written bytes that the client's system has not taken.
    private final class Unread { var bytes = 0 }

    // OWASP, Denial of Service Cheat Sheet, "Slow HTTP": slow read.
    // T-231
    @Test(arguments: [(600, 600, false), (60_000, 59_000, false), (60_000, 58_900, true), (600, 0, true)])
    func `attack: a client that reads under a kilobyte of waiting output in thirty seconds is disconnected`(
        _ sent: Int,
        _ left: Int,
        _ stays: Bool
    ) throws {
        let (channel, unread) = (EmbeddedChannel(), Unread())
        try channel.pipeline.syncOperations.addHandler(SlowReader(.seconds(30)) { _ in unread.bytes })
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        unread.bytes = sent
        try channel.writeOutbound(ByteBuffer(repeating: 0x78, count: sent))
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        unread.bytes = left
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(channel.isActive == stays)
    }

    // T-231
    @Test func `a stream whose client takes each event stays, and one that takes none does not`() throws {
        let (channel, unread) = (EmbeddedChannel(), Unread())
        try channel.pipeline.syncOperations.addHandler(SlowReader(.seconds(30)) { _ in unread.bytes })
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        for _ in 0..<20 {
            unread.bytes = 100
            try channel.writeOutbound(ByteBuffer(repeating: 0x78, count: 100))
            channel.embeddedEventLoop.advanceTime(by: .seconds(15))
        }
        #expect(channel.isActive, "a hundred bytes in each quarter of a minute, all of them taken")
        for _ in 0..<4 {
            unread.bytes += 100
            _ = try? channel.writeOutbound(ByteBuffer(repeating: 0x78, count: 100))
            channel.embeddedEventLoop.advanceTime(by: .seconds(15))
        }
        #expect(!channel.isActive)
    }

    // T-232
    @Test func `a stop answers what comes on a kept connection, and only then ends it`() throws {
        let channel = EmbeddedChannel()
        let quiesced = Quiesced()
        try channel.pipeline.syncOperations.addHandlers([LastRequests(.milliseconds(300)), quiesced])
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(200))
        #expect(quiesced.seen.isEmpty, "an idle connection is left open for a moment")
        try channel.writeInbound(HTTPRequestPart.head(.init(method: .get, scheme: nil, authority: nil, path: "/livez")))
        #expect(quiesced.seen == ["head", "stop"], "the request comes first")
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(quiesced.seen == ["head", "stop"], "and it is told once")
    }

    // T-232
    @Test func `an idle connection is ended a moment after the stop`() throws {
        let channel = EmbeddedChannel()
        let quiesced = Quiesced()
        try channel.pipeline.syncOperations.addHandlers([LastRequests(.milliseconds(300)), quiesced])
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(300))
        #expect(quiesced.seen == ["stop"])
    }

    private final class Quiesced: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart
        var seen: [String] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head = unwrapInboundIn(data) { seen.append("head") }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ChannelShouldQuiesceEvent { seen.append("stop") }
        }
    }
}

/// One address must not hold all connections.
struct ConnectionCountsTests {
    private let log = LogRecorder()

    private func counts(_ most: Int?, trusting proxies: [String] = []) throws -> ConnectionCounts {
        let trusted = ClientAddresses(trusting: try proxies.map { try AddressBlock($0) })
        return ConnectionCounts(most: most, trusted: trusted, spares: SpareFiles(), logger: log.logger)
    }

    private func address(_ text: String) throws -> SocketAddress { try SocketAddress(ipAddress: text, port: 9) }

    @Test func `attack: connections over an address's limit are refused, and a released one makes room`() throws {
        let counts = try counts(2)
        let (here, there) = (try address("192.0.2.1"), try address("192.0.2.2"))
        #expect(counts.admit(here) && counts.admit(here) && !counts.admit(here))
        #expect(counts.admit(there))
        counts.release(here)
        #expect(counts.admit(here) && !counts.admit(here))
        #expect(counts.totals == .init(open: 3, accepted: 4, refused: 2, pauses: 0))
        let line = try #require(log.lines.first { $0.level == .warning })
        #expect(line.metadata["address"] == "192.0.2.1" && line.message.contains("listen.maxConnectionsPerAddress"))
    }

    // RFC 6177: a single host is given a whole /64.
    @Test func `attack: connections from one IPv6 network count to one limit`() throws {
        let counts = try counts(2)
        for text in ["2001:db8::1", "2001:db8::2"] { #expect(try counts.admit(address(text))) }
        #expect(try !counts.admit(address("2001:db8::3")))
        #expect(try counts.admit(address("2001:db8:0:1::3")))
    }

    @Test func `trusted proxies, and sockets without an address, have as many as there are`() throws {
        let counts = try counts(1, trusting: ["10.0.0.0/8"])
        let proxy = try address("10.1.2.3")
        for _ in 0..<5 { #expect(counts.admit(proxy) && counts.admit(nil)) }
        #expect(counts.totals.open == 10)
        let unbounded = try self.counts(nil)
        for _ in 0..<5 { #expect(try unbounded.admit(address("192.0.2.1"))) }
    }

    /// Counts the reads that reach the listening socket.
    private final class Reads: ChannelOutboundHandler {
        typealias OutboundIn = Never
        var count = 0
        func read(context: ChannelHandlerContext) { count += 1 }
    }

    @Test func `while the system gives no files none is accepted, and both its ends are told`() throws {
        let (counts, reads) = (try counts(4), Reads())
        let server = EmbeddedChannel()
        try server.pipeline.syncOperations.addHandlers([reads, ConnectionGate(counts)])
        try server.connect(to: try address("192.0.2.1")).wait()
        let before = reads.count
        for _ in 0..<3 {
            server.pipeline.fireErrorCaught(IOError(errnoCode: 24, reason: "accept"))
            server.pipeline.read()
        }
        #expect(reads.count == before && counts.totals.pauses == 1)
        #expect(log.lines.filter { $0.level == .error }.count == 1)
        server.embeddedEventLoop.advanceTime(by: ConnectionGate.pause)
        #expect(reads.count == before + 1)
        #expect(log.lines.last?.message == "connections are accepted again")
        server.pipeline.read()
        #expect(reads.count == before + 2)
        server.pipeline.fireErrorCaught(IOError(errnoCode: 24, reason: "accept"))
        #expect(counts.totals.pauses == 2)
        server.embeddedEventLoop.advanceTime(by: ConnectionGate.pause)
        // The event of a check, with nobody connecting.
        for _ in 0..<2 { server.pipeline.fireUserInboundEventTriggered(ConnectionGate.FilesAreShort()) }
        server.pipeline.read()
        #expect(reads.count == before + 2 && counts.totals.pauses == 3)
        server.embeddedEventLoop.advanceTime(by: ConnectionGate.pause)
        #expect(reads.count == before + 3)
    }

    @Test func `files that are there are not short, nor are they where none is held`() {
        let spares = SpareFiles()
        #expect(!spares.areShort())
        spares.release()
        #expect(!spares.areShort() && spares.take() && !spares.areShort())
    }

    @Test func `the gate closes what may not stay, counts what leaves, and notices a want of files`() throws {
        let counts = try counts(1)
        let server = EmbeddedChannel(handler: ConnectionGate(counts))
        let (first, second) = (EmbeddedChannel(), EmbeddedChannel())
        for child in [first, second] { child.remoteAddress = try address("192.0.2.1") }
        server.pipeline.syncOperations.fireChannelRead(NIOAny(first as any Channel))
        server.pipeline.syncOperations.fireChannelRead(NIOAny(second as any Channel))
        #expect(counts.totals == .init(open: 1, accepted: 1, refused: 1, pauses: 0))
        #expect(try server.readInbound(as: (any Channel).self) === first)
        #expect(try server.readInbound(as: (any Channel).self) == nil)
        first.close(promise: nil)
        first.embeddedEventLoop.run()
        #expect(counts.totals.open == 0)
        server.pipeline.fireErrorCaught(IOError(errnoCode: 103, reason: "accept"))
        #expect(counts.totals.pauses == 0)
    }
}
