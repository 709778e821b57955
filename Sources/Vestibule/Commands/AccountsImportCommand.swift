import Accounts
import Admin
import ArgumentParser
import FoundationEssentials

extension AccountsCommand {
    /// `vestibule accounts import`.
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import accounts from a CSV file.",
            discussion: """
                The first line names the columns: email, name, provider, providerAccount, and any attribute. A \
                providerAccount names an existing account at the provider. Without it an account is made there. A file \
                with malformed lines is refused, and all of them are named. A line whose account cannot be added (an \
                address that is taken, a provider that does not answer) is reported, and the others are imported. Exit code 1 \
                when a line was left out.

                A long file is imported in parts, with the progress on standard error. A file can be imported again: an \
                address or a providerAccount that exists is refused. Lines with neither cannot be compared and are \
                added again. Use --from to continue an import that stopped.

                EXAMPLES
                  vestibule accounts import people.csv
                  vestibule accounts import people.csv --from 1201
                  printf 'email,role\\nboss@example.com,admin\\n' | \\
                    vestibule accounts import -
                """
        )

        @Argument(help: "The file, or “-” for standard input.") var file: String
        @Option(help: ArgumentHelp("Skip the lines of the file before this one.", valueName: "line"))
        var from = 1
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await ExitError.guarding {
                let result = try await self.result()
                print(json ? try Rendering.json(result) : "Added \(result.added) account(s).")
                guard result.faults.isEmpty else { throw ExitCode(1) }
            }
        }

        private func result() async throws -> AccountImporter.Outcome {
            let text = try Self.read(file)
            let lines: [AccountImport.Line]
            do throws(AccountImportErrors) { lines = try AccountImport.parse(text) } catch {
                let faults = error.faults.map(\.message)
                for fault in faults { StandardError.print(fault) }
                return AccountImporter.Outcome(faults: faults)
            }
            let wanted = lines.filter { $0.number >= from }
            let client = AdminClient(options: options, environment: .system)
            return try await client.use(making: ImportAccounts.makesDataFolder) { executor in
                try await AccountImporter(executor: executor, report: StandardError.print).run(wanted)
            }
        }

        private static func read(_ file: String) throws -> String {
            guard file != "-" else {
                var text = ""
                while let line = readLine(strippingNewline: false) { text += line }
                return text
            }
            guard let data = FileManager.default.contents(atPath: file) else {
                throw ExitError.storage("\(file) cannot be read. Check the path and its permissions.")
            }
            return String(decoding: data, as: UTF8.self)
        }
    }
}
