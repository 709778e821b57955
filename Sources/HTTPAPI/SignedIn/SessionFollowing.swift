import Hummingbird
import Kernel
import Operations
import TokenReading
import Tokens
import Web

/// Lets a session follow an operation that it started, by polls and events.
struct SessionFollowing: Sendable {
    let kind: OperationKind
    let following: Following

    /// Returns the answer to a poll, after waiting if the client asks for that.
    ///
    /// The database is not read while the operation is in the cache.
    func poll(_ request: Request, _ context: APIContext, of session: SessionID) async throws -> PollView {
        let (publicID, caller) = try await starter(request, context, of: session, isPoll: true)
        if let parked = try following.parked(publicID, request, of: { caller }) {
            await parked.park(context)
            if parked.isDeserted {
                guard let view = try await following.service.viewOnDisconnect(publicID, caller) else {
                    throw APIError.operationNotFound
                }
                return view
            }
        }
        guard let view = try await following.service.poll(publicID, caller) else { throw APIError.operationNotFound }
        return view
    }

    func events(_ request: Request, _ context: APIContext, of session: SessionID) async throws -> Response {
        let (publicID, caller) = try await starter(request, context, of: session, isPoll: true)
        return try await following.stream(of: publicID, to: .caller(caller), for: request, in: context, kind: kind)
    }

    /// Returns the operation's id and the caller, if the session started the operation and its kind is ``kind``.
    ///
    /// Other sessions get "not found", even with the right id.
    func starter(
        _ request: Request,
        _ context: APIContext,
        of session: SessionID,
        isPoll: Bool
    ) async throws -> (publicID: Digest256, caller: Caller) {
        let caller = Caller(session: session)
        guard let id = context.parameters.get("operationId").flatMap({ UUIDBits($0) }) else {
            throw APIError.operationNotFound
        }
        let publicID = Digest256(sha256: id)
        try following.admit(caller, to: publicID, isPoll: isPoll, for: request, in: context)
        try following.checkIssued(id, publicID)
        guard try await following.service.isStarted(publicID, as: kind, by: session) else {
            throw APIError.operationNotFound
        }
        return (publicID, caller)
    }

    /// Returns the answer to a poll for a view without tokens.
    func answer(_ view: PollView, for request: Request, in context: APIContext) -> Response {
        PollReply.encode(view, interval: following.pollInterval, of: kind, in: context.language.texts(for: request))
    }

    /// Returns the signed-in person as the one who starts an operation.
    ///
    /// `email`: The part of the address that the page shows.
    func starter(_ who: SignedIn, email: String, for request: Request, in context: APIContext) -> Starter {
        Starter(
            account: who.account,
            session: who.session,
            device: who.device,
            origin: following.origin(showing: email, request, context),
            source: following.source(of: request, context),
            initiator: following.source(of: request, context),
            language: context.language.texts(for: request).language
        )
    }
}
