import Admin
import Kernel

// The first page, and that of the providers: what the daemon does now.
extension ConsolePages {
    /// The states of logins in progress.
    private static let liveStates = ["created", "opened", "pending", "approved", "redeemed"]
    private static let newest = 20

    /// Returns what happens now, and the last hour.
    func nowPage() async -> ConsoleContent {
        var content = ConsoleContent.page("Now", current: "")
        content.isLive = true
        var now = now()
        switch await status() {
        case .failure(let error): content.fault = error.message
        case .success(let status):
            now = Instant(milliseconds: status.process.now)
            content.sections = [
                .init(name: "The last hour", heading: "The last hour", charts: Self.charts(status)),
                .init(name: "State", heading: "State", body: .init(pairs: .init(all: Self.pairs(status)))),
                .init(name: "Providers", heading: "Providers", body: .init(table: Self.table(status))),
                .init(name: "Errors", heading: "Errors", body: .init(table: Self.errors(status))),
            ]
        }
        content.sections.append(await live(at: now))
        return content
    }

    /// Returns the newest logins in progress, each with its age.
    ///
    /// The page is read again each second while it is looked at, so that the ages are right.
    private func live(at now: Instant) async -> ConsoleContent.Section {
        var section = ConsoleContent.Section(name: "Logins in progress", heading: "Logins in progress")
        let asked = ListOperations(states: Self.liveStates, limit: Self.newest)
        switch await runner.ask(asked) {
        case .failure(let error): section.lead = error.message
        case .success(let operations):
            let table = ReplyTable(
                titles: ["AGE"] + OperationView.titles,
                rows: operations.map { ["\($0.ageSeconds(at: now)) s"] + $0.cells }
            )
            let after = operations.count < Self.newest ? nil : operations.last?.row
            section.body.table = .init(
                table,
                caption: "Logins in progress, the newest first",
                link: { ConsoleLinks.link(in: "operations", $0, $1) },
                next: after.map { row in
                    PageAddress.path(
                        "/logins",
                        [("o_state", Self.liveStates.joined(separator: "\n")), ("o_after", row)]
                    )
                }
            )
        }
        return section
    }

    /// Returns the providers, each with a page of its own for what can be done.
    func providers() async -> ConsoleContent {
        var content = ConsoleContent.page("Providers", current: "provider")
        content.isLive = true
        switch await status() {
        case .failure(let error): content.fault = error.message
        case .success(let status):
            content.sections = [
                .init(
                    name: "Providers",
                    lead: "A provider's name leads to its test, to its pause with who takes over, and to its return.",
                    charts: status.providers.map { Self.latency(of: $0.name, status) },
                    body: .init(table: Self.table(status))
                )
            ]
        }
        return content
    }

    private func status() async -> Result<StatusView, AdminError> { await runner.ask(ShowStatus()) }

    private static func charts(_ status: StatusView) -> [ConsoleContent.Chart] {
        let minutes = status.minutes
        return [
            .init("Begun a minute", minutes.map { Double($0.logins.begun) }),
            .init("Approved a minute", minutes.map { Double($0.logins.approved) }),
            .init("Failed a minute", minutes.map { Double($0.logins.failed) }),
            .init("In progress", minutes.map { Double($0.logins.live) }),
            .init("Waiting requests", minutes.map { Double($0.requests.waiting) }),
            .init("Refused a minute", minutes.map { Double($0.requests.refused) }),
        ] + status.providers.flatMap { [success(of: $0.name, status), latency(of: $0.name, status)] }
    }

    /// Returns the chart of the part of a provider's calls that had a usable answer.
    ///
    /// A minute without a call has that of the one before.
    private static func success(of provider: String, _ status: StatusView) -> ConsoleContent.Chart {
        var last = 100.0
        let values = status.minutes.map { minute -> Double in
            if let calls = minute.providers.first(where: { $0.name == provider }), calls.calls > 0 {
                last = Double((calls.calls - calls.failures) * 100) / Double(calls.calls)
            }
            return last
        }
        return .init("Answered by \(provider)", values, unit: " %")
    }

    /// Returns the errors of the last hour, the most frequent first.
    private static func errors(_ status: StatusView) -> ConsoleContent.Table {
        let counts = status.minutes.compactMap(\.errors).reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        let titles = ["error", "times"]
        return .init(
            caption: "Failed logins by their code, and failed commits, in the last hour",
            titles: titles,
            rows: counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { error, count in
                .init(cells: [.init(error, in: titles[0]), .init(String(count), in: titles[1])])
            }
        )
    }

    /// Returns the chart of a provider's mean time of a call.
    private static func latency(of provider: String, _ status: StatusView) -> ConsoleContent.Chart {
        let values = status.minutes.map { minute -> Double in
            guard let calls = minute.providers.first(where: { $0.name == provider }), calls.calls > 0 else { return 0 }
            return Double(calls.milliseconds) / Double(calls.calls)
        }
        return .init("Latency of \(provider)", values, unit: " ms")
    }

    private static func pairs(_ status: StatusView) -> [ConsoleContent.Entry] {
        let live = status.load.operations.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        let refused = status.load.refusals.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return live.map { state, count in
            .init("Logins \(state)", String(count), href: PageAddress.path("/logins", [("o_state", state)]))
        }
            + [.init("Waiting requests", String(status.load.waiting))]
            + status.queues.map { .init("Queue: \($0.name)", $0.words) }
            + refused.prefix(8).map { .init("Refused: \($0.key)", String($0.value)) }
    }

    private static let titles = ["name", "state", "circuit", "pause", "calls", "answered", "mean time"]

    private static func table(_ status: StatusView) -> ConsoleContent.Table {
        .init(
            caption: "Face providers, and their calls in the last hour",
            titles: titles,
            rows: status.providers.map { row(of: $0, status.minutes) }
        )
    }

    private static func row(of provider: ProviderStatusView, _ minutes: [MinuteView]) -> ConsoleContent.Row {
        let calls = minutes.flatMap(\.providers).filter { $0.name == provider.name }
        let all = calls.reduce(0) { $0 + $1.calls }
        let failures = calls.reduce(0) { $0 + $1.failures }
        let time = calls.reduce(0) { $0 + $1.milliseconds }
        let values = [
            provider.name, provider.isHealthy ? "ok" : "degraded", provider.circuit ?? "-",
            provider.pausedSeconds.map { "for \($0) s" } ?? "-", String(all),
            all == 0 ? "-" : "\((all - failures) * 100 / all) %", all == 0 ? "-" : "\(time / Int64(all)) ms",
        ]
        let own = ConsoleLinks.item(provider.name, of: "provider")
        return .init(
            cells: zip(titles, values).map { title, value in
                .init(value, in: title, href: title == "name" ? own : nil)
            }
        )
    }
}
