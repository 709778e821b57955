import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import Operations
import Web

/// One viewer's stream of server-sent events about an operation.
///
/// Like ``ParkedPoll``, a waiting stream keeps next to nothing on its function's stack.
final class EventStream: Sendable {
    /// The longest time between two writes: proxies drop a connection that is silent for long.
    static let heartbeat: Duration = .seconds(15)
    static let headers: HTTPFields = {
        var headers = HTTPFields([HTTPField(name: .contentType, value: "text/event-stream")] + SecurityHeaders.fields)
        // Without this header nginx holds events back until its buffer is full.
        headers.append(our: .xAccelBuffering, "no")
        return headers
    }()

    private let following: Following
    private let presence: ClientPresence?
    private let publicID: Digest256
    private let viewer: Viewer
    /// The version in `Last-Event-ID`, which the client has already received.
    private let seen: Int64?
    private let kind: OperationKind
    private let texts: LocalizedStrings

    init(
        following: Following,
        presence: ClientPresence? = nil,
        publicID: Digest256,
        viewer: Viewer,
        seen: Int64?,
        kind: OperationKind,
        texts: LocalizedStrings
    ) {
        self.following = following
        self.presence = presence
        self.publicID = publicID
        self.viewer = viewer
        self.seen = seen
        self.kind = kind
        self.texts = texts
    }

    /// Writes every change that the viewer may see, including the provider's health, and regularly an empty comment.
    ///
    /// Returns when the login has ended, the daemon stops, the client has left, or the same viewer has opened another
    /// stream.
    @concurrent
    func run(to writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(ByteBuffer(string: "retry: \(following.pollInterval * 1000)\n\n"))
        // Heartbeats follow their own times: they must not reveal a change that the viewer may not see.
        var position = Position(nextHeartbeat: following.clock.now + Self.heartbeat)
        while try await advance(&position, &writer), let turn = turn(position) {
            guard await following.service.cache.wait(turn) else { return }
        }
    }

    /// Writes the current view if it is new, and returns `false` after the final one.
    @concurrent
    @inline(never)
    private func advance(_ position: inout Position, _ writer: inout any ResponseBodyWriter) async throws -> Bool {
        guard !following.drain.isDraining, !Task.isCancelled, presence?.hasLeft != true else { return false }
        // The version is read before the view: a change between the two reads ends the wait for this version at once.
        let cached = following.service.cache.card(publicID)
        position.version = cached?.operation.seq
        position.health = following.service.cache.healthSeen(cached)
        guard let view = try await following.service.currentView(publicID, viewer) else { return false }
        if case .pending(_, _, let timeLeft) = view { position.end = following.clock.now + timeLeft }
        if let news = news(view, &position) { try await writer.write(news) }
        guard !view.isFinal else { return false }
        if following.clock.now >= position.nextHeartbeat {
            try await writer.write(ByteBuffer(string: ":\n\n"))
            position.nextHeartbeat = following.clock.now + Self.heartbeat
        }
        return true
    }

    /// Returns the view as an event; `nil` if the client already has it.
    private func news(_ view: PollView, _ position: inout Position) -> ByteBuffer? {
        let shown = Shown(view)
        guard shown != position.shown else { return nil }
        defer { position.shown = shown }
        // A provider's outage changes no version: a client that reconnects may not have received it.
        let isNew = position.shown != nil || seen != view.seq || shown.hint == .providerDegraded
        return isNew ? event(view) : nil
    }

    @inline(never)
    private func turn(_ position: Position) -> WaitingTurn? {
        guard let version = position.version, let operation = following.service.cache.card(publicID)?.operation else {
            return nil
        }
        let deadline =
            following.clock.now < position.end ? min(position.nextHeartbeat, position.end) : position.nextHeartbeat
        return following.service.turn(
            operation,
            past: version,
            until: deadline,
            as: viewer,
            at: presence,
            health: position.health
        )
    }

    private func event(_ view: PollView) -> ByteBuffer {
        var buffer = ByteBuffer(string: "id: \(view.seq)\ndata: ")
        switch view {
        case .pending(let hint, let seq, let timeLeft):
            buffer.writeImmutableBuffer(
                PollReply.pending(hint, seq: seq, timeLeft: timeLeft, interval: following.pollInterval)
            )
        case .failed(let code, let seq):
            buffer.writeImmutableBuffer(
                JSONReply.json(PollReply.failed(code, seq: seq, of: kind, in: texts)) ?? ByteBuffer()
            )
        case .completed(_, _, let seq), .attested(_, _, let seq), .delivered(let seq):
            buffer.writeString("{\"seq\":\(seq),\"status\":\"completed\"}")
        }
        buffer.writeString("\n\n")
        return buffer
    }

    /// The state of a stream between two waits.
    private struct Position {
        /// The time of the next heartbeat.
        var nextHeartbeat: Uptime
        /// The time at which the last view expires.
        var end: Uptime
        /// The view in the last event.
        var shown: Shown?
        /// The operation's version at the last read; `nil` if the operation is no longer in the cache.
        var version: Int64?
        /// The provider's health at the last read.
        var health: HealthSeen?

        init(nextHeartbeat: Uptime) {
            self.nextHeartbeat = nextHeartbeat
            end = nextHeartbeat
        }
    }

    /// The parts of a view whose change makes an event; the remaining time is not one of them.
    private struct Shown: Equatable {
        let seq: Int64
        let hint: PendingHint?

        init(_ view: PollView) {
            seq = view.seq
            guard case .pending(let hint, _, _) = view else {
                self.hint = nil
                return
            }
            self.hint = hint
        }
    }
}
