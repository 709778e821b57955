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

    /// Counts what a command would end, or returns the message of the refusal.
    func preview(_ preview: PreviewRemedy) async -> Result<EndedAccessView, AdminError> {
        await Self.result { try await executor.execute(preview) }
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
