package import NIOCore

/// Closes a listener only when each connection that it accepted has been handed over.
///
/// An accepted connection goes to an event loop of its own and back, once for its options and once for its handlers. A
/// listener that closes in between drops it, and the process ends: NIOAsyncWriter has to be finished by its owner. So the
/// listener stops accepting first, waits until those event loops have done what was queued, and closes then. Clients that
/// come meanwhile are refused and connect again.
///
/// A connection that is handed over during the stop and asks for nothing is closed for its silence, or at the end of the
/// time that a stop may take.
package final class LastConnections: ChannelDuplexHandler {
    package typealias InboundIn = any Channel
    package typealias InboundOut = any Channel
    package typealias OutboundIn = Never

    /// The ways of a connection to its event loop and back, and one to spare.
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
