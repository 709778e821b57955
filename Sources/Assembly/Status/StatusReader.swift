import Admin
import Kernel
import Mail
import Operations

/// Reads the state of the daemon for operators, from memory but for the queues of mail and notices.
struct StatusReader: Sendable {
    let service: OperationService
    let mail: MailFeature
    let notices: NoticeAdministration
    let history: MinuteHistory?
    let owner: OwnerView
    let startedAt: Instant
    let environment: Environment

    func read() async throws -> StatusView {
        let now = environment.now()
        return StatusView(
            process: StatusView.Process(
                version: Version.number,
                owner: owner,
                startedAt: startedAt.milliseconds,
                now: now.milliseconds
            ),
            load: StatusView.Load(
                operations: Dictionary(
                    uniqueKeysWithValues: service.cache.countsByState.map { ($0.key.rawValue, $0.value) }
                ),
                waiting: service.cache.parkedCount,
                refusals: refusals
            ),
            queues: [try await mailQueue(at: now)] + (try await notices.queues(at: now))
                + [checks],
            providers: providers,
            minutes: history?.minutes ?? []
        )
    }

    /// The planned checks; a check that is not due does not wait.
    private var checks: QueueView {
        let overdue = service.oldestOverdueCheck.map(\.components.seconds).flatMap { $0 > 0 ? $0 : nil }
        return QueueView(name: QueueView.checks, count: service.plannedChecks, oldestSeconds: overdue)
    }

    private func mailQueue(at now: Instant) async throws -> QueueView {
        let state = try await mail.queueState(upTo: QueueView.mostCounted + 1)
        let oldest = state.oldest.map { max(0, (now - $0).components.seconds) }
        return QueueView(name: "mail", count: state.count, oldestSeconds: oldest)
    }

    private var refusals: [String: Int] {
        Dictionary(uniqueKeysWithValues: service.refusals.totals.map { ($0.key.rawValue, $0.value) })
    }

    private var providers: [ProviderStatusView] {
        let circuits = service.providerCircuits
        let paused = service.pausedProviders
        return service.providerHealth.sorted { $0.key.text < $1.key.text }.map { name, isHealthy in
            ProviderStatusView(
                name: name.text,
                isHealthy: isHealthy,
                circuit: circuits[name]?.rawValue,
                pausedSeconds: paused[name]?.secondsRoundedUp
            )
        }
    }
}
