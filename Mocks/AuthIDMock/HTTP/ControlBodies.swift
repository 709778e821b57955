import Kernel

// Bodies of the control API.

struct OutcomeRequest: Decodable {
    let outcome: Outcome
    let after: Duration

    private enum CodingKeys: String, CodingKey, CaseIterable { case outcome, afterMs }

    init(from decoder: any Decoder) throws {
        let map = try decoder.strictContainer(CodingKeys.self)
        outcome = try map.named(Outcome.self, .outcome)
        after = try map.milliseconds(.afterMs) ?? .zero
    }
}

struct EnrollRequest: Decodable {
    let enrolled: Bool
    let displayName: String?
    let email: String?

    private enum CodingKeys: String, CodingKey, CaseIterable { case enrolled, displayName, email }

    init(from decoder: any Decoder) throws {
        let map = try decoder.strictContainer(CodingKeys.self)
        enrolled = try map.decode(Bool.self, forKey: .enrolled)
        displayName = try map.decodeIfPresent(String.self, forKey: .displayName)
        email = try map.decodeIfPresent(String.self, forKey: .email)
    }
}

/// A scan as a tester sees it: never its secret.
struct ScanView: Encodable {
    let id: String
    let kind: ScanKind
    let account: String
    let status: String
    let outcome: Outcome?
    let message: String?
    let created: String
    let expires: String
    let opened: String?
    let decided: String?
    let plannedOutcome: Outcome?
    let plannedFor: String?
    let acceptsLate: Bool

    init(_ scan: Scan, now: Instant) {
        let verdict = scan.verdict(at: now)
        id = scan.id.description
        kind = scan.kind
        account = scan.accountNumber
        status = (verdict?.outcome.status ?? .pending).name
        outcome = verdict?.outcome
        message = verdict?.outcome.message
        created = scan.created.iso8601
        expires = scan.deadline.iso8601
        opened = scan.opened?.iso8601
        decided = verdict?.at.iso8601
        plannedOutcome = verdict == nil ? scan.planned?.outcome : nil
        plannedFor = verdict == nil ? scan.planned?.at.iso8601 : nil
        acceptsLate = scan.acceptsLate
    }
}

struct ScanListView: Encodable {
    let scans: [ScanView]
}

struct AccountView: Encodable {
    let account: String
    let displayName: String
    let email: String
    let enrolled: Bool
}

struct AccountListView: Encodable {
    let accounts: [AccountView]
}

struct FaultView: Encodable {
    let target: FaultTarget
    let fault: FaultKind
    let count: Int?
    let rate: Double
    let ms: Int64?
    let strikes: Int

    init(_ rule: FaultRule, strikes: Int) {
        target = rule.target
        fault = rule.kind
        count = rule.count
        rate = rule.rate
        ms = rule.duration?.wholeMilliseconds
        self.strikes = strikes
    }
}

struct FaultListView: Encodable {
    let faults: [FaultView]
}

struct ScenarioView: Encodable {
    let account: String
    let stepsLeft: Int
    let `repeat`: Bool
}

/// The request log: every call with its count, zero included, and the newest calls first.
struct RequestLogView: Encodable {
    struct Entry: Encodable {
        let call: String
        let method: String
        let path: String
        let at: String
        let status: Int?
        let fault: FaultKind?
    }

    let counts: [String: Int]
    let recent: [Entry]

    init(_ requestLog: RequestLog, limit: Int) {
        counts = ProviderCall.allCases.reduce(into: [:]) { $0[$1.rawValue] = requestLog.counts[$1] ?? 0 }
        recent = requestLog.recent(limit).map { entry in
            Entry(
                call: entry.call.rawValue,
                method: entry.call.method,
                path: entry.call.path,
                at: entry.at.iso8601,
                status: entry.status,
                fault: entry.fault
            )
        }
    }
}
