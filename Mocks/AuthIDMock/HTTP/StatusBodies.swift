import Kernel

struct TransactionStatusBody: Encodable {
    let transactionID: String
    let status: Int
    let message: String
    let startDate: String
    let endDate: String?

    init(_ scan: Scan, id: UUIDBits, now: Instant) {
        let verdict = scan.reportedVerdict(at: now)
        transactionID = id.description
        status = scan.reportedStatus(at: now).rawValue
        message = verdict?.outcome.message ?? ""
        startDate = scan.created.iso8601
        endDate = verdict?.at.iso8601
    }

    enum CodingKeys: String, CodingKey {
        case transactionID = "TransactionId"
        case status = "Status"
        case message = "Message"
        case startDate = "StartDate"
        case endDate = "EndDate"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(transactionID, forKey: .transactionID)
        try container.encode(status, forKey: .status)
        try container.encode(message, forKey: .message)
        try container.encode(startDate, forKey: .startDate)
        // `null` while pending, not absent.
        try container.encode(endDate, forKey: .endDate)
    }
}

struct OperationStatusBody: Encodable {
    let status: Int

    enum CodingKeys: String, CodingKey { case status = "Status" }
}

/// The result of an enrolment: how the scan ended, with the liveness and match data that led there.
struct OperationResultBody: Encodable {
    let operationID: String
    let status: Int
    let message: String
    let liveness: Check?
    let match: Check?

    struct Check: Encodable {
        let passed: Bool
        /// `0 ... 1`.
        let score: Double

        enum CodingKeys: String, CodingKey {
            case passed = "Passed"
            case score = "Score"
        }

        static let pass = Check(passed: true, score: 0.98)
        static let fail = Check(passed: false, score: 0.12)
    }

    init(_ scan: Scan, id: UUIDBits, now: Instant) {
        let outcome = scan.reportedVerdict(at: now)?.outcome
        operationID = id.description
        status = scan.reportedStatus(at: now).rawValue
        message = outcome?.message ?? ""
        (liveness, match) = outcome.map(Self.checks) ?? (nil, nil)
    }

    enum CodingKeys: String, CodingKey {
        case operationID = "OperationId"
        case status = "Status"
        case message = "Message"
        case liveness = "Liveness"
        case match = "Match"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(operationID, forKey: .operationID)
        try container.encode(status, forKey: .status)
        try container.encode(message, forKey: .message)
        try container.encode(liveness, forKey: .liveness)
        try container.encode(match, forKey: .match)
    }

    /// `nil` where no picture was ever looked at.
    private static func checks(_ outcome: Outcome) -> (liveness: Check?, match: Check?) {
        switch outcome {
        case .accept: (.pass, .pass)
        case .rejectMatch: (.pass, .fail)
        case .rejectLiveness: (.fail, .pass)
        case .rejectBoth: (.fail, .fail)
        case .decline, .expire, .error, .cancel: (nil, nil)
        }
    }
}
