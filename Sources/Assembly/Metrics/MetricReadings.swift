import Audit
import FaceProviders
package import HTTPAPI
import Kernel
import Mail
import OAuth
import Operations
package import Telemetry

/// Metrics that are read at each scrape, instead of being counted at each change.
extension MetricsRegistry {
    func read(_ service: OperationService) {
        read("vestibule_build_info") { [MetricSample(1, labels: [Version.number])] }
        read("vestibule_operations") {
            let counts = service.cache.countsByState
            return OperationState.Name.allCases.map {
                MetricSample(Double(counts[$0] ?? 0), labels: [$0.rawValue])
            }
        }
        read("vestibule_waiters_parked") { [MetricSample(Double(service.cache.parkedCount))] }
        read("vestibule_watcher_planned") { [MetricSample(Double(service.plannedChecks))] }
        read("vestibule_refusals_total") {
            let totals = service.refusals.totals
            let events = service.refusals.eventTotals
            return RefusalReason.allCases.map { MetricSample(Double(totals[$0] ?? 0), labels: [$0.rawValue]) }
                + TalliedEvent.allCases.filter(\.isRefusal).map {
                    MetricSample(Double(events[$0] ?? 0), labels: [$0.rawValue])
                }
        }
        read("vestibule_limiter_refusals_total") {
            service.limiterRefusals.sorted { $0.key < $1.key }.map { MetricSample(Double($0.value), labels: [$0.key]) }
        }
        read("vestibule_provider_healthy") {
            service.providerHealth.sorted { $0.key.text < $1.key.text }.map {
                MetricSample($0.value ? 1 : 0, labels: [$0.key.text])
            }
        }
        read("vestibule_provider_circuit_state") {
            service.providerCircuits.sorted { $0.key.text < $1.key.text }.flatMap { name, circuit in
                ProviderCircuit.allCases.map { MetricSample($0 == circuit ? 1 : 0, labels: [name.text, $0.rawValue]) }
            }
        }
    }

    func read(_ providers: [GuardedFaceProvider]) {
        read("vestibule_provider_retries_total") {
            providers.map { MetricSample(Double($0.retryCount), labels: [$0.name.text]) }
        }
    }

    func read(_ webhooks: WebhookIntake) {
        read("vestibule_webhooks_total") {
            let counts = webhooks.counts.snapshot
            let known = webhooks.providers.flatMap { provider in
                WebhookOutcome.allCases.map {
                    MetricSample(Double(counts[provider]?[$0] ?? 0), labels: [provider.text, $0.rawValue])
                }
            }
            return known + [MetricSample(Double(webhooks.counts.unknownProvider), labels: ["", "unknown_provider"])]
        }
    }

    func read(_ mail: MailCounts) {
        read("vestibule_mail_deliveries_total") {
            MailKind.allCases.flatMap { kind in
                MailOutcome.allCases.map {
                    MetricSample(Double(mail[kind, $0]), labels: [kind.rawValue, $0.rawValue])
                }
            }
        }
        read("vestibule_mail_queue") {
            let lengths = mail.queue
            return QueuedMail.State.allCases.map { MetricSample(Double(lengths[$0] ?? 0), labels: [$0.rawValue]) }
        }
    }

    func read(_ logouts: LogoutCounts, now: @escaping @Sendable () -> Instant) {
        read("vestibule_logout_deliveries_total") {
            LogoutOutcome.allCases.map { MetricSample(Double(logouts[$0]), labels: [$0.rawValue]) }
        }
        read("vestibule_logout_queue") { [MetricSample(Double(logouts.queue.waiting))] }
        read("vestibule_logout_queue_age_seconds") {
            guard let oldest = logouts.queue.oldest else { return [MetricSample(0)] }
            return [MetricSample(Double(max(0, (now() - oldest).wholeMilliseconds)) / 1000)]
        }
    }

    package func read(_ counts: ConnectionCounts, allowed: Int) {
        read("vestibule_connections_open") { [MetricSample(Double(counts.totals.open))] }
        read("vestibule_connections_allowed") { [MetricSample(Double(allowed))] }
        read("vestibule_connections_accepted_total") { [MetricSample(Double(counts.totals.accepted))] }
        read("vestibule_connections_refused_total") { [MetricSample(Double(counts.totals.refused))] }
        read("vestibule_accept_pauses_total") { [MetricSample(Double(counts.totals.pauses))] }
    }

    func read(_ health: StoreHealth, _ upkeep: any StoreUpkeep) {
        read("vestibule_store_failed_commits_total") {
            StoreHealth.Cause.allCases.map { MetricSample(Double(health.failures[$0] ?? 0), labels: [$0.rawValue]) }
        }
        read("vestibule_store_damaged") { [MetricSample(health.isDamaged ? 1 : 0)] }
        read("vestibule_store_forgetful") { [MetricSample(health.isForgetful ? 1 : 0)] }
        read("vestibule_store_bytes") {
            guard let sizes = upkeep.fileSizes else { return [] }
            return [
                MetricSample(Double(sizes.database), labels: ["database"]),
                MetricSample(Double(sizes.log), labels: ["wal"]),
            ]
        }
    }

    func read(_ readiness: ReadinessCounts) {
        read("vestibule_readiness_total") {
            ReadinessCounts.Outcome.allCases.map { MetricSample(Double(readiness[$0]), labels: [$0.rawValue]) }
        }
    }

    func read(_ clock: DatabaseClock?) {
        read("vestibule_clock_skew_seconds") {
            guard let skew = clock?.skew else { return [] }
            return [MetricSample(Double(skew.ahead.wholeMilliseconds) / 1000)]
        }
    }

    func read(_ clock: SweepClock) {
        read("vestibule_clock_believed") { [MetricSample(clock.isBelieved ? 1 : 0)] }
    }

    func readProcess() {
        read("process_cpu_seconds_total") { ProcessReadings.cpuSeconds.map { [MetricSample($0)] } ?? [] }
        read("process_open_fds") { ProcessReadings.openFiles.map { [MetricSample(Double($0))] } ?? [] }
        read("process_max_fds") { [MetricSample(Double(ProcessReadings.fileLimit))] }
        read("process_virtual_memory_bytes") {
            ProcessReadings.memory.map { [MetricSample(Double($0.virtual))] } ?? []
        }
        read("process_resident_memory_bytes") {
            ProcessReadings.memory.map { [MetricSample(Double($0.resident))] } ?? []
        }
        read("process_start_time_seconds") { ProcessReadings.startTime.map { [MetricSample($0)] } ?? [] }
    }

    func read(_ checkpoints: AuditCheckpoints) {
        read("vestibule_audit_checkpoint_timestamp_seconds") {
            guard let newest = checkpoints.newestKnown else { return [] }
            return [MetricSample(Double(newest.at.milliseconds) / 1000)]
        }
    }
}
