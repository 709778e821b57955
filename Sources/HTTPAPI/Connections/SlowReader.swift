import NIOCore

/// Closes a connection whose client hardly reads the bytes that wait for it, however few they are.
///
/// ``UnreadAnswers`` handles answers that are larger than the connection's buffer of 64 KiB. A small answer that is not
/// read would hold its connection for ever (OWASP, Denial of Service Cheat Sheet, "Slow HTTP": slow read). The handler
/// is first in the pipeline, where it counts the bytes that go to the system. A client with no unread bytes, such as
/// one that polls, keeps its connection.
final class SlowReader: ClockedHandler, ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The fewest bytes that a client has to read in each period, if that many wait for it.
    static let leastTaken = 1024

    private let patience: TimeAmount
    private let waiting: (ChannelHandlerContext) -> Int
    /// The number of bytes ever written to this connection.
    private var written = 0

    /// - Parameters:
    ///   - patience: The period in which a client has to read ``leastTaken`` bytes.
    ///   - waiting: Returns the number of bytes that the system has not taken yet.
    init(_ patience: TimeAmount, waiting: @escaping (ChannelHandlerContext) -> Int = SlowReader.waiting) {
        self.patience = patience
        self.waiting = waiting
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        if clock == nil, waiting(context) > 0 { watch(context) }
    }

    private func watch(_ context: ChannelHandlerContext) {
        let unread = waiting(context)
        let before = written - unread
        clock = context.eventLoop.assumeIsolated().scheduleTask(in: patience) {
            self.clock = nil
            let left = self.waiting(context)
            guard left > 0 else { return }
            let taken = self.written - left - before
            if taken >= min(Self.leastTaken, unread) {
                self.watch(context)
            } else {
                context.close(promise: nil)
            }
        }
    }

    static func waiting(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
