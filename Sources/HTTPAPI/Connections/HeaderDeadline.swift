import NIOCore

/// Bounds how long the header section of a request may take to arrive.
///
/// The framework's idle timeout restarts with each byte: one byte now and then would hold a connection for ever.
/// Sources: OWASP, Denial of Service Cheat Sheet, "Slow HTTP" (slow headers); RFC 9110 §15.5.9. For the first request
/// the time runs from the start of the connection and includes a TLS handshake. For a further request it runs from its
/// first byte. No time runs between two requests, or while a request is being answered.
final class HeaderDeadline: ClockedHandler, ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let time: TimeAmount
    private var isBodyComing = false
    private var hasMoved = false
    private var unanswered = 0

    /// - Parameter time: The longest time for a header section to arrive.
    init(_ time: TimeAmount) { self.time = time }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { startClock(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        startClock(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasMoved = false
        // The decoder behind this handler parses the bytes and calls ``headArrived()`` before this call returns.
        context.fireChannelRead(data)
        if !hasMoved, !isBodyComing { startClock(context) }
    }

    /// Notes that a whole header section has arrived.
    func headArrived() {
        hasMoved = true
        isBodyComing = true
        unanswered += 1
        stopClock()
    }

    /// Notes that the end of a request has arrived.
    func requestEnded() {
        hasMoved = true
        isBodyComing = false
    }

    /// Notes that a request was answered to the end.
    func requestAnswered() { unanswered = max(0, unanswered - 1) }

    private func startClock(_ context: ChannelHandlerContext) {
        guard clock == nil, context.channel.isActive else { return }
        clock = context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.pass(context) }
    }

    /// Closes the connection, unless an earlier request is still being answered: this server may then hold back the
    /// bytes of the next one.
    private func pass(_ context: ChannelHandlerContext) {
        clock = nil
        guard unanswered == 0 else { return startClock(context) }
        context.close(promise: nil)
    }
}
