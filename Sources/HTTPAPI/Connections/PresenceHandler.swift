package import NIOCore
import Operations

/// Notices that a connection's client has left while its request is being answered.
///
/// The framework notices only when it writes the answer: too late for a poll that waits.
package final class PresenceHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    package typealias InboundIn = NIOAny
    package typealias InboundOut = NIOAny

    let presence = ClientPresence()

    package init() {}

    /// Notes the leaving of a client that closes only its own side: it still reads, and gets its answer at once.
    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { presence.leave() }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        presence.leave()
        context.fireChannelInactive()
    }
}
