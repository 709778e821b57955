/// The user of the machine who runs a command, as the kernel names them.
package struct Operator: Sendable, Equatable {
    /// The commands that an operator may run.
    package enum Access: Sendable, Equatable {
        /// All commands: for root and the daemon's own user.
        case everything
        /// The commands that only read: for members of `listen.adminReadGroup`.
        case reading
    }

    /// The number of the user.
    package let user: UInt32
    /// The name of the user; `nil` for a user without an entry in the user database.
    package let name: String?
    package let access: Access

    package init(user: UInt32, name: String?, access: Access) {
        self.user = user
        self.name = name
        self.access = access
    }

    /// Whether the operator may run a command with that effect.
    package func mayRun(_ effect: CommandEffect) -> Bool {
        switch (access, effect) {
        case (.everything, _), (.reading, .reads): true
        case (.reading, .writes): false
        }
    }
}

extension Operator: CustomStringConvertible {
    /// The name with the number, because a name can be given to another user later.
    package var description: String { name.map { "\($0) (uid \(user))" } ?? "uid \(user)" }
}
