import FoundationEssentials
import Glibc
import Synchronization

/// The variables with which libpq would change where and how this program connects to PostgreSQL (PostgreSQL 15, §34.15).
///
/// libpq reads them beside the checked address: `PGHOSTADDR` would send the password to another server, `PGPASSWORD` would
/// be sent where the config names no password, and `PGSERVICE` and `PGOPTIONS` would change settings that were checked.
enum ForeignVariables {
    private static let removed = Mutex<[String: String]>([:])

    /// This process's variables for the config, which may name one that libpq must not see: `env:PGPASSWORD`.
    static var withRemoved: [String: String] {
        ProcessInfo.processInfo.environment.merging(removed.withLock { $0 }) { current, _ in current }
    }

    /// Whether libpq may read a variable of that name.
    static func isForeign(_ name: String) -> Bool { name.hasPrefix("PG") }

    /// Runs `body`, which executes this program again, with the variables as they were.
    static func restored(for body: () -> Void) {
        for (name, value) in removed.withLock({ $0 }) { setenv(name, value, 1) }
        body()
        remove()
    }

    /// Removes them from this process.
    ///
    /// No other thread may run meanwhile.
    static func remove() {
        let foreign = ProcessInfo.processInfo.environment.filter { isForeign($0.key) }
        removed.withLock { $0 = foreign }
        for name in foreign.keys { unsetenv(name) }
    }
}
