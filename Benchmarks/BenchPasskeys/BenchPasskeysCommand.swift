import ArgumentParser
import Foundation

/// `bench-passkeys`: how much the rest of a ceremony adds to the verification of its signature, without server and store.
@main
struct BenchPasskeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-passkeys",
        abstract: "Times the verification of passkeys' answers, and of bare signatures in turn with it, on one core.",
        discussion: """
            Prints a line for each verification and run: its name, and how many of it a second of one core's time does. All \
            of a run take turns, some milliseconds each. Before the first, each has to refuse an answer that is wrong.
            """
    )

    @Option(help: "Runs.") var runs = 5
    @Option(help: "Seconds for each verification in a run.") var seconds = 3.0

    func validate() throws {
        guard runs > 0, seconds > 0 else { throw ValidationError("--runs and --seconds must be above 0.") }
    }

    func run() async throws {
        do {
            let contest = Contest(
                try Signatures.verifications() + Assertions.verifications() + Registrations.verifications()
            )
            try await contest.probe()
            for _ in 0..<runs {
                for (name, rate) in try await contest.run(seconds: seconds) { print(name, Int(rate)) }
            }
        } catch let fault as BenchError {
            FileHandle.standardError.write(Data("bench-passkeys: \(fault.text)\n".utf8))
            throw ExitCode.failure
        }
    }
}

/// Why there is nothing to measure.
struct BenchError: Error {
    let text: String
}
