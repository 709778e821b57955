import NIOCore
import NIOHTTPTypes

/// Answers requests that clients sent on kept connections before they could know that the server stops.
///
/// On a stop the framework closes idle connections at once, and a request that is still on its way is lost (RFC 9112
/// §9.6). This handler delays the framework's stop event by a moment, or until the next request, which is then still
/// answered.
final class LastRequests: ClockedHandler, ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let grace: TimeAmount
    private var isStopping = false

    /// - Parameter grace: How long to wait for requests that clients sent before the server began to stop.
    init(_ grace: TimeAmount) { self.grace = grace }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        guard !isStopping else { return }
        isStopping = true
        clock = context.eventLoop.assumeIsolated().scheduleTask(in: grace) { self.stop(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(data)
        if isStopping, clock != nil, case .head = unwrapInboundIn(data) { stop(context) }
    }

    /// Passes the stop event to the framework, which closes an idle connection at once, and a busy one after its
    /// answer.
    private func stop(_ context: ChannelHandlerContext) {
        isStopping = true
        stopClock()
        context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
}
