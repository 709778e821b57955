import Dispatch
import Glibc
package import Kernel
import Synchronization

/// The messages between daemons, by LISTEN and NOTIFY or by a table (``PostgresNotices``), on a connection of its own.
///
/// NOTIFY takes a lock on the whole database until its transaction ends, so that no unit of work uses it. Messages are
/// sent in batches, each a transaction of its own: at most one in ten milliseconds, and an empty one each second.
///
/// Unchecked, because what changes is used only on ``queue``, which runs one block, or is a ``Mutex``.
package final class PostgresFeed: @unchecked Sendable {
    /// The shortest time between two batches.
    private static let interval: Duration = .milliseconds(10)
    /// The longest time between two batches.
    private static let heartbeat: Duration = .seconds(1)
    /// The pause before the second try to connect, which doubles up to ``longestPause``.
    private static let firstPause: Duration = .milliseconds(50)
    private static let longestPause: Duration = .seconds(2)
    /// The size of a batch: NOTIFY refuses 8,000 bytes.
    private static let batchBytes = 7_800
    /// Messages beyond this number are dropped, and the receivers told so.
    private static let capacity = 20_000
    /// The events that a listener may be behind.
    private static let listenerCapacity = 10_000

    private struct State {
        var waiting: [FeedMessage] = []
        /// Whether messages were dropped, so that the next batch's number leaves one out.
        var hasDropped = false
        var listeners: [AsyncStream<FeedEvent>.Continuation] = []
        /// The listeners that have missed an event.
        var behind: Set<Int> = []
        var heardSelf: Uptime?
        var isClosed = false
    }

    private struct Sent {
        /// The number of the last batch.
        var number: Int64 = 0
        var at: Uptime?
    }

    private struct Received {
        var senders = FeedSenders()
        var gapToldAt: Uptime?
        /// Whether a batch of this daemon has come back on the connection.
        var hasHeardSelf = false
    }

    private let opening: PostgresOpening
    private let sender: String
    private let queue = DispatchQueue(label: "vestibule.postgresql.feed")
    private let wake: WakeUp
    private let state = Mutex(State())
    private var sent = Sent()
    private var received = Received()

    /// Begins to receive and to send, as soon as the server can be reached.
    ///
    /// `environment`: Makes the sender's name, and times the batches.
    package init(_ options: PostgresOptions, environment: Environment) {
        var options = options
        options.deadline = min(options.deadline, Self.longestPause)
        opening = PostgresOpening(options: options, clock: environment.clock)
        sender = environment.newUUID().description
        wake = WakeUp()
        queue.async { [self] in run() }
    }

    /// Whether messages arrive: this daemon's own have come back lately, or it has just begun to receive.
    package var isLive: Bool {
        state.withLock(\.heardSelf).map { opening.clock.now - $0 <= FeedSenders.silence } ?? false
    }

    /// Sends what waits, and ends.
    ///
    /// Further calls do nothing.
    ///
    /// - Returns: The number of messages that could not be sent.
    @discardableResult
    package func close() -> Int {
        state.withLock { $0.isClosed = true }
        wake.signal()
        queue.sync {}
        let listeners = state.withLock { state in
            defer { state.listeners = [] }
            return state.listeners
        }
        for listener in listeners { listener.finish() }
        return state.withLock(\.waiting.count)
    }

    private var isClosed: Bool { state.withLock(\.isClosed) }

    private func run() {
        serveUntilClosed()
        // A command may end before it has a connection, or while it has none.
        guard state.withLock({ !$0.waiting.isEmpty }), let connection = try? opening.connect().connection else {
            return
        }
        defer { connection.close() }
        let transport = transport(on: connection)
        try? send(by: transport, isLast: true)
        try? sayGoodbye(by: transport)
    }

    private func transport(on connection: PostgresConnection) -> any FeedTransport {
        opening.options.notices.transport(on: connection, clock: opening.clock)
    }

    private func serveUntilClosed() {
        var pause = Self.firstPause
        while !isClosed {
            do {
                let connection = try opening.connect().connection
                defer { connection.close() }
                let transport = transport(on: connection)
                try transport.begin()
                received.senders.forgetAll()
                received.hasHeardSelf = false
                state.withLock { $0.heardSelf = opening.clock.now }
                // What others have sent so far was not heard.
                tellGap()
                try serve(by: transport)
            } catch {
                // Told below.
            }
            guard !isClosed else { return }
            state.withLock { $0.heardSelf = nil }
            tellGap(atMostEvery: Self.longestPause)
            if received.hasHeardSelf { pause = Self.firstPause }
            received.hasHeardSelf = false
            _ = wake.wait(for: nil, within: pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Sends and receives until the connection fails, or the feed is closed.
    private func serve(by transport: any FeedTransport) throws {
        while true {
            let isLast = isClosed
            try send(by: transport, isLast: isLast)
            if isLast { return try sayGoodbye(by: transport) }
            receive(try transport.receive(until: wake, within: nextSend))
            let now = opening.clock.now
            if received.senders.forgetSilent(at: now) { tellGap() }
            guard isLive else { throw PostgresError.lost(cause: "the daemon's own messages do not arrive") }
            mendListeners()
        }
    }

    /// How long to wait for messages of others.
    private var nextSend: Duration {
        guard let last = sent.at else { return .zero }
        let due = last + (state.withLock(\.waiting.isEmpty) ? Self.heartbeat : Self.interval)
        return max(.zero, due - opening.clock.now)
    }

    private func send(by transport: any FeedTransport, isLast: Bool) throws {
        while isLast ? state.withLock({ !$0.waiting.isEmpty }) : nextSend == .zero {
            let (messages, hasDropped) = takeBatch()
            sent.number += hasDropped ? 2 : 1
            let batch = FeedBatch(sender: sender, number: sent.number, messages: messages)
            sent.at = opening.clock.now
            // A batch whose sending failed may have arrived: it has used its number, and is sent again under the next.
            do { try transport.send(batch) } catch {
                putBack(messages)
                throw error
            }
        }
    }

    private func putBack(_ messages: [FeedMessage]) {
        state.withLock { $0.waiting.insert(contentsOf: messages, at: 0) }
    }

    /// Tells the others that nothing more comes, so that its silence is no gap.
    private func sayGoodbye(by transport: any FeedTransport) throws {
        try transport.send(FeedBatch(sender: sender, number: sent.number + 1, messages: [.stopping]))
    }

    private func takeBatch() -> (messages: [FeedMessage], hasDropped: Bool) {
        state.withLock { state in
            var bytes = sender.utf8.count + 24
            var count = 0
            for message in state.waiting {
                bytes += message.text.utf8.count + 1
                guard bytes <= Self.batchBytes else { break }
                count += 1
            }
            defer {
                state.waiting.removeFirst(count)
                state.hasDropped = false
            }
            return (Array(state.waiting.prefix(count)), state.hasDropped)
        }
    }

    private func receive(_ texts: [String]) {
        let now = opening.clock.now
        for text in texts {
            guard let batch = FeedBatch(text) else { continue }
            if batch.sender == sender {
                state.withLock { $0.heardSelf = now }
                received.hasHeardSelf = true
                continue
            }
            if !received.senders.note(batch, at: now) { tellGap() }
            for message in batch.messages { tell(.message(message)) }
        }
    }

    private func tellGap(atMostEvery pause: Duration = .zero) {
        let now = opening.clock.now
        if let last = received.gapToldAt, now - last < pause { return }
        received.gapToldAt = now
        tell(.gap)
    }

    private func tell(_ event: FeedEvent) {
        state.withLock { state in
            for (index, listener) in state.listeners.enumerated() {
                if case .dropped = listener.yield(event) { state.behind.insert(index) }
            }
        }
    }

    /// Tells listeners that have missed an event of the gap, once they have room for it.
    private func mendListeners() {
        state.withLock { state in
            for index in state.behind {
                if case .enqueued = state.listeners[index].yield(.gap) { state.behind.remove(index) }
            }
        }
    }
}

extension PostgresFeed: ChangeFeed {
    package func announce(_ message: FeedMessage) {
        let isFirst = state.withLock { state in
            guard state.waiting.count < Self.capacity else {
                state.hasDropped = true
                return false
            }
            state.waiting.append(message)
            return state.waiting.count == 1
        }
        if isFirst { wake.signal() }
    }

    package func events() -> AsyncStream<FeedEvent> {
        let (stream, listener) = AsyncStream.makeStream(
            of: FeedEvent.self,
            bufferingPolicy: .bufferingOldest(Self.listenerCapacity)
        )
        listener.yield(.gap)
        let isClosed = state.withLock { state in
            if !state.isClosed { state.listeners.append(listener) }
            return state.isClosed
        }
        if isClosed { listener.finish() }
        return stream
    }
}
