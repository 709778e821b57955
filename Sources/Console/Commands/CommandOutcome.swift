import Admin

/// The reply to a command, as the command line would print it.
struct CommandOutcome: Sendable, Equatable {
    /// `nil` for a reply that is no table.
    let table: ReplyTable?
    let lines: [String]
    /// The message of a command that was carried out and says that something is not as it should be.
    let problem: String?
}

extension CommandArguments {
    /// Sends the command of these arguments, and returns its reply for people.
    func outcome(
        of command: some AdminCommand<Reply>,
        by executor: any CommandExecutor
    ) async throws -> CommandOutcome {
        let reply = try await executor.execute(command)
        return CommandOutcome(table: table(reply), lines: try lines(reply), problem: refusal(reply))
    }
}
