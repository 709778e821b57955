import Logging

/// What the engine tells operators: refused requests for the audit, metrics, and log lines.
struct OperationReports: Sendable {
    /// The record of refused requests.
    let refusals: RefusalLog
    let metrics: OperationMetrics
    let logger: Logger
}
