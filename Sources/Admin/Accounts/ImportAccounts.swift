package import Accounts
import Kernel

/// A part of `vestibule accounts import`: adds the accounts of several lines of a file.
package struct ImportAccounts: AdminCommand {
    package static let name = "importAccounts"
    package static let replyName = "imported"
    package static let effect = CommandEffect.writes
    // A face provider is called, as when an account is added.
    package static let timeout = Duration.seconds(300)
    package static let makesDataFolder = true
    /// The time after which no further line is started, so that the client soon learns how many are done.
    private static let time: Duration = .seconds(15)

    var lines: [Line]

    package init(lines: [Line]) { self.lines = lines }

    /// An account from a file, with its line number.
    package struct Line: Codable, Sendable, Equatable {
        var number: Int
        var account: AddAccount.Details

        private enum CodingKeys: String, CodingKey {
            case number
            case account = "order"
        }
    }

    /// The outcome for the lines that were sent.
    package struct Outcome: Codable, Sendable, Equatable {
        /// The number of lines, from the first on, that were added or refused.
        ///
        /// The client sends the remaining lines again.
        package var done = 0
        package var added = 0
        /// A sentence for each line that was refused.
        package var faults: [String] = []
    }

    private enum CodingKeys: String, CodingKey { case lines = "_0" }

    /// Adds the accounts line by line.
    ///
    /// The refusal of one line does not stop the others.
    ///
    /// Stops, with at least one line done, when the time is up or the database fails.
    package func handle(_ services: AdminServices) async throws -> Outcome {
        let end = services.environment.clock.now + Self.time
        var outcome = Outcome()
        for line in lines {
            guard outcome.done == 0 || services.environment.clock.now < end else { break }
            do {
                _ = try await line.account.add(to: services.accounts)
                outcome.added += 1
            } catch let fault as AccountError {
                outcome.faults.append(AccountError.badImport(line: line.number, reason: fault.message).message)
            } catch  where outcome.done > 0 {
                // The error is thrown when the line is sent again as the first one.
                return outcome
            }
            outcome.done += 1
        }
        return outcome
    }
}

extension ImportAccounts.Line {
    /// Converts a line of a file to the form in which it is sent.
    package init(_ line: AccountImport.Line) {
        self.init(
            number: line.number,
            account: AddAccount.Details(
                email: line.account.email,
                name: line.account.name,
                attributes: line.account.attributes.given.map { "\($0.key)=\($0.value)" }.sorted(),
                enroll: line.account.enroll,
                providerAccount: line.account.providerAccount
            )
        )
    }
}
