import HTTPTypes
import Hummingbird
import Kernel
import Operations
import TokenReading
import Tokens
import Wire

// The requests of the published app before it shows its login button. The app stores the enrolment's id and sends it in
// every later session, so the account decides instead of the id.
extension EnrolmentAPI {
    /// A date that the app's decoder reads; enrolments do not expire.
    private static let never = "9999-12-31T23:59:59Z"
    /// The id for an enrolment that was not started; no enrolment has it.
    private static let notStarted = "not-started"

    /// `POST /biometric/enroll`: starts an enrolment, unless a face is enrolled already.
    ///
    /// An enrolled face makes the app show its login button. Only the initiate route of ``EnrolmentAPI`` replaces a
    /// face. The app reads only bodies of status 200, so ``refusal(_:)`` answers with that status.
    func enroll(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        if let since = try await enrolledSince(who.account) {
            return JSONReply.encode(
                EnrollResponse(
                    message: "A face is enrolled already.",
                    alreadyEnrolled: true,
                    enrollment: Self.complete(who.account.description, since: since)
                )
            )
        }
        try who.requireRecent()
        let begun = try await begin(by: who, for: request, in: context)
        var enrollment = Self.view(of: begun.operation, begun.publicID.description)
        enrollment.authUrl = url(begun)
        enrollment.authIdUrl = url(begun)
        enrollment.enrollmentUrl = url(begun)
        enrollment.qrCode = url(begun)
        return JSONReply.encode(
            EnrollResponse(message: "Open the page to enrol.", alreadyEnrolled: false, enrollment: enrollment)
        )
    }

    /// `GET /biometric/enrollment/status?enrollmentId=`: reads only the cache while that enrolment is in progress.
    ///
    /// The app calls it every three seconds.
    func showStatus(_ request: Request, _ context: APIContext, claims: AccessClaims) async throws -> Response {
        let id = request.uri.queryParameters["enrollmentId"].map(String.init) ?? ""
        if let operation = try await live(id, of: claims.account) {
            return JSONReply.encode(EnrollmentStatusResponse(enrollment: Self.view(of: operation, id)))
        }
        guard let since = try await enrolledSince(claims.account) else { throw APIError.operationNotFound }
        let enrolment = UUIDBits(id) == nil ? claims.account.description : id
        return JSONReply.encode(EnrollmentStatusResponse(enrollment: Self.complete(enrolment, since: since)))
    }

    /// Returns the account's enrolment with that id, if it is in progress or recently ended without success.
    private func live(_ id: String, of account: AccountID) async throws -> Operations.Operation? {
        guard let id = UUIDBits(id) else { return nil }
        try await service.load(id)
        let publicID = Digest256(sha256: id)
        guard let card = service.cache.card(publicID) else { return nil }
        let operation = card.operation
        guard operation.request.purpose.kind == .enroll, operation.request.account == account,
            operation.state.name != .closed
        else {
            return nil
        }
        // The app counts as a client that polls: otherwise the provider would be asked as rarely as without a client.
        service.attend(publicID)
        return operation
    }

    /// Returns 200 for an error that the person can correct, with the page that explains it for the app to open.
    ///
    /// - Parameter error: The error of the request.
    /// - Returns: The answer; `nil` for every other error.
    func refusal(_ error: any Error) -> Response? {
        let problem = APIError(error, bodyLimit: following.following.bodyLimit)
        guard let notice = LandingPages.Notice(problem) else { return nil }
        return JSONReply.encode(refused(problem, url(notice))).retry(after: problem.retryAfter)
    }

    private func refused(_ problem: APIError, _ page: String) -> EnrollResponse {
        let now = environment.now().internetDate
        var enrollment = EnrollmentView(
            enrollmentId: Self.notStarted,
            status: "failed",
            progress: 0,
            completed: false,
            createdAt: now,
            expiresAt: now
        )
        enrollment.enrollmentUrl = page
        enrollment.qrCode = page
        var answer = EnrollResponse(message: problem.message, alreadyEnrolled: false, enrollment: enrollment)
        answer.code = problem.code
        answer.error = problem.message
        return answer
    }

    private static func complete(_ id: String, since: Instant) -> EnrollmentView {
        EnrollmentView(
            enrollmentId: id,
            status: "completed",
            progress: 100,
            completed: true,
            createdAt: since.internetDate,
            expiresAt: never
        )
    }

    private static func view(of operation: Operations.Operation, _ id: String) -> EnrollmentView {
        let (status, progress) =
            switch operation.state {
            case .created: ("pending", 0)
            case .opened: ("pending", 25)
            case .pending(let scan): ("pending", scan.progress == .processing ? 75 : 50)
            case .approved, .redeemed, .closed: ("completed", 100)
            case .failed: ("failed", 0)
            }
        return EnrollmentView(
            enrollmentId: id,
            status: status,
            progress: progress,
            completed: status == "completed",
            createdAt: operation.validity.createdAt.internetDate,
            expiresAt: operation.validity.deadline.internetDate
        )
    }
}

extension LandingPages.Notice {
    /// Creates the page that helps a person whose enrolment was refused with that error; `nil` if none does.
    fileprivate init?(_ problem: APIError) {
        switch problem {
        case .stepUpRequired: self = .signInAgain
        case .emailNotVerified: self = .addressFirst
        default:
            guard [.tooManyRequests, .serviceUnavailable].contains(problem.status) else { return nil }
            self = .tryLater
        }
    }
}
