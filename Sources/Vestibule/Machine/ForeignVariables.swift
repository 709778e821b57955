import FoundationEssentials
import Glibc

/// The variables with which libpq would change where and how this program connects to PostgreSQL (PostgreSQL 15, §34.15).
///
/// libpq reads them beside the checked address: `PGHOSTADDR` would send the password to another server, and `PGSERVICE`
/// and `PGOPTIONS` would change settings that were checked.
enum ForeignVariables {
    /// A config may name it for `storage.postgres.password`.
    private static let kept = "PGPASSWORD"

    /// Whether libpq may read a variable of that name.
    static func isForeign(_ name: String) -> Bool { name.hasPrefix("PG") && name != kept }

    /// Removes them from this process.
    ///
    /// No other thread may run meanwhile.
    static func remove() {
        for name in ProcessInfo.processInfo.environment.keys where isForeign(name) { unsetenv(name) }
    }
}
