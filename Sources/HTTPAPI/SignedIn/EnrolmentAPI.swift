import Hummingbird
package import Kernel
package import Operations
import Tokens
import Wire

/// A signed-in person's face is enrolled: start, poll, and the two routes that the published app asks before it shows its
/// login button.
package struct EnrolmentAPI: Sendable {
    let desk: OperationDesk
    let clients: ClientDirectory
    let reader: SignedInReader
    private let publicURL: String
    private let pollInterval: Int
    /// Whether a face of the account signs it in.
    let isEnrolled: @Sendable (AccountID) async throws -> Bool

    /// `publicURL`: without a trailing slash; `pollInterval`: seconds between two polls, as clients are told.
    package init(
        desk: OperationDesk,
        clients: ClientDirectory,
        reader: SignedInReader,
        publicURL: String,
        pollInterval: Int,
        isEnrolled: @escaping @Sendable (AccountID) async throws -> Bool
    ) {
        self.desk = desk
        self.clients = clients
        self.reader = reader
        self.publicURL = publicURL
        self.pollInterval = pollInterval
        self.isEnrolled = isEnrolled
    }

    package var routes: [Route] {
        let api = [
            Route(.post, "/auth/biometric-enrollment/initiate", initiate),
            Route(.get, "/auth/biometric-enrollment/poll/{operationId}", poll),
            Route(.get, "/biometric/enrollment/status", showStatus),
            Route(.post, "/biometric/enroll", enroll),
        ]
        return api + api.map { $0.under("/api") }
    }

    /// `POST /auth/biometric-enrollment/initiate`: nobody but the token's account, whatever the body says.
    @Sendable private func initiate(_ request: Request, _ context: APIContext) async throws -> Response {
        let begun = try await begin(try await reader.readFresh(request))
        return InitiateReply.encode(
            operationID: begun.publicID,
            url: url(begun),
            expiresIn: begun.operation.policy.lifetime.secondsRoundedUp,
            interval: pollInterval,
            seq: begun.operation.seq
        )
    }

    /// `GET /auth/biometric-enrollment/poll/{operationId}`: for the session that started it; no store while it is live.
    @Sendable private func poll(_ request: Request, _ context: APIContext) async throws -> Response {
        let session = try await reader.claims(request).session
        guard let id = context.parameters.get("operationId").flatMap({ UUIDBits($0) }),
            let (view, _) = try await desk.poll(Digest256(sha256: id), of: .enroll, from: session)
        else { throw Problem.operationNotFound }
        guard case .delivered(let seq) = view else {
            return PollReply.encode(view, interval: pollInterval, for: request)
        }
        return JSONReply.encode(PollLoginResponse(status: .completed, seq: seq))
    }

    func begin(_ who: SignedIn) async throws -> BegunOperation {
        let starter = Starter(account: who.account, session: who.session, device: who.device)
        do {
            return try await desk.beginEnrolment(
                starter,
                policy: try clients.client(named: who.client, surface: nil)
            )
        } catch EnrolmentRefusal.notOffered {
            throw Problem.enrollmentNotOffered
        } catch EnrolmentRefusal.sessionOver {
            throw Problem.unauthorized(.badToken)
        }
    }

    func url(_ begun: BegunOperation) -> String { "\(publicURL)/go/\(begun.ticket.expose())" }
}
