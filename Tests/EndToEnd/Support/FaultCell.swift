import Kernel
import Wire

/// One cell of the fault matrix: what goes wrong, where, and for how many at a time.
struct FaultCell: Sendable {
    enum Call: String, Sendable, CaseIterable {
        /// The scan can't be begun.
        case begin
        /// The scan's status can't be learnt.
        case check
        /// The same, where no check comes but by a webhook.
        case webhook
    }

    static let faults = [
        "http_500", "http_429", "http_401", "http_409", "not_found", "hang", "slow", "garbage", "truncate", "reset",
        "wrong_transaction", "late_accept", "flap",
    ]

    let fault: String
    let call: Call
    let clients: Int

    /// Longer than a request may take, so that it is an outage.
    var milliseconds: Int? { fault == "slow" ? 12_000 : nil }

    /// Whether true answers come through while it is in force.
    var letsAnswersThrough: Bool { fault == "flap" }

    /// Whether the scan itself is spoilt for good, so that the person has to start over.
    var spoilsScan: Bool { fault == "late_accept" }
}

/// The outcome of a cell.
struct FaultResult: Sendable {
    let cell: FaultCell
    /// Ends of logins, by how many.
    var ends: [String: Int] = [:]
    /// From the end of the fault until the last client was served again.
    var recovery: Duration = .zero
    /// Signed in without an acceptance that was followed.
    var falseSuccesses = 0
    /// Failed although the person did well.
    var falseFailures = 0
    /// Checks that genuine webhooks brought about, from the person's end until the first client was served; `nil` where
    /// there are none.
    var checksByWebhooks: Int?
    /// Checks that forged ones did.
    var checksByForgeries = 0
    /// Forged ones that were answered with anything but a refusal.
    var forgeriesTaken = 0

    /// Whether webhooks do what they are for, and forged ones nothing.
    var areWebhooksRight: Bool {
        (checksByWebhooks ?? 1) > 0 && checksByForgeries == 0 && forgeriesTaken == 0
    }

    /// A row of the table.
    var row: String {
        let ends = ends.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        let seconds = Double(recovery.wholeMilliseconds / 100) / 10
        let webhooks = checksByWebhooks.map { "\($0), forged \(checksByForgeries)" } ?? "–"
        return "| \(cell.fault) | \(cell.call.rawValue) | \(cell.clients) | \(ends) | \(seconds) s | \(webhooks) "
            + "| \(falseSuccesses) | \(falseFailures) |"
    }
}

/// Plays a cell on a fixture.
struct FaultPlay: Sendable {
    let cell: FaultCell
    let fixture: Fixture

    /// One client in four is somebody whom the provider turns away.
    struct Player: Sendable {
        let email: String
        let outcome: String
    }

    var players: [Player] {
        (0..<cell.clients).map { number in
            Player(email: Self.person(number), outcome: number % 4 == 3 ? "reject_match" : "accept")
        }
    }

    static func person(_ number: Int) -> String { "person\(number)@example.com" }

    func run() async throws -> FaultResult {
        switch cell.call {
        case .begin: try await runBegin()
        case .check: try await runCheck()
        case .webhook: try await runWebhook()
        }
    }

    private func runBegin() async throws -> FaultResult {
        var result = FaultResult(cell: cell)
        try await fixture.mock.breakDown("create", cell.fault, milliseconds: cell.milliseconds)
        let logins = try await each(players) { player in
            let login = try await fixture.app.initiate(player.email)
            try await fixture.app.open(login)
            return login
        }
        // Nobody has been scanned yet.
        for answer in try await each(logins, { try await fixture.app.poll($0) }) where answer.status != .pending {
            if answer.status == .completed { result.falseSuccesses += 1 } else { result.falseFailures += 1 }
        }
        try await fixture.mock.mend()
        let mended = ContinuousClock.now
        let ends = try await each(Array(zip(players, logins))) { player, login in
            try await press(login)
            let served = ContinuousClock.now - mended
            try await decide(player)
            return (player, try await fixture.app.follow(login, within: .seconds(60)), served)
        }
        for (player, answer, served) in ends {
            result.recovery = max(result.recovery, served)
            count(answer, player, &result)
        }
        return result
    }

    private func runCheck() async throws -> FaultResult {
        var result = FaultResult(cell: cell)
        let logins = try await each(players) { player in
            let login = try await fixture.app.initiate(player.email)
            try await press(login)
            return login
        }
        try await fixture.mock.breakDown("status", cell.fault, milliseconds: cell.milliseconds)
        if cell.spoilsScan {
            // It has to strike a check before the person is through: clients that wait have one made every second.
            for _ in 0..<15 {
                _ = try await each(logins) { try await fixture.app.poll($0) }
                try await Task.sleep(for: .milliseconds(300))
            }
        }
        _ = try await each(players) { try await decide($0) }
        let end = ContinuousClock.now + .milliseconds(1500)
        while ContinuousClock.now < end, !cell.letsAnswersThrough {
            for answer in try await each(logins, { try await fixture.app.poll($0) }) where answer.status == .completed {
                result.falseSuccesses += 1
            }
            try await Task.sleep(for: .milliseconds(300))
        }
        try await fixture.mock.mend()
        let mended = ContinuousClock.now
        let ends = try await each(Array(zip(players, logins))) { player, login in
            if cell.spoilsScan, try await fixture.app.poll(login).status == .pending {
                try await press(login)
                try await decide(player)
            }
            let answer = try await fixture.app.follow(login, within: .seconds(60))
            return (player, answer, ContinuousClock.now - mended)
        }
        for (player, answer, served) in ends {
            result.recovery = max(result.recovery, served)
            count(answer, player, &result)
        }
        return result
    }

    func count(_ answer: PollLoginResponse, _ player: Player, _ result: inout FaultResult) {
        let end = answer.status == .completed ? "completed" : answer.code ?? "no code"
        result.ends[end, default: 0] += 1
        switch (end, player.outcome) {
        case ("completed", "accept"), ("not_matched", "reject_match"): break
        case ("completed", _): result.falseSuccesses += 1
        default: result.falseFailures += 1
        }
    }

    /// Presses the landing page's button until a scan begins.
    func press(_ login: App.Login) async throws {
        try await eventually("a scan to begin", within: .seconds(60), every: .milliseconds(150)) {
            try await fixture.app.open(login) == 303
        }
    }

    /// The person does what they do; a scan that is decided already stays so.
    func decide(_ player: Player) async throws {
        do { try await fixture.mock.decide(player.email, player.outcome) } catch let complaint as ExpectationError {
            guard complaint.description.contains("E_SCAN_DECIDED") else { throw complaint }
        }
    }

    /// All at the same time, in the order of the items.
    func each<Item: Sendable, Value: Sendable>(
        _ items: [Item],
        _ body: @escaping @Sendable (Item) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            for (index, item) in items.enumerated() { group.addTask { (index, try await body(item)) } }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
