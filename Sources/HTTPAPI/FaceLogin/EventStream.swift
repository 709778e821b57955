import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import Operations
import Web

/// One caller's stream of what happens to an operation.
///
/// Like ``ParkedPoll`` it keeps next to nothing on the stack of the function that waits.
final class EventStream: Sendable {
    /// Proxies drop a connection that is silent for long; so do we.
    static let heartbeat: Duration = .seconds(15)
    static let headers: HTTPFields = {
        var headers = HTTPFields([HTTPField(name: .contentType, value: "text/event-stream")] + SecurityHeaders.fields)
        // Else nginx keeps events back until its buffer is full.
        headers.append(our: .xAccelBuffering, "no")
        return headers
    }()

    private let service: OperationService
    private let clock: any MonotonicClock
    private let drain: DrainSwitch
    private let presence: ClientPresence?
    private let publicID: Digest256
    private let caller: Caller
    /// The version that the client had before its connection broke: it is not sent again.
    private let seen: Int64?
    /// Seconds until a client whose stream broke connects again.
    private let interval: Int
    private let kind: OperationKind
    private let texts: LocalizedStrings

    init(
        service: OperationService,
        clock: any MonotonicClock,
        drain: DrainSwitch,
        presence: ClientPresence? = nil,
        publicID: Digest256,
        caller: Caller,
        seen: Int64?,
        interval: Int,
        kind: OperationKind,
        texts: LocalizedStrings
    ) {
        self.service = service
        self.clock = clock
        self.drain = drain
        self.presence = presence
        self.publicID = publicID
        self.caller = caller
        self.seen = seen
        self.interval = interval
        self.kind = kind
        self.texts = texts
    }

    /// Writes every change that the caller may see, the provider's health with it, and a comment where there is none for a
    /// while.
    ///
    /// Returns when the login has ended, when the daemon goes down, when the client has gone away, or when the same caller
    /// has opened another stream.
    @concurrent
    func run(to writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(ByteBuffer(string: "retry: \(interval * 1000)\n\n"))
        // The beat keeps its own time: a change that the caller may not see must not show in when it comes.
        var place = Place(beat: clock.now + Self.heartbeat)
        while try await advance(&place, &writer), let turn = turn(place) {
            guard await service.cache.wait(turn) else { return }
        }
    }

    /// Writes what is new; `false` when nothing comes after it.
    @concurrent
    @inline(never)
    private func advance(_ place: inout Place, _ writer: inout any ResponseBodyWriter) async throws -> Bool {
        guard !drain.isDraining, !Task.isCancelled, presence?.hasLeft != true else { return false }
        // Looked at before the view: a change in between ends the wait for this version at once.
        let card = service.cache.card(publicID)
        place.version = card?.operation.seq
        place.health = service.cache.healthSeen(card)
        guard let view = try await service.look(publicID, caller) else { return false }
        if case .pending(_, _, let timeLeft) = view { place.end = clock.now + timeLeft }
        if let news = news(view, &place) { try await writer.write(news) }
        guard !view.isFinal else { return false }
        if clock.now >= place.beat {
            try await writer.write(ByteBuffer(string: ":\n\n"))
            place.beat = clock.now + Self.heartbeat
        }
        return true
    }

    /// The view as an event, if the client has not had it.
    private func news(_ view: PollView, _ place: inout Place) -> ByteBuffer? {
        let shown = Shown(view)
        guard shown != place.shown else { return nil }
        defer { place.shown = shown }
        // That the provider is down has no version of its own: who comes back may not have heard of it.
        let isNew = place.shown != nil || seen != view.seq || shown.hint == .providerDegraded
        return isNew ? event(view) : nil
    }

    @inline(never)
    private func turn(_ place: Place) -> WaitingTurn? {
        guard let version = place.version, let operation = service.cache.card(publicID)?.operation else { return nil }
        let deadline = clock.now < place.end ? min(place.beat, place.end) : place.beat
        return service.turn(operation, past: version, until: deadline, as: caller, at: presence, health: place.health)
    }

    private func event(_ view: PollView) -> ByteBuffer {
        var buffer = ByteBuffer(string: "id: \(view.seq)\ndata: ")
        switch view {
        case .pending(let hint, let seq, let timeLeft):
            buffer.writeImmutableBuffer(PollReply.pending(hint, seq, timeLeft, interval: interval))
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

    /// Where a stream stands.
    private struct Place {
        /// When silence is next broken.
        var beat: Uptime
        /// When the view that was shown is over.
        var end: Uptime
        /// What the client was last shown.
        var shown: Shown?
        /// The operation's version when it was last looked at; `nil` for one that is no longer in the cache.
        var version: Int64?
        /// The provider's health at that time.
        var health: HealthSeen?

        init(beat: Uptime) {
            self.beat = beat
            end = beat
        }
    }

    /// What makes an event a new one: not the time that is left.
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
