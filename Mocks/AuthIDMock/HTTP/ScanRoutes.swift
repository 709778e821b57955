import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// authID's AuthorizationService: transactions (logins) and operations (enrolments).
///
/// The two never mix.
struct ScanRoutes: Sendable {
    let backend: MockBackend
    let gate: ProviderGate

    func add(to router: Router<MockContext>) {
        router.post(RouterPath(ProviderCall.transactionCreate.path), use: gate.serve(.transactionCreate, createLogin))
        router.get(RouterPath(ProviderCall.transactionStatus.path), use: gate.serve(.transactionStatus, loginStatus))
        router.post(RouterPath(ProviderCall.operationCreate.path), use: gate.serve(.operationCreate, createEnrolment))
        router.get(RouterPath(ProviderCall.operationStatus.path), use: gate.serve(.operationStatus, enrolmentStatus))
        router.get(RouterPath(ProviderCall.operationResult.path), use: gate.serve(.operationResult, enrolmentResult))
    }

    private static let loginName = "Verify_Identity"
    private static let enrolmentName = "EnrollBioCredential"

    private func createLogin(
        _ request: Request,
        _ context: MockContext,
        effect: FaultEffect?
    ) async throws -> JSONReply {
        let body = try await request.json(ScanRequestBody.self, in: context)
        guard body.name == Self.loginName else { throw ProviderError.wrongFamily }
        let scan = try create(try body.control(.login), effect: effect)
        return try JSONReply(
            CreatedTransactionBody(
                transactionID: shownID(scan, effect: effect).description,
                oneTimeSecret: scan.secret.expose()
            )
        )
    }

    private func createEnrolment(
        _ request: Request,
        _ context: MockContext,
        effect: FaultEffect?
    ) async throws -> JSONReply {
        let body = try await request.json(ScanRequestBody.self, in: context)
        guard body.name == Self.enrolmentName else { throw ProviderError.operationNameUnknown(body.name) }
        let scan = try create(try body.control(.enrolment), effect: effect)
        return try JSONReply(
            CreatedOperationBody(
                operationID: shownID(scan, effect: effect).description,
                oneTimeSecret: scan.secret.expose()
            )
        )
    }

    private func loginStatus(_: Request, _ context: MockContext, effect: FaultEffect?) async throws -> JSONReply {
        let (scan, now) = try find(.login, context, or: .transactionUnknown)
        return try JSONReply(TransactionStatusBody(scan, id: shownID(scan, effect: effect), now: now))
    }

    private func enrolmentStatus(_: Request, _ context: MockContext, _: FaultEffect?) async throws -> JSONReply {
        let (scan, now) = try find(.enrolment, context, or: .operationUnknown)
        return try JSONReply(OperationStatusBody(status: scan.reportedStatus(at: now).rawValue))
    }

    private func enrolmentResult(_: Request, _ context: MockContext, effect: FaultEffect?) async throws -> JSONReply {
        let (scan, now) = try find(.enrolment, context, or: .operationUnknown)
        return try JSONReply(OperationResultBody(scan, id: shownID(scan, effect: effect), now: now))
    }

    private func create(_ control: ScanControl, effect: FaultEffect?) throws(ProviderError) -> Scan {
        let random = backend.inputs.randomBytes
        return try backend.with { state, now throws(ProviderError) in
            let scan = try state.createScan(control, now: now, random: random)
            if effect == .lateAccept { state.acceptLate(scan.id) }
            return scan
        }
    }

    private func find(
        _ kind: ScanKind,
        _ context: MockContext,
        or unknown: ProviderError
    ) throws(ProviderError) -> (Scan, Instant) {
        guard let id = context.parameters.get("id").flatMap({ UUIDBits($0) }) else { throw unknown }
        return try backend.with { state, now throws(ProviderError) in
            guard let scan = state.scan(id, kind: kind) else { throw unknown }
            return (scan, now)
        }
    }

    /// The scan's id, or one that nobody has for `wrong_transaction`.
    private func shownID(_ scan: Scan, effect: FaultEffect?) -> UUIDBits {
        guard effect == .wrongTransaction else { return scan.id }
        return UUIDBits(high: scan.id.high ^ 0xFFFF_FFFF_0000_0000, low: scan.id.low)
    }
}
