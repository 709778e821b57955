/// Messages of one daemon with the batch's number, as one text.
///
/// Each daemon numbers its batches from 1, so that a receiver notices a lost one.
package struct FeedBatch: Sendable, Equatable {
    /// The process that sent it.
    package let sender: String
    package let number: Int64
    package let messages: [FeedMessage]

    package init(sender: String, number: Int64, messages: [FeedMessage]) {
        self.sender = sender
        self.number = number
        self.messages = messages
    }

    package var text: String { ([sender, String(number)] + messages.map(\.text)).joined(separator: " ") }

    /// Reads a text; `nil` for one that is no batch.
    ///
    /// Messages that only a newer program knows are left out.
    package init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count >= 2, let number = Int64(words[1]), number > 0 else { return nil }
        self.init(
            sender: String(words[0]),
            number: number,
            messages: words.dropFirst(2).compactMap { FeedMessage($0) }
        )
    }
}

/// Notices lost batches, and senders that have fallen silent.
package struct FeedSenders: Sendable {
    /// A sender that says nothing for so long has stopped, or its messages do not arrive.
    package static let silence: Duration = .seconds(3)
    /// More senders than there are daemons.
    private static let capacity = 1000

    private struct Sender {
        var number: Int64
        var heardAt: Uptime
    }

    private var senders: [String: Sender] = [:]

    package init() {}

    /// Notes a batch; returns `false` if an earlier one of its sender is missing.
    ///
    /// The first batch of a sender tells nothing about earlier ones, unless it is its first of all.
    package mutating func note(_ batch: FeedBatch, at now: Uptime) -> Bool {
        // Anybody who can connect may make up senders.
        guard senders[batch.sender] != nil || senders.count < Self.capacity else { return false }
        let before = senders[batch.sender]?.number ?? 0
        senders[batch.sender] = Sender(number: max(before, batch.number), heardAt: now)
        if batch.messages.contains(.stopping) { senders[batch.sender] = nil }
        // Anybody who can connect may choose the number.
        return batch.number - 1 == before
    }

    /// Forgets the senders that have fallen silent; returns whether there was one.
    package mutating func forgetSilent(at now: Uptime) -> Bool {
        let silent = senders.filter { now - $0.value.heardAt > Self.silence }.map(\.key)
        for sender in silent { senders[sender] = nil }
        return !silent.isEmpty
    }

    /// Forgets every sender, because messages may have been lost.
    package mutating func forgetAll() { senders = [:] }
}
