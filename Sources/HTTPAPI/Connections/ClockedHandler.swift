package import NIOCore

/// A channel handler with one scheduled task, which is cancelled when its connection closes.
package class ClockedHandler {
    final var clock: Scheduled<Void>?

    init() {}

    final func stopClock() {
        clock?.cancel()
        clock = nil
    }

    package final func channelInactive(context: ChannelHandlerContext) {
        stopClock()
        context.fireChannelInactive()
    }

    package final func handlerRemoved(context: ChannelHandlerContext) { stopClock() }
}
