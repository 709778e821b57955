/// How long rows are kept after their end, and how they are deleted.
package struct RetentionSettings: Sendable, Equatable {
    package var operations: Duration = .days(30)
    /// The time from the end of a session or a device link to its deletion.
    package var sessions: Duration = .days(7)
    package var audit: Duration = .days(365)
    /// The time from the bounce of a mail to its deletion.
    package var mail: Duration = .days(30)
    package var sweepInterval: Duration = .seconds(60)
    /// The number of rows deleted in one unit of work.
    package var batch = 500
}

extension SettingsSchema {
    static let retention = SettingSection<RetentionSettings>([
        .value(
            "operations",
            \.operations,
            as: .duration(.days(1)...(.days(3650))),
            help: "How long finished operations are kept: a day at least."
        ),
        .value(
            "sessions",
            \.sessions,
            as: .duration(.seconds(3600)...(.days(3650))),
            help: "How long expired or revoked sessions, refresh tokens and device links are kept."
        ),
        .value(
            "audit",
            \.audit,
            as: .duration(.seconds(3600)...(.days(36_500))),
            help:
                "How long rows of the audit are kept, deleted up to a checkpoint. It cannot be shorter than operations."
        ),
        .value(
            "mail",
            \.mail,
            as: .duration(.seconds(3600)...(.days(3650))),
            help: "How long bounced mail is listed."
        ),
        .value(
            "sweepInterval",
            \.sweepInterval,
            as: .duration(.milliseconds(100)...(.seconds(3600))),
            help: "The time between two sweeps."
        ),
        .value("batch", \.batch, as: .integer(1...10_000), help: "Rows that one unit of work deletes."),
    ])
}
