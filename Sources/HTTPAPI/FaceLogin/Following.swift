import Hummingbird
import Kernel
import Operations
import Web

/// Lets clients follow an operation of any kind: it admits their requests, and serves long polls and event streams.
struct Following: Sendable {
    /// The seconds that a client that polls too fast has to add to its interval (RFC 8628 §3.5).
    private static let slowDownStep = 5

    let service: OperationService
    let addresses: ClientAddresses
    let clock: any MonotonicClock
    let drain: DrainSwitch
    /// The seconds between two polls that clients are told to leave.
    let pollInterval: Int
    /// The largest body in bytes.
    let bodyLimit: Int

    /// Returns the network source of a request, which limits count and which "This wasn't me" reports.
    func source(of request: Request, _ context: APIContext) -> RequestSource {
        service.limits.source(of: addresses.client(of: request, context)?.counted.bytes ?? [])
    }

    /// Returns the origin of a request, which the operation's page and the account's owner see.
    ///
    /// `email`: The part of the address that the page shows.
    func origin(showing email: String, _ request: Request, _ context: APIContext) -> LoginOrigin {
        LoginOrigin(
            email: email,
            address: addresses.client(of: request, context)?.description ?? "",
            agent: AgentFamily.describe(request.headers[.userAgent])
        )
    }

    /// Returns the origin of a new login, whose page may have to show no part of the address.
    func origin(
        of email: String,
        for policy: ClientPolicy,
        mode: LoginMode,
        _ request: Request,
        _ context: APIContext
    ) -> LoginOrigin {
        let isShown = policy.landing.step == .confirm || mode == .crossDevice
        return origin(showing: isShown ? MaskedEmail.mask(email) : "", request, context)
    }

    /// Returns the answer to the request that started an operation.
    ///
    /// `publicURL`: The public address, without a trailing slash.
    func reply(to begun: BegunOperation, at publicURL: String) -> Response {
        InitiateReply.encode(
            operationID: begun.publicID,
            url: "\(publicURL)/go/\(begun.ticket.expose())",
            expiresIn: begun.operation.request.policy.timing.lifetime.secondsRoundedUp,
            interval: pollInterval,
            number: begun.operation.binding.number,
            seq: begun.operation.seq
        )
    }

    /// Counts a request about an operation against the limits.
    ///
    /// `recognised`: Adds the digest of address and user agent to a caller whom it can identify.
    func admit(
        _ caller: Caller,
        to publicID: Digest256,
        isPoll: Bool,
        for request: Request,
        in context: APIContext,
        recognised: (Caller) -> Caller = { $0 }
    ) throws(APIError) {
        do throws(LimitExceededError) {
            try service.admit(publicID, caller, isPoll: isPoll, recognised: { recognised(caller) }) {
                source(of: request, context)
            }
        } catch { throw refusal(error) }
    }

    /// Returns the error for a request beyond a limit.
    func refusal(_ error: LimitExceededError) -> APIError {
        error.limit == .pollsPerOperation
            ? .slowDown(interval: pollInterval + Self.slowDownStep) : APIError(error, bodyLimit: bodyLimit)
    }

    /// Refuses an id that this server did not make like an unknown one, without a read of the database.
    ///
    /// It comes last before that read, so that all earlier answers are the same too.
    func checkIssued(_ id: UUIDBits, _ publicID: Digest256) throws(APIError) {
        guard service.mayKnow(id, publicID) else { throw APIError.operationNotFound }
    }

    static func hasQuery(_ request: Request) -> Bool {
        let mark = UInt8(ascii: "?")
        let text = request.uri.string.utf8
        // Each poll asks three times, and the view of a string goes from index to index: 25 instructions a byte.
        return text.withContiguousStorageIfAvailable { $0.contains(mark) } ?? text.contains(mark)
    }

    /// Returns the waiting poll for a request with `?wait=`; `nil` for a plain poll, and if the operation is not
    /// pending.
    func parked(_ publicID: Digest256, _ request: Request, of caller: () -> Caller) throws(APIError) -> ParkedPoll? {
        guard Self.hasQuery(request), let text = request.uri.queryParameters["wait"] else { return nil }
        guard let seconds = Int(text), (1...30).contains(seconds) else { throw APIError.invalidWait }
        return ParkedPoll(
            service: service,
            clock: clock,
            drain: drain,
            publicID: publicID,
            caller: caller(),
            seconds: seconds
        )
    }

    /// Streams the operation's state as server-sent events (WHATWG HTML §9.2), until the operation ends.
    ///
    /// Events show the same as a poll and never carry tokens: after `completed` a poll may collect them.
    func stream(
        of publicID: Digest256,
        to viewer: Viewer,
        for request: Request,
        in context: APIContext,
        kind: OperationKind = .login
    ) async throws -> Response {
        guard let view = try await service.currentView(publicID, viewer) else { throw APIError.operationNotFound }
        let seen = request.headers[our: .lastEventID].flatMap { Int64($0) }
        // An EventSource reconnects whenever a stream ends, unless the answer is 204 (WHATWG HTML §9.2.3).
        if view.isFinal, seen == view.seq { return Response(status: .noContent) }
        let stream = EventStream(
            following: self,
            presence: await context.presence(),
            publicID: publicID,
            viewer: viewer,
            seen: seen,
            kind: kind,
            texts: context.language.texts(for: request)
        )
        return Response(
            status: .ok,
            headers: EventStream.headers,
            body: ResponseBody { writer in
                try await stream.run(to: &writer)
                try await writer.finish(nil)
            }
        )
    }
}
