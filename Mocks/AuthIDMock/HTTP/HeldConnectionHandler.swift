import NIOCore

/// Tells ``HeldConnectionHandler`` that a request on this connection waits without an answer in sight.
struct ConnectionHeld: Sendable {}

/// Closes a held connection as soon as its client disconnects or the server is asked to stop.
///
/// Otherwise both would have to wait for the answer.
final class HeldConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = Any
    typealias OutboundIn = Any

    private var isHeld = false
    private var isOver = false

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is ConnectionHeld else {
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        isHeld = true
        promise?.succeed()
        if isOver { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        let isHalfClosed = (event as? ChannelEvent) == .inputClosed
        if isHalfClosed || event is ChannelShouldQuiesceEvent {
            isOver = true
            if isHeld { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        isHeld = false
        context.write(data, promise: promise)
    }
}

extension Channel {
    /// Returns after `duration`, or as soon as the connection is closed; `nil` waits for that alone.
    func hold(for duration: Duration?) async {
        try? await triggerUserOutboundEvent(ConnectionHeld()).get()
        guard let duration else {
            try? await closeFuture.get()
            return
        }
        let timer = eventLoop.scheduleTask(in: .milliseconds(Int64(duration / .milliseconds(1)))) {}
        closeFuture.whenComplete { _ in timer.cancel() }
        try? await timer.futureResult.get()
    }
}
