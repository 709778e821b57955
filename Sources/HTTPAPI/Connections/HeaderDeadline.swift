import NIOCore

/// Bounds how long the header section of a request may take to come.
///
/// The framework's time of silence begins anew with each byte, so that a byte now and then would hold a connection for
/// ever (OWASP, Denial of Service Cheat Sheet, "Slow HTTP": slow headers; RFC 9110 §15.5.9). The time runs from the
/// connection's begin, a TLS handshake included, and later from the first byte of each further request. Between two
/// requests, and while one is answered, nothing is due.
final class HeaderDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let time: TimeAmount
    private var clock: Scheduled<Void>?
    private var isBodyComing = false
    private var hasMoved = false
    private var unanswered = 0

    /// `time`: from the first byte of a header section to its last.
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
        // The decoder behind this tells what the bytes were, before it returns.
        context.fireChannelRead(data)
        if !hasMoved, !isBodyComing { startClock(context) }
    }

    /// A whole header section has come.
    func headCame() {
        hasMoved = true
        isBodyComing = true
        unanswered += 1
        stopClock()
    }

    /// The end of a request has come.
    func requestEnded() {
        hasMoved = true
        isBodyComing = false
    }

    /// A request was answered to the end.
    func requestAnswered() { unanswered = max(0, unanswered - 1) }

    private func startClock(_ context: ChannelHandlerContext) {
        guard clock == nil, context.channel.isActive else { return }
        clock = context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.pass(context) }
    }

    /// While an earlier request waits for its answer, the rest may be held back on this side.
    private func pass(_ context: ChannelHandlerContext) {
        clock = nil
        guard unanswered == 0 else { return startClock(context) }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stopClock()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stopClock() }

    private func stopClock() {
        clock?.cancel()
        clock = nil
    }
}
