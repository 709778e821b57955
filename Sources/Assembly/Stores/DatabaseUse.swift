import Kernel
import Storage

/// How a process uses a database.
struct DatabaseUse: Sendable {
    /// The mark of the keys that belong to the database.
    let keyMark: Digest256
    let process: ProcessRole
    /// What other daemons are told of this one.
    let description: NodeDescription
}

/// What a process is to a database that others may share.
package enum ProcessRole: Sendable {
    /// One of the daemons.
    case daemon
    /// A command, which follows no operations, and tells the daemons what it has changed.
    case command
    /// The only process, which is told of nothing. Tests with a time of their own are such: leases are in real time.
    case only
}
