import Logging

/// The reports of the engine to operators: refused requests for the audit log, metrics, and log lines.
struct OperationReports: Sendable {
    /// The counts and records of refused requests.
    let refusals: RefusalLog
    let metrics: OperationMetrics
    let logger: Logger
}
