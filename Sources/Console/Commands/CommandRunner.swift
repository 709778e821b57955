import Admin

/// Runs commands for pages.
struct CommandRunner: Sendable {
    let book = CommandBook()
    let executor: any CommandExecutor
    let input: ConsoleInput

    init(executor: any CommandExecutor, input: ConsoleInput) {
        self.executor = executor
        self.input = input
    }

    /// Runs a command that reads, and returns its reply or the message of its refusal.
    func read(_ command: ConsoleCommand, _ values: FormValues) async -> Result<CommandOutcome, AdminError> {
        guard command.effect == .reads else { return .failure(.notARead) }
        return await run(command, command.words(values))
    }

    /// Runs a command, and returns its reply or the message of its refusal.
    func run(_ command: ConsoleCommand, _ words: CommandWords) async -> Result<CommandOutcome, AdminError> {
        await Self.result { try await command.run(words, input, by: executor) }
    }

    /// Returns what a command would do now, or the message of the refusal.
    func outlook(_ preview: any CommandPreview) async -> Result<any CommandOutlook, AdminError> {
        await outlook(of: preview)
    }

    private func outlook(of preview: some CommandPreview) async -> Result<any CommandOutlook, AdminError> {
        await ask(preview).map { $0 }
    }

    /// Sends a command of a page's own, and returns its reply or the message of its refusal.
    func ask<Command: AdminCommand>(_ command: Command) async -> Result<Command.Reply, AdminError> {
        await Self.result { try await executor.execute(command) }
    }

    private static func result<T>(_ body: () async throws -> T) async -> Result<T, AdminError> {
        do { return .success(try await body()) } catch let error as AdminError {
            return .failure(error)
        } catch {
            return .failure(AdminError(code: "unavailable", message: "The daemon gave no usable answer: \(error)"))
        }
    }
}

extension AdminError {
    fileprivate static let notARead = AdminError(code: "usage", message: "This command changes something.")
}
