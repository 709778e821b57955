package import NIOCore
import Operations

/// Notices that a connection's client has left while its request is being answered.
///
/// The framework notices this only when it writes the answer, which is too late for a waiting poll.
package final class PresenceHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    package typealias InboundIn = NIOAny
    package typealias InboundOut = NIOAny

    let presence = ClientPresence()

    package init() {}

    /// Counts a client that closes only its own side as gone: it can still read, and gets its answer at once.
    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { presence.leave() }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        presence.leave()
        context.fireChannelInactive()
    }
}
