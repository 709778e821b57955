import Accounts
import HTTPAPI

/// Sends a file of accounts in batches, so that one of any length goes in, and tells how far it is.
struct AccountImporter {
    /// Lines of one request; how many of them are dealt with is the daemon's affair.
    static let batch = 200

    let administrator: Administrator
    /// Takes a line of text about how it goes.
    let report: (String) -> Void

    /// What became of a file.
    struct Outcome: Sendable, Encodable {
        var added = 0
        /// A sentence per line that was not taken.
        var faults: [String] = []
    }

    /// Adds the accounts of `lines`, in their order.
    ///
    /// - Throws: ``Exit``, which names the line that it stopped at.
    func run(_ lines: [AccountImport.Line]) async throws -> Outcome {
        var outcome = Outcome()
        var rest = lines[...]
        while let next = rest.first {
            let reply = try await send(rest.prefix(Self.batch), stoppedAt: next.number, outcome)
            guard reply.done > 0 else { throw Self.stopped(at: next.number, outcome, cause: "no line was taken.") }
            outcome.added += reply.added
            outcome.faults += reply.faults
            for fault in reply.faults { report(fault) }
            rest = rest.dropFirst(reply.done)
            if !rest.isEmpty { report("\(lines.count - rest.count) of \(lines.count) lines are dealt with.") }
        }
        return outcome
    }

    private func send(
        _ lines: ArraySlice<AccountImport.Line>,
        stoppedAt number: Int,
        _ outcome: Outcome
    ) async throws -> AdminReply.ImportView {
        do {
            let reply = try await administrator.send(.importAccounts(lines.map(AdminRequest.ImportLine.init)))
            guard case .imported(let view) = reply else {
                throw Exit.unavailable("the daemon answered something else.")
            }
            return view
        } catch let exit as Exit {
            throw Self.stopped(at: number, outcome, code: exit.code, cause: exit.message)
        }
    }

    private static func stopped(at number: Int, _ outcome: Outcome, code: Int32 = 69, cause: String) -> Exit {
        Exit(
            code: code,
            message:
                "Stopped at line \(number), \(outcome.added) account(s) added before it: \(cause) Run it again when "
                + "that is mended, with --from \(number) to go on here: an address that is in is refused, never added twice."
        )
    }
}

extension AdminRequest.ImportLine {
    init(_ line: AccountImport.Line) {
        self.init(
            number: line.number,
            order: AdminRequest.AccountOrder(
                email: line.order.email,
                name: line.order.name,
                attributes: line.order.attributes.given.map { "\($0.key)=\($0.value)" }.sorted(),
                enroll: line.order.enroll,
                providerAccount: line.order.providerAccount
            )
        )
    }
}
