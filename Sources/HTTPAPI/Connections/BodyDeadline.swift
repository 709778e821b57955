package import NIOCore
package import NIOHTTPTypes

/// Bounds how long the body of a request may take to arrive, whether its route reads it or not.
///
/// The framework's idle timeout restarts with each byte: one byte now and then would hold a connection for ever.
/// Sources: OWASP, Denial of Service Cheat Sheet, "Slow HTTP"; RFC 9110 §15.5.9. A request that arrives whole in one
/// read, as nearly all do, starts no clock.
package final class BodyDeadline: ClockedHandler, ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    /// The error that the reader of the body gets after the bytes that have arrived.
    struct TimeoutError: Error {}

    private let time: TimeAmount
    private var isBodyComing = false
    private var isAnswered = false
    private var hasPassed = false

    /// - Parameter time: The longest time from the end of a request's header section to the end of its body.
    package init(_ time: TimeAmount) { self.time = time }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: isBodyComing = true
        case .body: break
        case .end:
            isBodyComing = false
            stopClock()
        }
        context.fireChannelRead(data)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        if isBodyComing, clock == nil, !hasPassed {
            clock = context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.pass(context) }
        }
        context.fireChannelReadComplete()
    }

    private func pass(_ context: ChannelHandlerContext) {
        clock = nil
        hasPassed = true
        // The request is already answered: no route waits for its body, so the connection closes.
        guard !isAnswered else { return context.close(promise: nil) }
        context.fireErrorCaught(TimeoutError())
    }

    /// Closes the whole connection instead of this server's side, if the deadline has passed.
    ///
    /// After its last answer the framework closes only this server's side, and waits for the client to close the other.
    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        isAnswered = true
        context.close(mode: hasPassed ? .all : .output, promise: promise)
    }
}
