/// How long rows are kept, and how they are swept out.
package struct RetentionSettings: Sendable, Equatable {
    package var operations: Duration = .days(30)
    /// The time from the end of a session or a device link to its deletion.
    package var sessions: Duration = .days(7)
    package var audit: Duration = .days(365)
    /// The time from the bounce of a mail to its deletion.
    package var mail: Duration = .days(30)
    package var sweepInterval: Duration = .seconds(60)
    /// Rows deleted in one unit of work.
    package var batch = 500
}
