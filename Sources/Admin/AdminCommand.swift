// Admin owns what operators may ask: one file a command, with its request, handler, reply, printing and timeout.
// It must not know how a request arrives: the socket is in HTTPAPI, and the config's options are in Vestibule.
// It must not open a session or write a row itself: it calls the modules' use cases and SignIn's ending.
// The socket, the command line and any console read one table, `AdminTable`, which alone describes the commands.
// It must survive an older client: names and members on the socket never change, and no reply holds a kept secret.

/// A command of an operator, which is also the request that is sent on the socket.
package protocol AdminCommand<Reply>: Codable, Sendable {
    associatedtype Reply: Codable & Sendable

    /// The command's key on the socket.
    static var name: String { get }
    /// The reply's key on the socket.
    static var replyName: String { get }
    /// Whether the command only reads, which everybody in the read-only group may.
    ///
    /// It has no default, so that no new command is open to readers by mistake.
    static var effect: CommandEffect { get }
    /// How long a client waits for the reply.
    static var timeout: Duration { get }
    /// Whether the command may be used before the first start, and then creates the data folder, its keys and its
    /// database.
    static var makesDataFolder: Bool { get }
    /// Whether only a running daemon can carry out the command, because it is about daemons that run.
    static var needsDaemon: Bool { get }
    /// The command's arguments; `nil` for an ``AdminCommand`` that is not a ``CommandLineCommand``.
    static var arguments: (any CommandArguments.Type)? { get }

    /// The id of what the command is about, for the audit; `nil` for a person, whose rows have the account.
    var target: String? { get }
    /// Whether the audit has a row of an operator who runs it.
    var isRecorded: Bool { get }
    /// Whether it is carried out also while that row can't be written.
    var mayGoUnrecorded: Bool { get }

    /// What tells an operator, before the command is run, what it would do now; `nil` for most commands.
    var preview: (any CommandPreview)? { get }

    /// Runs the command.
    ///
    /// - Throws: For an expected refusal ``AdminError``, or an error that can be converted to it.
    func handle(_ services: AdminServices) async throws -> Reply
}

extension AdminCommand {
    package static var timeout: Duration { .seconds(60) }
    // Accounts may be added before the first start. All other commands need data that a new folder can't have. For
    // them a missing folder is a mistyped `--data`, which an empty reply would hide.
    package static var makesDataFolder: Bool { false }
    package static var needsDaemon: Bool { false }
    package static var arguments: (any CommandArguments.Type)? { nil }
    package var target: String? { nil }
    // Pages of a console read every few seconds, and would bury the other rows.
    package var isRecorded: Bool { Self.effect == .writes }
    package var mayGoUnrecorded: Bool { false }
    package var preview: (any CommandPreview)? { nil }
}

/// A command that tells what another command would do now.
package protocol CommandPreview<Reply>: AdminCommand where Reply: CommandOutlook {}

/// What a command would do now.
package protocol CommandOutlook {
    /// A sentence for people.
    var sentence: String { get }
    /// The words of the button that runs the command; `nil` for the usual ones.
    var button: String? { get }
}

extension CommandOutlook {
    package var button: String? { nil }
}

/// A command that is available on the command line.
package protocol CommandLineCommand<Reply>: AdminCommand {
    associatedtype Arguments: CommandArguments where Arguments.Reply == Reply
}

extension CommandLineCommand {
    package static var arguments: (any CommandArguments.Type)? { Arguments.self }
}

/// Runs commands: the daemon behind its socket, or this process.
package protocol CommandExecutor: Sendable {
    /// - Throws: ``AdminError`` when the command is refused.
    func execute<Command: AdminCommand>(_ command: Command) async throws -> Command.Reply
}
