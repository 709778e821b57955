import HTTPTypes
import Hummingbird
import Kernel
import Operations
import TokenReading
import Tokens
import Wire

// What the published app asks before it shows its login button. It stores the id that it was given, and asks with it
// from then on, in whatever session: what counts is the account.
extension EnrolmentAPI {
    /// A date that its decoder reads; enrolments don't end.
    private static let never = "9999-12-31T23:59:59Z"
    /// The id of an enrolment that was not started: none has it.
    private static let notStarted = "not-started"

    /// `POST /biometric/enroll`: starts an enrolment, unless a face is enrolled already.
    ///
    /// An enrolled face switches the app's login button on; ``EnrolmentAPI``'s own route enrols again. The app reads no
    /// body but that of a 200, so that refusals are answered by ``refusal(_:)``.
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

    /// `GET /biometric/enrollment/status?enrollmentId=`: from memory while that enrolment is under way, asked every
    /// three seconds.
    func showStatus(_ request: Request, _ context: APIContext, claims: AccessClaims) async throws -> Response {
        let id = request.uri.queryParameters["enrollmentId"].map(String.init) ?? ""
        if let operation = live(id, of: claims.account) {
            return JSONReply.encode(EnrollmentStatusResponse(enrollment: Self.view(of: operation, id)))
        }
        guard let since = try await enrolledSince(claims.account) else { throw APIError.operationNotFound }
        let shown = UUIDBits(id) == nil ? claims.account.description : id
        return JSONReply.encode(EnrollmentStatusResponse(enrollment: Self.complete(shown, since: since)))
    }

    /// The account's enrolment of that id, if it is under way or ended lately without success.
    private func live(_ id: String, of account: AccountID) -> Operations.Operation? {
        guard let publicID = UUIDBits(id).map({ Digest256(sha256: $0) }), let card = service.cache.card(publicID) else {
            return nil
        }
        let operation = card.operation
        guard operation.purpose.kind == .enroll, operation.account == account, operation.state.name != .closed else {
            return nil
        }
        // The app waits as much as one that polls does: without this its scans would be checked as if nobody did.
        service.attend(publicID)
        return operation
    }

    /// 200 for what a person can do something about: nothing was started, and the app opens the page that says why.
    ///
    /// `nil` for every other error.
    func refusal(_ error: any Error) -> Response? {
        let problem = APIError(error, bodyLimit: following.following.bodyLimit)
        guard let notice = LandingPages.Notice(problem) else { return nil }
        return JSONReply.encode(refused(problem, url(notice))).retry(after: problem.retryAfter)
    }

    private func refused(_ problem: APIError, _ page: String) -> EnrollResponse {
        let now = self.now().internetDate
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
            createdAt: operation.createdAt.internetDate,
            expiresAt: operation.deadline.internetDate
        )
    }
}

extension LandingPages.Notice {
    /// The page for a person whose enrolment was refused so; `nil` where none of them helps.
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
