import NIOCore
import NIOHTTPTypes

/// Answers requests that clients sent on kept connections before they could know that the server stops.
///
/// The framework closes idle connections at once when it stops, and a request on its way there is lost (RFC 9112 §9.6).
/// So this handler tells it a moment later, or right behind the next request, which it then still answers.
final class LastRequests: ClockedHandler, ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let grace: TimeAmount
    private var isStopping = false

    /// - Parameter grace: The time for requests that were sent before the server began to stop.
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

    /// Tells the framework to stop: it closes the connection after its last answer, an idle one at once.
    private func stop(_ context: ChannelHandlerContext) {
        isStopping = true
        stopClock()
        context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
}
