import NIOCore

/// Bounds how long the header section of a request may take to arrive.
///
/// The framework's idle timeout restarts with each byte: a byte now and then would hold a connection for ever. Sources:
/// OWASP, Denial of Service Cheat Sheet, "Slow HTTP" (slow headers); RFC 9110 §15.5.9. The time runs from the
/// connection's begin, a TLS handshake included, and later from the first byte of each further request. No time runs
/// between two requests, or while one is answered.
final class HeaderDeadline: ClockedHandler, ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let time: TimeAmount
    private var isBodyComing = false
    private var hasMoved = false
    private var unanswered = 0

    /// - Parameter time: From the first byte of a header section to its last.
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
        // The decoder behind this handler reports what the bytes were, before the call returns.
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

    /// Closes the connection, unless an earlier request waits for its answer: the rest may then be held back on this
    /// side.
    private func pass(_ context: ChannelHandlerContext) {
        clock = nil
        guard unanswered == 0 else { return startClock(context) }
        context.close(promise: nil)
    }
}
