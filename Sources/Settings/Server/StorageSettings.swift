/// Where rows are kept, and how durable they are.
package struct StorageSettings: Sendable, Equatable {
    /// The SQLite database.
    package var file: String
    package var durability: Durability = .full
    /// How long a writer waits for another process's lock.
    package var busyTimeout: Duration = .seconds(5)

    package init(dataFolder: String) { file = dataFolder + "/vestibule.sqlite" }

    /// SQLite's `synchronous`.
    package enum Durability: String, Sendable, CaseIterable {
        /// A commit has reached the disk when it returns.
        case full
        /// A loss of power may undo the latest commits, so that a delivered login may be gone after it.
        case normal
    }
}

/// How long rows are kept, and how they are swept out.
package struct RetentionSettings: Sendable, Equatable {
    package var operations: Duration = .days(30)
    /// From the end of a session or a device link to its deletion.
    package var sessions: Duration = .days(7)
    package var audit: Duration = .days(365)
    /// From the bounce of a mail to its deletion.
    package var mail: Duration = .days(30)
    package var sweepInterval: Duration = .seconds(60)
    /// Rows deleted in one unit of work.
    package var batch = 500
}
