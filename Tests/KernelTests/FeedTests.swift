import Kernel
import Testing

/// The messages between daemons, and how a lost one is noticed.
struct FeedTests {
    private static let digest = Digest256(sha256: "an id")
    private static let messages: [FeedMessage] = [
        .changed(publicID: digest, seq: 1), .changed(publicID: digest, seq: .max), .waitedFor(publicID: digest),
        .revoked(UUIDBits(high: 1, low: .max)), .stopping, .hinted(scan: digest), .clientsChanged, .missed,
        .degraded(publicID: digest), .bound(publicID: digest),
        .quieted(key: .max, milliseconds: 900_000), .keysChanged, .disowned(operation: UUIDBits(high: 1, low: 2)),
    ]

    /// Senders that a test changes within its expectations.
    private final class Heard {
        private var senders = FeedSenders()

        func note(_ sender: String, _ number: Int64, at second: Int64 = 0, _ messages: [FeedMessage] = []) -> Bool {
            senders.note(FeedBatch(sender: sender, number: number, messages: messages), at: FeedTests.at(second))
        }

        func forgetSilent(at second: Int64) -> Bool { senders.forgetSilent(at: FeedTests.at(second)) }
    }

    private static func at(_ seconds: Int64) -> Uptime { Uptime(nanoseconds: seconds * 1_000_000_000) }

    @Test(arguments: messages)
    func `a message is read as it was written`(_ message: FeedMessage) {
        #expect(FeedMessage(message.text) == message)
        #expect(!message.text.contains(" "))
    }

    @Test(arguments: [
        "", "c", "w", "c.", "c.1", "w.", "x\(messages[2].text.dropFirst())", "\(messages[2].text).1",
        "\(messages[0].text).2", "\(messages[2].text.dropLast())", "c\(messages[2].text.dropFirst())",
        "\(messages[0].text.dropLast())0", "\(messages[0].text.dropLast())-1", "\(messages[0].text)x", "wé", "r", "rx",
        "s ", "sx", "s.", "dx", "h", "q7", "q7.", "q7.0", "q7.-1", "qx.1", "mx", "m.", "p", "p.", "b", "b.",
    ])
    func `what is no message of this version is left out`(_ text: String) { #expect(FeedMessage(text) == nil) }

    @Test func `a batch is read as it was written, without what only a newer program knows`() {
        let batch = FeedBatch(sender: "a-daemon", number: 7, messages: Self.messages)
        #expect(FeedBatch(batch.text) == batch)
        #expect(FeedBatch("\(batch.text) zUnheardOf") == batch)
        let empty = FeedBatch(sender: "a-daemon", number: 1, messages: [])
        #expect(FeedBatch(empty.text) == empty)
        for text in ["", "a-daemon", "a-daemon x", "a-daemon 0", "a-daemon -1"] {
            #expect(FeedBatch(text) == nil, "\(text)")
        }
    }

    @Test func `a batch that is missing is noticed once, for each sender`() {
        let heard = Heard()
        #expect(heard.note("one", 1) && heard.note("one", 2))
        #expect(!heard.note("other", 9), "what it sent before was not heard")
        #expect(heard.note("other", 10) && heard.note("one", 3))
        #expect(!heard.note("one", 5) && heard.note("one", 6))
        #expect(!heard.note("one", 6), "it came twice, which no server does")
        #expect(heard.note("one", 7))
    }

    @Test func `attack: no number in a batch stops the receiver`() {
        let heard = Heard()
        for number in [Int64.max, .max, 1, .max, 1] { _ = heard.note("somebody", number) }
        #expect(FeedBatch("x \(Int64.max) \(Self.messages[2].text)") != nil)
    }

    @Test func `where there is no other daemon, a listener waits until it is cancelled`() async {
        let listening = Task {
            for await event in SilentFeed().events() { Issue.record("\(event)") }
            return Task.isCancelled
        }
        try? await Task.sleep(for: .milliseconds(100))
        listening.cancel()
        #expect(await listening.value)
    }

    @Test func `a sender that stops in order is not missed`() {
        let heard = Heard()
        #expect(heard.note("one", 1))
        #expect(heard.note("one", 2, at: 1, [.stopping]))
        #expect(!heard.forgetSilent(at: 9))
    }

    @Test func `a sender that has fallen silent is noticed once`() {
        let heard = Heard()
        #expect(heard.note("one", 1) && heard.note("other", 1, at: 2))
        #expect(!heard.forgetSilent(at: 3))
        #expect(heard.forgetSilent(at: 4))
        #expect(!heard.forgetSilent(at: 5))
        // It was only slow: what it sent meanwhile may be lost.
        #expect(!heard.note("one", 4, at: 6))
    }
}
