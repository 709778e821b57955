import Foundation
import NIOCore
import NIOHTTP1

/// One client: asks, waits, asks again when nothing changed, and notes when it was told of the end.
final class WaitingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let client: WaitingClient
    private let ledger: WakeLedger
    private var answer: [UInt8] = []
    private var isWaiting = false
    private var isTold = false

    init(_ client: WaitingClient, ledger: WakeLedger) {
        self.client = client
        self.ledger = ledger
    }

    func channelActive(context: ChannelHandlerContext) { ask(context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if head.status != .ok { ledger.fail("a waiting client was answered \(head.status)") }
        case .body(let part):
            answer += part.readableBytesView
            // A stream's first event says where the login stands: from then on it waits.
            if client.streams { look() }
        case .end:
            look()
            if !isTold { ask(context) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isTold { ledger.fail("a waiting client lost its connection: \(error)") }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isTold { ledger.fail("a waiting client was cut off") }
    }

    private func ask(_ context: ChannelHandlerContext) {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: client.path)
        head.headers.add(name: "Host", value: "localhost")
        head.headers.add(name: "User-Agent", value: client.userAgent)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        if !client.streams { waits() }
    }

    private func look() {
        if client.streams { waits() }
        if !isTold, answer.firstRange(of: client.ending) != nil {
            isTold = true
            ledger.told(client.login, at: ContinuousClock().now)
        }
        answer.removeAll(keepingCapacity: true)
    }

    private func waits() {
        guard !isWaiting else { return }
        isWaiting = true
        ledger.waits()
    }
}
