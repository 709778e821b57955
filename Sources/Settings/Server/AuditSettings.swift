/// The destination of the audit's signed checkpoints, and their interval.
package struct AuditSettings: Sendable, Equatable {
    /// A file, one checkpoint a line.
    package var checkpoints: String
    package var checkpointInterval: Duration = .seconds(300)

    package init(dataFolder: String) { checkpoints = dataFolder + "/audit/checkpoints.jws" }
}

/// The address at which `/metrics` is served.
package struct MetricsSettings: Sendable, Equatable {
    package var enabled = false
    /// An address or a host name, without brackets.
    package var host = "127.0.0.1"
    /// 0 lets the system pick a free one.
    package var port = 9464
}
