import Accounts
import Hummingbird
import Kernel
import Operations
import TokenReading
import Tokens

/// The routes that enrol a signed-in person's face.
///
/// The published app calls two of them before it shows its login button.
struct EnrolmentAPI: Sendable {
    let service: OperationService
    let clients: ClientDirectory
    /// The public address, without a trailing slash.
    let publicURL: String
    let following: SessionFollowing
    /// Whether only an account with a proven address may enrol a face.
    let requiresVerifiedEmail: Bool
    let enrolmentPolicy: AuthenticatorEnrolmentPolicy
    /// Returns the time since which a face signs the account in; `nil` if none does.
    let enrolledSince: @Sendable (AccountID) async throws -> Instant?
    let environment: Environment

    var routes: [Route] {
        [
            Route(.post, "/auth/biometric-enrollment/initiate", access: .session(.everyClient, .recent), use: initiate),
            Route(.get, "/auth/biometric-enrollment/poll/{operationId}", access: .session, use: poll),
            Route(.get, "/auth/biometric-enrollment/events/{operationId}", access: .session.orWebSession, use: events),
            Route(.get, "/biometric/enrollment/status", access: .session, use: showStatus),
            Route(.post, "/biometric/enroll", access: .session(.everyClient, .recentToChange), use: enroll)
                .answering(refusals: refusal),
        ].alsoUnderAPI
    }

    /// `POST /auth/biometric-enrollment/initiate`: for the token's account, whatever the body says.
    ///
    /// An existing face can be replaced only after a sign-in by more than a password (``CoolingOff``).
    private func initiate(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        following.following.reply(to: try await begin(by: who, for: request, in: context), at: publicURL)
    }

    /// `GET /auth/biometric-enrollment/poll/{operationId}`: only for the session that started the enrolment.
    ///
    /// The database is not read while the enrolment is in the cache.
    private func poll(_ request: Request, _ context: APIContext, claims: AccessClaims) async throws -> Response {
        following.answer(try await following.poll(request, context, of: claims.session), for: request, in: context)
    }

    /// `GET /auth/biometric-enrollment/events/{operationId}`: the same as a stream of events.
    ///
    /// The account centre's page follows it with its browser's session.
    private func events(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        try await following.events(request, context, of: who.session)
    }

    /// Begins the enrolment of the person's face.
    ///
    /// `page`: The server's own page that begins it, which pages and the mail name; `nil` for the session's client.
    func begin(
        by who: SignedIn,
        at page: NamedClient? = nil,
        for request: Request,
        in context: APIContext
    ) async throws -> BegunOperation {
        // Otherwise an attacker who opens an account with another person's address could enrol a face in it.
        guard who.isEmailProved || !requiresVerifiedEmail else { throw APIError.emailNotVerified }
        try await enrolmentPolicy.require(ofApp: who)
        // The page asks no question, and so shows no address.
        let starter = following.starter(who, email: "", for: request, in: context)
        let policy = try clients.client(named: who.client, surface: nil)
        return try await service.beginEnrolment(
            starter,
            policy: page.map { policy.signingIn(to: $0.id, named: $0.name) } ?? policy,
            mayReplace: enrolmentPolicy.coolingOff.isBeyondPassword(who)
        )
    }

    /// Returns the address of the page that explains why no enrolment was started.
    func url(_ notice: LandingPages.Notice) -> String { "\(publicURL)/go/\(notice.rawValue)" }

    func url(_ begun: BegunOperation) -> String { "\(publicURL)/go/\(begun.ticket.expose())" }
}
