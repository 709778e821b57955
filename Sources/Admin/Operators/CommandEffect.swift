/// Whether a command changes anything, which decides who may run it.
package enum CommandEffect: String, Sendable {
    /// The command only shows something, and calls no one.
    case reads
    /// The command changes, sends or ends something.
    case writes
}
