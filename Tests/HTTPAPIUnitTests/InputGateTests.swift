import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPAPI

/// Bytes behind the last request, which the decoder would keep without a bound (OWASP, Denial of Service Cheat Sheet).
struct InputGateTests {
    /// Counts the reads that reach the decoder.
    private final class Counter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        var bytes = 0

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            bytes += unwrapInboundIn(data).readableBytes
            context.fireChannelRead(data)
        }
    }

    static let last = [
        "an upgrade": "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
        "a tunnel": "CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n\r\n",
        "the end": "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    ]

    /// The number of sent bytes that reach the decoder of one connection.
    private static func decoded(of sent: [ByteBuffer]) throws -> Int {
        let (channel, counter) = (EmbeddedChannel(), Counter())
        let decoder = ByteToMessageHandler(HTTPRequestDecoder())
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(decoder)
        try pipeline.addHandler(
            RequestRulesInstaller(needsHost: true, headerTime: .seconds(10), readTime: .seconds(30))
        )
        try pipeline.addHandler(counter, position: .before(decoder))
        for buffer in sent { try channel.writeInbound(buffer) }
        _ = try channel.finish(acceptAlreadyClosed: true)
        return counter.bytes
    }

    // T-228
    @Test(arguments: last.keys.sorted())
    func `attack: bytes after the last request of a connection are not kept`(_ name: String) throws {
        let request = ByteBuffer(string: try #require(Self.last[name]))
        let flood = Array(repeating: ByteBuffer(repeating: 0x78, count: 65_536), count: 16)
        let decoded = try Self.decoded(of: [request] + flood)
        #expect(decoded == request.readableBytes)
    }

    @Test func `a request that others may follow leaves the gate open`() throws {
        let request = ByteBuffer(string: "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let decoded = try Self.decoded(of: [request, request, request])
        #expect(decoded == 3 * request.readableBytes)
    }
}
