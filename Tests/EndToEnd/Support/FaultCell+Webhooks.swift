import Kernel
import Wire

// The column where the cadence is so slow that a check comes by a webhook or not at all.
extension FaultPlay {
    /// A cadence that no cell outlasts.
    static let cadence = ["faceLogin.hotCheck=30s", "faceLogin.coldCheck=60s"]

    func runWebhook() async throws -> FaultResult {
        var result = FaultResult(cell: cell)
        let logins = try await each(players) { player in
            let login = try await fixture.app.initiate(player.email)
            try await press(login)
            return login
        }
        try await forge(&result)
        try await fixture.mock.breakDown("status", cell.fault, milliseconds: cell.milliseconds)
        let before = try await checks()
        if cell.spoilsScan {
            // It has to strike a check of each scan before its person is through.
            _ = try await each(players) { try await notify($0) }
            try await awaitCheck(after: before + players.count - 1)
        }
        // The mock sends a webhook for each end by itself.
        _ = try await each(players) { try await decide($0) }
        try await awaitCheck(after: before)
        for answer in try await each(logins, { try await fixture.app.poll($0) })
        where answer.status == .completed && !cell.letsAnswersThrough { result.falseSuccesses += 1 }
        try await fixture.mock.mend()
        result.checksByWebhooks = try await checks() - before
        let mended = ContinuousClock.now
        let ends = try await each(Array(zip(players, logins))) { player, login in
            if cell.spoilsScan, try await fixture.app.poll(login).status == .pending {
                try await press(login)
                try await decide(player)
            }
            let answer = try await follow(login, of: player)
            return (player, answer, ContinuousClock.now - mended)
        }
        for (player, answer, served) in ends {
            result.recovery = max(result.recovery, served)
            count(answer, player, &result)
        }
        return result
    }

    /// Forged webhooks about every scan: each refused, and no check for them.
    ///
    /// A check of the slow cadence may fall into that moment once, but not every time.
    private func forge(_ result: inout FaultResult) async throws {
        for _ in 0..<4 {
            let before = try await checks()
            let answers = try await each(players) { player in
                try await fixture.mock.webhook(about: try await fixture.mock.newestScan(of: player.email), "forged")
            }
            result.forgeriesTaken += answers.count { $0 != [401] }
            // Longer than a genuine one's check may take to come (WebhookHints.interval).
            try await Task.sleep(for: .milliseconds(1200))
            result.checksByForgeries = try await checks() - before
            if result.checksByForgeries == 0 { return }
        }
    }

    /// Seen through by webhooks, as a provider sends them again until they are taken.
    private func follow(_ login: App.Login, of player: Player) async throws -> PollLoginResponse {
        try await eventually("an end of the login", within: .seconds(60), every: .milliseconds(500)) {
            let answer = try await fixture.app.poll(login)
            if answer.status != .pending { return answer }
            try await notify(player)
            return nil
        }
    }

    private func notify(_ player: Player) async throws {
        _ = try await fixture.mock.webhook(about: try await fixture.mock.newestScan(of: player.email))
    }

    private func awaitCheck(after before: Int) async throws {
        try await eventually("a check that a webhook causes", within: .seconds(25)) {
            try await checks() > before
        }
    }

    private func checks() async throws -> Int { try await fixture.mock.calls()["transaction_status"] ?? 0 }
}
