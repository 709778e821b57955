/// Where the audit's signed checkpoints go, and how often one is made.
struct AuditSettings: Sendable, Equatable {
    /// A file, one checkpoint a line.
    var checkpoints: String
    var checkpointInterval: Duration = .seconds(300)

    init(dataFolder: String) { checkpoints = dataFolder + "/audit/checkpoints.jws" }
}

/// Where `/metrics` is served.
struct MetricsSettings: Sendable, Equatable {
    var enabled = false
    /// An address or a host name, without brackets.
    var host = "127.0.0.1"
    /// 0 lets the system pick a free one.
    var port = 9464
}
