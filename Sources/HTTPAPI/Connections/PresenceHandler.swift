package import NIOCore
import Operations

/// Notices that a connection's client has gone away, while its request is being answered.
///
/// The framework only finds that out when it writes the answer: too late for a poll that waits.
package final class PresenceHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    package typealias InboundIn = NIOAny
    package typealias InboundOut = NIOAny

    let presence = ClientPresence()

    package init() {}

    /// A client that closes its side alone, and still reads, is told what there is at once.
    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { presence.leave() }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        presence.leave()
        context.fireChannelInactive()
    }
}
