/// Where rows are kept, and how durable they are.
struct StorageSettings: Sendable, Equatable {
    /// The SQLite database.
    var file: String
    var durability: Durability = .full
    /// How long a writer waits for another process's lock.
    var busyTimeout: Duration = .seconds(5)

    init(dataFolder: String) { file = dataFolder + "/vestibule.sqlite" }

    /// SQLite's `synchronous`.
    enum Durability: String, Sendable, CaseIterable {
        /// A commit has reached the disk when it returns.
        case full
        /// A loss of power may undo the latest commits, so that a delivered login may be gone after it.
        case normal
    }
}

/// How long rows are kept, and how they are swept out.
struct RetentionSettings: Sendable, Equatable {
    var operations: Duration = .days(30)
    /// From the end of a session or a device link to its deletion.
    var sessions: Duration = .days(7)
    var audit: Duration = .days(365)
    /// From the bounce of a mail to its deletion.
    var mail: Duration = .days(30)
    var sweepInterval: Duration = .seconds(60)
    /// Rows deleted in one unit of work.
    var batch = 500
}
