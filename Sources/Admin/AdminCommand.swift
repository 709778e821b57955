// Admin owns what operators may ask: one file a command, with its request, handler, reply, printing and timeout.
// It must not know how a request arrives: the socket is HTTPAPI's, and options of the config are Vestibule's.
// It must not open a session or write a row itself: it calls the capabilities' use cases and SignIn's ending.
// The socket, the command line and any console read one table, `AdminTable`; nothing about a command is told elsewhere.
// It must survive an older client: names and members on the socket never change, and no reply holds a kept secret.

/// One command of an operator, which is also its request as the socket carries it.
package protocol AdminCommand<Reply>: Codable, Sendable {
    associatedtype Reply: Codable & Sendable

    /// The command's key on the socket.
    static var name: String { get }
    /// The reply's key on the socket.
    static var replyName: String { get }
    /// How long a client waits for the reply.
    static var timeout: Duration { get }
    /// Whether the command may be the first that a data folder sees, and make it with its keys and its database.
    static var makesDataFolder: Bool { get }
    /// The command on the command line; `nil` for an ``AdminCommand`` that is not a ``CommandLineCommand``.
    static var arguments: (any CommandArguments.Type)? { get }

    /// Carries the command out.
    ///
    /// - Throws: ``AdminError`` or an error that it can be made of, for an expected refusal.
    func handle(_ services: AdminServices) async throws -> Reply
}

extension AdminCommand {
    package static var timeout: Duration { .seconds(60) }
    // Accounts are added before the first start. All other commands ask for what a new folder can't have. So a folder
    // that is missing is a mistyped `--data`, which an empty reply would hide.
    package static var makesDataFolder: Bool { false }
    package static var arguments: (any CommandArguments.Type)? { nil }
}

/// A command that the command line has as it is.
package protocol CommandLineCommand<Reply>: AdminCommand {
    associatedtype Arguments: CommandArguments where Arguments.Reply == Reply
}

extension CommandLineCommand {
    package static var arguments: (any CommandArguments.Type)? { Arguments.self }
}

/// Carries commands out: the daemon behind its socket, or this process.
package protocol CommandExecutor: Sendable {
    /// - Throws: ``AdminError`` when the command is refused.
    func execute<Command: AdminCommand>(_ command: Command) async throws -> Command.Reply
}
