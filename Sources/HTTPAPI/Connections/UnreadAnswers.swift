package import NIOCore

/// Closes a connection whose client does not read the answers that it requested.
///
/// The framework's idle timeout is off while an answer is being written. A client that never reads would keep its
/// connection for ever (OWASP, Denial of Service Cheat Sheet, "Slow HTTP": slow read). A connection is unwritable while
/// more than 64 KiB wait in this process, beyond the system's own buffer. From then on its client has to read a part in
/// time. A client that waits for a poll or for a stream's next event has nothing unread, and keeps its connection.
package final class UnreadAnswers: ClockedHandler, ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny
    package typealias InboundOut = NIOAny

    /// The fewest bytes that a client has to read in each period.
    private static let leastTaken = 16_384

    private let patience: TimeAmount

    /// - Parameter patience: The period in which a client has to read at least 16 KiB, while the connection is
    ///   unwritable.
    package init(_ patience: TimeAmount) { self.patience = patience }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            stopClock()
        } else if clock == nil {
            watch(context)
        }
        context.fireChannelWritabilityChanged()
    }

    /// Checks later how much the client has read.
    ///
    /// No bytes are added meanwhile: the code that writes the answer is suspended until the client has read.
    private func watch(_ context: ChannelHandlerContext) {
        let before = Self.unread(context)
        clock = context.eventLoop.assumeIsolated().scheduleTask(in: patience) {
            self.clock = nil
            if before - Self.unread(context) >= Self.leastTaken {
                self.watch(context)
            } else {
                context.close(promise: nil)
            }
        }
    }

    private static func unread(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
