import Accounts
import Admin

/// Sends a file of accounts of any length in batches, and reports its progress.
struct AccountImporter {
    /// Lines of one request; how many of them are dealt with is the daemon's affair.
    static let batch = 200

    let executor: any CommandExecutor
    /// Takes a line of text about the progress.
    let report: (String) -> Void

    /// The outcome of a file.
    struct Outcome: Sendable, Encodable {
        var added = 0
        /// A sentence per line that was not taken.
        var faults: [String] = []
    }

    /// Adds the accounts of `lines`, in their order.
    ///
    /// - Throws: ``ExitError``, which names the line that it stopped at.
    func run(_ lines: [AccountImport.Line]) async throws -> Outcome {
        var outcome = Outcome()
        var rest = lines[...]
        while let next = rest.first {
            let reply = try await send(rest.prefix(Self.batch), stoppedAt: next.number, outcome)
            guard reply.done > 0 else { throw Self.stopped(at: next.number, outcome, cause: "no line was imported.") }
            outcome.added += reply.added
            outcome.faults += reply.faults
            for fault in reply.faults { report(fault) }
            rest = rest.dropFirst(reply.done)
            if !rest.isEmpty { report("\(lines.count - rest.count) of \(lines.count) lines are done.") }
        }
        return outcome
    }

    private func send(
        _ lines: ArraySlice<AccountImport.Line>,
        stoppedAt number: Int,
        _ outcome: Outcome
    ) async throws -> ImportAccounts.Outcome {
        do {
            return try await executor.execute(ImportAccounts(lines: lines.map { ImportAccounts.Line($0) }))
        } catch {
            guard let exit = ExitError(error) else { throw error }
            throw Self.stopped(at: number, outcome, code: exit.code, cause: exit.message)
        }
    }

    private static func stopped(at number: Int, _ outcome: Outcome, code: Int32 = 69, cause: String) -> ExitError {
        ExitError(
            code: code,
            message:
                "Stopped at line \(number), \(outcome.added) account(s) added before it: \(cause) Remove the cause, "
                + "then continue with --from \(number): an address that was added before is refused."
        )
    }
}
