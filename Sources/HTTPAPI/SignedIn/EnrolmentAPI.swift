import Hummingbird
package import Kernel
package import Operations
import TokenReading
import Tokens

/// A signed-in person's face is enrolled: start, poll, and the two routes that the published app asks before it shows its
/// login button.
package struct EnrolmentAPI: Sendable {
    let service: OperationService
    let clients: ClientDirectory
    private let publicURL: String
    let following: SessionFollowing
    /// Whether only an account whose address was proved enrols a face.
    private let requiresVerifiedEmail: Bool
    private let coolingOff: CoolingOff
    /// Since when there has been an account whose face signs it in; `nil` while no face does.
    let enrolledSince: @Sendable (AccountID) async throws -> Instant?
    private let environment: Environment

    /// `publicURL`: without a trailing slash.
    package init(
        service: OperationService,
        clients: ClientDirectory,
        publicURL: String,
        following: Following,
        requiresVerifiedEmail: Bool,
        coolingOff: CoolingOff,
        environment: Environment,
        enrolledSince: @escaping @Sendable (AccountID) async throws -> Instant?
    ) {
        self.environment = environment
        self.service = service
        self.clients = clients
        self.publicURL = publicURL
        self.following = SessionFollowing(kind: .enroll, following: following)
        self.requiresVerifiedEmail = requiresVerifiedEmail
        self.coolingOff = coolingOff
        self.enrolledSince = enrolledSince
    }

    package var routes: [Route] {
        [
            Route(.post, "/auth/biometric-enrollment/initiate", access: .session(.everyClient, .recent), use: initiate),
            Route(.get, "/auth/biometric-enrollment/poll/{operationId}", access: .session, use: poll),
            Route(.get, "/auth/biometric-enrollment/events/{operationId}", access: .session, use: events),
            Route(.get, "/biometric/enrollment/status", access: .session, use: showStatus),
            Route(.post, "/biometric/enroll", access: .session(.everyClient, .recentToChange), use: enroll)
                .answering(refusals: refusal),
        ].alsoUnderAPI
    }

    /// `POST /auth/biometric-enrollment/initiate`: nobody but the token's account, whatever the body says.
    ///
    /// In the place of a face that signs the account in only after a sign-in by more than a password (``CoolingOff``).
    private func initiate(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        following.following.reply(to: try await begin(by: who, for: request, in: context), at: publicURL)
    }

    /// `GET /auth/biometric-enrollment/poll/{operationId}`: for the session that started it; no store while it is live.
    private func poll(_ request: Request, _ context: APIContext, claims: AccessClaims) async throws -> Response {
        following.answer(try await following.poll(request, context, claims: claims), request)
    }

    /// `GET /auth/biometric-enrollment/events/{operationId}`: the same as events.
    private func events(_ request: Request, _ context: APIContext, claims: AccessClaims) async throws -> Response {
        try await following.events(request, context, claims: claims)
    }

    func begin(by who: SignedIn, for request: Request, in context: APIContext) async throws -> BegunOperation {
        // Else a stranger who opens an account with somebody's address leaves his face in it.
        guard who.isEmailProved || !requiresVerifiedEmail else { throw APIError.emailNotVerified }
        // Its page asks nothing, and so shows no address.
        let starter = following.starter(who, email: "", for: request, in: context)
        return try await service.beginEnrolment(
            starter,
            policy: try clients.client(named: who.client, surface: nil),
            mayReplace: coolingOff.isBeyondPassword(who)
        )
    }

    /// Where a page is that says why nothing was started.
    func url(_ notice: LandingPages.Notice) -> String { "\(publicURL)/go/\(notice.rawValue)" }

    func now() -> Instant { environment.now() }

    func url(_ begun: BegunOperation) -> String { "\(publicURL)/go/\(begun.ticket.expose())" }
}
