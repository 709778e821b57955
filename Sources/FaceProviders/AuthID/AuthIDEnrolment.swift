import FoundationEssentials
import Kernel
import Operations

// Enrolments: authID's operations, a family apart from its transactions. A reference says which family it is of, so that a
// check after a restart asks the right one.
extension AuthIDProvider {
    private static let mark = "operation:"

    /// Whether a reference would be read as one of the other family.
    static func isMarked(_ id: String) -> Bool { id.hasPrefix(mark) }

    static func enrolmentReference(_ operation: String) -> ProviderReference { ProviderReference(mark + operation) }

    /// authID's own id of an enrolment; `nil` for a transaction.
    static func enrolment(of reference: ProviderReference) -> String? {
        isMarked(reference.text) ? String(reference.text.dropFirst(mark.count)) : nil
    }

    /// Starts an enrolment; the account at authID is made first, if there is none of that number.
    ///
    /// The number is ours, random, and fixed with the account: one that is there already is of an earlier try.
    func beginEnrolment(of applicant: EnrolmentApplicant, seconds: Int64) async throws(ProviderFailure) -> StartedScan {
        if try await !account(applicant.reference) {
            _ = try await createAccount(
                number: applicant.reference,
                displayName: applicant.displayName,
                email: applicant.email
            )
        }
        let call = AuthIDCall.beginOperation(account: applicant.reference, seconds: seconds)
        let body = try await client.send(call).usable(for: call)
        guard let operation = AuthIDTransaction(parsingOperation: body) else { throw .unreadable(call) }
        return StartedScan(
            reference: Self.enrolmentReference(operation.id),
            page: AuthIDPage.enrolmentAddress(at: pageURL, operation: operation.id, secret: operation.secret)
        )
    }

    /// Where an enrolment stands.
    ///
    /// Its status carries no id and no reason, and "accepted" says only that it ran to its end: what came of it is in the
    /// result, which has to name our operation.
    func checkEnrolment(_ operation: String) async throws(ProviderFailure) -> ScanStatus {
        let call = AuthIDCall.operationStatus(operation)
        let number: Int
        switch try await client.send(call) {
        case .good(let body):
            guard let status = try? JSONDecoder().decode(AuthIDOperationStatus.self, from: Data(body)) else {
                return .nonsense
            }
            number = status.number
        case .oversized: return .nonsense
        case .refused(let refusal) where refusal.status == 404: return .unknownReference
        case .refused(let refusal): throw .refused(refusal, call)
        case .unavailable(let refusal): throw .unavailable(refusal, call)
        }
        switch AuthIDStatus.status(number, message: nil) {
        case .approved, .rejected: return try await result(of: operation)
        case let status: return status
        }
    }

    private func result(of operation: String) async throws(ProviderFailure) -> ScanStatus {
        let call = AuthIDCall.operationResult(operation)
        switch try await client.send(call) {
        case .good(let body): return AuthIDEnrolmentResult.read(body, of: operation)
        case .oversized: return .nonsense
        case .refused(let refusal) where refusal.status == 404: return .unknownReference
        case .refused(let refusal): throw .refused(refusal, call)
        case .unavailable(let refusal): throw .unavailable(refusal, call)
        }
    }
}

/// The body of an operation's status.
struct AuthIDOperationStatus: Decodable {
    let number: Int

    enum CodingKeys: String, CodingKey { case number = "Status" }
}

/// An enrolment's result in our words.
enum AuthIDEnrolmentResult {
    /// Believed only if it names our operation; accepted only with a living face in it, and no check that failed.
    static func read(_ body: [UInt8], of operation: String) -> ScanStatus {
        guard let wire = try? JSONDecoder().decode(Body.self, from: Data(body)), wire.operation == operation else {
            return .nonsense
        }
        let status = AuthIDStatus.status(wire.status, message: wire.message)
        guard status == .approved else { return status }
        guard let liveness = wire.liveness else { return .unrecognised }
        guard liveness.hasPassed else { return .rejected(.livenessFailed) }
        return wire.match?.hasPassed == false ? .rejected(.notMatched) : .approved
    }

    private struct Body: Decodable {
        let operation: String
        let status: Int
        let message: String?
        let liveness: Check?
        let match: Check?

        enum CodingKeys: String, CodingKey {
            case operation = "OperationId"
            case status = "Status"
            case message = "Message"
            case liveness = "Liveness"
            case match = "Match"
        }
    }

    private struct Check: Decodable {
        let hasPassed: Bool

        enum CodingKeys: String, CodingKey { case hasPassed = "Passed" }
    }
}

/// Starts an enrolment, reached by its link alone (transport 0).
struct AuthIDEnrol: Encodable, Sendable {
    let account: String
    let seconds: Int64
    private let codeword = ""
    private let name = "EnrollBioCredential"
    private let transport = 0
    private let tag = ""

    init(account: String, seconds: Int64) {
        self.account = account
        self.seconds = seconds
    }

    private enum CodingKeys: String, CodingKey {
        case account = "AccountNumber"
        case codeword = "Codeword"
        case name = "Name"
        case seconds = "Timeout"
        case transport = "TransportType"
        case tag = "Tag"
    }
}
