import CSQLite

/// The SQLite library of this process.
enum SQLiteLibrary {
    /// Sets what holds for every connection, before the first one; further calls do nothing.
    ///
    /// SQLite then no longer counts its memory, for which each allocation took a lock that all connections share: about
    /// 150 times for a login. Nobody reads the counts.
    static func configure() { _ = configured }

    /// SQLite refuses the setting if the process has opened a database already, and goes on counting.
    private static let configured = vestibule_sqlite_count_memory(0)
}
