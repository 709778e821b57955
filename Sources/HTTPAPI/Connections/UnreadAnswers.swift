package import NIOCore

/// Closes a connection whose client does not read what it asked for.
///
/// The framework's idle timeout is off while an answer is being written. A client that never reads would keep its
/// connection for ever (OWASP, Denial of Service Cheat Sheet, "Slow HTTP": slow read). A connection is unwritable while
/// more than 64 KiB wait here, behind what the system holds: its client has to take something in time. A client that
/// waits for a poll or a stream's next event has nothing unread, and stays.
package final class UnreadAnswers: ClockedHandler, ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny
    package typealias InboundOut = NIOAny

    /// The least that a client has to take, in bytes: less counts as not reading.
    private static let leastTaken = 16_384

    private let patience: TimeAmount

    /// - Parameter patience: The time in which at least 16 KiB have to be taken, while so much waits.
    package init(_ patience: TimeAmount) { self.patience = patience }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            stopClock()
        } else if clock == nil {
            watch(context)
        }
        context.fireChannelWritabilityChanged()
    }

    /// Checks later what the client has taken.
    ///
    /// Nothing is added meanwhile: the answering code is held until the client has read.
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
