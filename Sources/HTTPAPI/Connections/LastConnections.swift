package import NIOCore

/// Delays the closing of a listener until each accepted connection has its handlers.
///
/// An accepted connection visits its own event loop twice: once to set its options, once to add its handlers. A
/// listener that closes in between drops the connection unfinished, and NIOAsyncWriter then ends the process. So the
/// listener first stops accepting, then waits until those event loops have done their queued work, then closes. Clients
/// that connect meanwhile are refused and connect again.
///
/// A connection that becomes ready during the stop and sends no request is closed by its idle timeout, or at the
/// shutdown deadline.
package final class LastConnections: ChannelDuplexHandler {
    package typealias InboundIn = any Channel
    package typealias InboundOut = any Channel
    package typealias OutboundIn = Never

    /// The two visits of a connection to its event loop, and one in reserve.
    private static let rounds = 3

    private var eventLoops: [ObjectIdentifier: any EventLoop] = [:]
    private var isClosing = false

    package init() {}

    /// Adds the handler to the pipeline of a listening channel.
    package static func handOver(from listener: any Channel) async throws {
        try await listener.eventLoop.submit {
            try listener.pipeline.syncOperations.addHandler(LastConnections(), position: .first)
        }.get()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let eventLoop = unwrapInboundIn(data).eventLoop
        eventLoops[ObjectIdentifier(eventLoop)] = eventLoop
        context.fireChannelRead(data)
    }

    package func read(context: ChannelHandlerContext) {
        guard !isClosing else { return }
        context.read()
    }

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard !isClosing, mode == .all else { return context.close(mode: mode, promise: promise) }
        isClosing = true
        let accepted = Array(eventLoops.values)
        var queued = context.channel.setOption(.autoRead, value: false)
        for _ in 0..<Self.rounds {
            queued = queued.flatMapWithEventLoop { _, eventLoop in
                EventLoopFuture.andAllComplete(accepted.map { $0.submit {} }, on: eventLoop)
            }
        }
        queued.assumeIsolated().whenComplete { _ in context.close(mode: mode, promise: promise) }
    }
}
