import HTTPTypes
import Hummingbird
import Kernel
import Operations

extension FaceLoginAPI {
    /// `GET /auth/biometric-login/events/{operationId}`: where the login stands, as server-sent events (WHATWG HTML
    /// §9.2), until it ends.
    ///
    /// It shows what a poll shows and never carries tokens: `completed` means that a poll may collect them.
    @Sendable func events(_ request: Request, _ context: APIContext) async throws -> Response {
        let publicID = try publicID(context)
        let caller = callers.withFingerprint(callers.caller(request, of: publicID), request, context)
        try admit(publicID, caller, isPoll: true, request, context)
        guard let view = try await desk.look(publicID, caller) else { throw Problem.operationNotFound }
        let seen = request.headers[our: .lastEventID].flatMap { Int64($0) }
        // An event source connects again whenever a stream ends; 204 tells it not to (WHATWG HTML §9.2.3).
        if view.isFinal, seen == view.seq { return Response(status: .noContent) }
        let stream = EventStream(
            desk: desk,
            clock: facts.clock,
            drain: drain,
            publicID: publicID,
            caller: caller,
            seen: seen,
            interval: settings.pollInterval,
            texts: AcceptedLanguage.texts(for: request)
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
