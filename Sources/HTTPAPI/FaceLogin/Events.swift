import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import Operations

extension FaceLoginAPI {
    /// `GET /auth/biometric-login/events/{operationId}`: where the login stands, until it ends.
    @Sendable func events(_ request: Request, _ context: APIContext) async throws -> Response {
        let publicID = try publicID(context)
        let caller = callers.withFingerprint(callers.caller(request, of: publicID), request, context)
        try admit(publicID, caller, isPoll: true, request, context)
        return try await following.stream(publicID, caller, request)
    }
}

/// One caller's stream of what happens to an operation.
struct EventStream: Sendable {
    /// Proxies drop a connection that is silent for long; so do we.
    static let heartbeat: Duration = .seconds(15)
    static let headers: HTTPFields = {
        var headers = HTTPFields([HTTPField(name: .contentType, value: "text/event-stream")] + SecurityHeaders.fields)
        // Else nginx keeps events back until its buffer is full.
        headers.append(our: .xAccelBuffering, "no")
        return headers
    }()

    let desk: OperationDesk
    let clock: any MonotonicClock
    let drain: DrainSwitch
    let publicID: Digest256
    let caller: Caller
    /// Seconds until a client whose stream broke connects again.
    let interval: Int
    let kind: OperationKind
    let texts: Texts

    /// Writes every change that the caller may see, and a comment where there is none for a while; returns when the
    /// login has ended, when the daemon goes down, or when the same caller has opened another stream.
    ///
    /// `seen` is the version that the client had before its connection broke: it is not sent again.
    @concurrent
    func run(past seen: Int64?, to writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(ByteBuffer(string: "retry: \(interval * 1000)\n\n"))
        var shown: Shown?
        // The beat keeps its own time: a change that the caller may not see must not show in when it comes.
        var beat = clock.now + Self.heartbeat
        while !drain.isDraining, !Task.isCancelled {
            let card = desk.board.card(publicID)
            guard let view = try await desk.look(publicID, caller) else { return }
            if Shown(view) != shown {
                if shown != nil || seen != view.seq { try await writer.write(event(view)) }
                shown = Shown(view)
            }
            guard let card, !view.isFinal else { return }
            if clock.now >= beat {
                try await writer.write(ByteBuffer(string: ":\n\n"))
                beat = clock.now + Self.heartbeat
            }
            guard await wait(card.operation, until: beat) else { return }
        }
    }

    private func wait(_ operation: Operations.Operation, until beat: Uptime) async -> Bool {
        let end = desk.clock.uptime(of: operation.deadline)
        return await desk.wait(operation, until: clock.now < end ? min(beat, end) : beat, as: caller)
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
