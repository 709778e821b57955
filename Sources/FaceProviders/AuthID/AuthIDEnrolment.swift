import Kernel
import Operations

// Enrolments: authID's operations, which are not transactions. An enrolment's reference is marked, so that a check
// after a restart asks for the right one.
extension AuthIDProvider {
    private static let mark = "operation:"

    /// Whether a transaction's id would be read as an enrolment's reference.
    static func isMarked(_ id: String) -> Bool { id.hasPrefix(mark) }

    static func enrolmentReference(_ operation: String) -> ProviderReference { ProviderReference(mark + operation) }

    /// Returns authID's id of an enrolment, or `nil` for a transaction.
    static func enrolment(of reference: ProviderReference) -> String? {
        isMarked(reference.text) ? String(reference.text.dropFirst(mark.count)) : nil
    }

    /// Starts an enrolment.
    ///
    /// First it creates the account at authID, if authID has none with that number.
    ///
    /// The number is random, created by this server and fixed with the account: an existing account is from an earlier
    /// try.
    func beginEnrolment(of applicant: EnrolmentApplicant, seconds: Int64) async throws(ProviderError) -> StartedScan {
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

    /// Returns the state of an enrolment.
    ///
    /// The status answer carries no id and no reason, and "accepted" says only that the enrolment ended. The outcome
    /// is in the result, which has to name this operation.
    func checkEnrolment(_ operation: String) async throws(ProviderError) -> ScanStatus {
        let call = AuthIDCall.operationStatus(operation)
        let number: Int
        switch try await client.send(call) {
        case .good(let body):
            guard let status = AuthIDDocument(body)?.integer("Status") else { return .nonsense }
            number = status
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

    private func result(of operation: String) async throws(ProviderError) -> ScanStatus {
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

/// Translates authID's result of an enrolment into a scan status.
enum AuthIDEnrolmentResult {
    /// Reads a result, which must name the operation: it is approved only with a living face and no failed check.
    static func read(_ body: [UInt8], of operation: String) -> ScanStatus {
        guard let document = AuthIDDocument(body), document.text("OperationId") == operation,
            let number = document.integer("Status"),
            let liveness = Check(document.value("Liveness")), let match = Check(document.value("Match"))
        else { return .nonsense }
        let status = AuthIDStatus.status(number, message: document.text("Message"))
        guard status == .approved else { return status }
        switch liveness {
        case .missing: return .unrecognised
        case .failed: return .rejected(.livenessFailed)
        case .passed: return match == .failed ? .rejected(.notMatched) : .approved
        }
    }

    /// The outcome of one check of a face.
    private enum Check {
        case missing, passed, failed

        /// Returns `nil` for a value that can't be read.
        init?(_ value: JSONValue?) {
            guard let value else {
                self = .missing
                return
            }
            guard case .bool(let hasPassed)? = AuthIDDocument(value)?.value("Passed") else { return nil }
            self = hasPassed ? .passed : .failed
        }
    }
}

/// Starts an enrolment, whose page is reached only by its link (transport 0).
struct AuthIDEnrol: Encodable, Sendable {
    let account: String
    let seconds: Int64
    private let codeword = ""
    private let name = "EnrollBioCredential"
    private let transport = 0
    private let tag = ""

    private enum CodingKeys: String, CodingKey {
        case account = "AccountNumber"
        case codeword = "Codeword"
        case name = "Name"
        case seconds = "Timeout"
        case transport = "TransportType"
        case tag = "Tag"
    }
}
