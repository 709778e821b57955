import Telemetry

/// Every metric: its name, its meaning and its labels.
///
/// Label values are from enums, the config and the route table. They are never an id, an address or anything else from
/// a request.
enum MetricCatalogue {
    static let families: [MetricFamily] =
        [
            MetricFamily(
                "vestibule_build_info",
                .gauge,
                help: "Always 1. The label is the version.",
                labels: ["version"]
            ),

            MetricFamily(
                "vestibule_operations",
                .gauge,
                help: "Operations in memory: the live ones, and those that ended in the last ten minutes.",
                labels: ["state"]
            ),
            MetricFamily(
                "vestibule_operation_transitions_total",
                .counter,
                help: "Operations that came into a state. Those that began are created.",
                labels: ["state"]
            ),
            MetricFamily(
                "vestibule_operation_failures_total",
                .counter,
                help: "Operations that failed, by the code that their client was told.",
                labels: ["code"]
            ),
            MetricFamily(
                "vestibule_operation_verdict_seconds",
                .duration([1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 900]),
                help: "From the start of an operation to the provider's verdict about the person.",
                labels: ["verdict"]
            ),
            MetricFamily("vestibule_waiters_parked", .gauge, help: "Requests that wait for a change of an operation."),
            MetricFamily(
                "vestibule_watcher_lag_seconds",
                .duration([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
                help: "How late the watcher's checks begin."
            ),
            MetricFamily(
                "vestibule_watcher_planned",
                .gauge,
                help: "Operations that the watcher has a check planned for."
            ),
            MetricFamily(
                "vestibule_refusals_total",
                .counter,
                help: "Requests that were turned away, by reason.",
                labels: ["reason"]
            ),
            MetricFamily(
                "vestibule_limiter_refusals_total",
                .counter,
                help: "Requests that a limiter refused, by limiter.",
                labels: ["limiter"]
            ),

            MetricFamily(
                "vestibule_provider_request_seconds",
                .duration([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]),
                help: "Calls of a face provider, by outcome.",
                labels: ["provider", "call", "outcome"],
                hidesZeros: true
            ),
            MetricFamily(
                "vestibule_provider_healthy",
                .gauge,
                help: "1 while a face provider answers, 0 while it is degraded.",
                labels: ["provider"]
            ),
            MetricFamily(
                "vestibule_provider_circuit_state",
                .gauge,
                help: "1 for the state of a face provider's circuit: while open, starts or checks are not sent.",
                labels: ["provider", "state"]
            ),
            MetricFamily(
                "vestibule_provider_retries_total",
                .counter,
                help: "Status checks of a face provider that were tried again at once.",
                labels: ["provider"]
            ),

            MetricFamily(
                "vestibule_webhooks_total",
                .counter,
                help:
                    "Webhooks by provider and outcome. Those for no configured provider have an empty provider.",
                labels: ["provider", "outcome"]
            ),

            MetricFamily(
                "vestibule_store_seconds",
                .duration([0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]),
                help:
                    "Commits of a group of units of work with their sync, and reads. A group is one unit with PostgreSQL.",
                labels: ["work"]
            ),
            MetricFamily(
                "vestibule_store_commit_units",
                .distribution([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]),
                help: "Units of work that shared a commit."
            ),
            MetricFamily(
                "vestibule_store_reruns_total",
                .counter,
                help:
                    "Units of work and reads that were run again: PostgreSQL refused them because of others, or the connection was lost."
            ),
            MetricFamily(
                "vestibule_store_lanes_busy",
                .gauge,
                help: "Connections to PostgreSQL that run a unit of work or a read."
            ),
            MetricFamily(
                "vestibule_store_failed_commits_total",
                .counter,
                help: "Groups of units of work that the database refused, by whether it was unavailable or corrupt.",
                labels: ["cause"]
            ),
            MetricFamily(
                "vestibule_store_damaged",
                .gauge,
                help: "1 once a damaged page was met, until the next start."
            ),
            MetricFamily(
                "vestibule_store_forgetful",
                .gauge,
                help:
                    "1 if the PostgreSQL server can forget logins at a crash or a failover, by its settings at the start."
            ),
            MetricFamily(
                "vestibule_store_bytes",
                .gauge,
                help: "The size of the SQLite database and of its log (-wal). Absent with PostgreSQL.",
                labels: ["file"]
            ),
            MetricFamily(
                "vestibule_readiness_total",
                .counter,
                help:
                    "Answers of /readyz: ready, unavailable (the store can't be used), skewed (the clock differs), unheard (other daemons have another storage.postgres.notices), draining (it stops) or drained (by an operator).",
                labels: ["outcome"]
            ),
            MetricFamily(
                "vestibule_clock_believed",
                .gauge,
                help:
                    "0 while the wall clock can't be believed, and no old rows are deleted for it: in a new SQLite database for a day."
            ),
            MetricFamily(
                "vestibule_clock_skew_seconds",
                .gauge,
                help:
                    "By how much the clock, or the daemon's time since its start, is ahead of the PostgreSQL server's. Absent with SQLite."
            ),
            MetricFamily(
                "vestibule_audit_checkpoint_timestamp_seconds",
                .gauge,
                help:
                    "When the newest checkpoint of the audit was made that this daemon knows. Of several daemons the greatest "
                    + "counts. Absent before the first."
            ),

            MetricFamily(
                "vestibule_mail_deliveries_total",
                .counter,
                help: "Tries to deliver mail, by the mail's purpose and by outcome.",
                labels: ["kind", "outcome"]
            ),
            MetricFamily(
                "vestibule_mail_queue",
                .gauge,
                help: "Mails that wait to be delivered, and mails that bounced.",
                labels: ["state"]
            ),

            MetricFamily(
                "vestibule_logout_deliveries_total",
                .counter,
                help: "Tries to tell clients that a session ended, by outcome.",
                labels: ["outcome"]
            ),
            MetricFamily(
                "vestibule_logout_queue",
                .gauge,
                help: "Ended sessions of which their client is to be told. Of several daemons the greatest counts."
            ),
            MetricFamily(
                "vestibule_logout_queue_age_seconds",
                .gauge,
                help: "How long ago the session ended of which a client waits longest to be told. 0 while none waits."
            ),

            MetricFamily("vestibule_connections_open", .gauge, help: "Connections of clients that are open."),
            MetricFamily(
                "vestibule_connections_allowed",
                .gauge,
                help: "The most that may be open: listen.maxConnections, or what the limit of open files leaves of it."
            ),
            MetricFamily(
                "vestibule_connections_accepted_total",
                .counter,
                help: "Connections of clients that were accepted."
            ),
            MetricFamily(
                "vestibule_connections_refused_total",
                .counter,
                help: "Connections that were closed because their address has listen.maxConnectionsPerAddress already."
            ),
            MetricFamily(
                "vestibule_accept_pauses_total",
                .counter,
                help: "Times that no connections were accepted because the system gave no more files."
            ),
            MetricFamily(
                "vestibule_http_requests_total",
                .counter,
                help: "Requests by the template of their route. Unmatched ones were refused before any route.",
                labels: ["method", "route", "status"],
                hidesZeros: true
            ),
            MetricFamily(
                "vestibule_http_request_seconds",
                .duration([0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5, 30]),
                help:
                    "Time in a route's handler. A GET that waits for a change does so before it, a POST and a stream in it.",
                labels: ["method", "route"],
                hidesZeros: true
            ),
        ] + process

    /// The metrics that Prometheus' own client libraries provide for every process
    /// (https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics).
    private static let process = [
        MetricFamily("process_cpu_seconds_total", .counter, help: "Total user and system CPU time spent in seconds."),
        MetricFamily("process_open_fds", .gauge, help: "Number of open file descriptors."),
        MetricFamily("process_max_fds", .gauge, help: "Maximum number of open file descriptors."),
        MetricFamily("process_virtual_memory_bytes", .gauge, help: "Virtual memory size in bytes."),
        MetricFamily("process_resident_memory_bytes", .gauge, help: "Resident memory size in bytes."),
        MetricFamily(
            "process_start_time_seconds",
            .gauge,
            help: "Start time of the process since unix epoch in seconds."
        ),
    ]
}
