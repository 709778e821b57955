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
    let startedAt: Instant
    let environment: Environment

    func read() async throws -> StatusView {
        let now = environment.now()
        return StatusView(
            version: Version.number,
            startedAt: startedAt.milliseconds,
            now: now.milliseconds,
            operations: Dictionary(
                uniqueKeysWithValues: service.cache.countsByState.map { ($0.key.rawValue, $0.value) }
            ),
            waiting: service.cache.parkedCount,
            queues: [try await mailQueue(at: now)] + (try await notices.queues(at: now))
                + [QueueView(name: "checks", count: service.plannedChecks)],
            refusals: refusals,
            providers: providers,
            minutes: history?.minutes ?? []
        )
    }

    private func mailQueue(at now: Instant) async throws -> QueueView {
        let state = try await mail.queueState()
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
