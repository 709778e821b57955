import Foundation
import Subprocess

/// A command that ran to its end.
struct CommandRun: Sendable, CustomStringConvertible {
    let words: String
    let code: Int32
    let output: String
    let error: String

    var description: String { "`\(words)` ended with \(code)\n\(output)\n\(error)" }

    /// The lines of both streams except warnings about the config.
    var complaint: String {
        error.split(separator: "\n").filter { !$0.hasPrefix("warning: ") }.joined(separator: "\n")
    }

    /// Its output as JSON.
    func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do { return try JSONDecoder().decode(type, from: Data(output.utf8)) } catch {
            throw ExpectationError("\(self)\nis no \(type): \(error)")
        }
    }

    /// Runs a program to its end.
    static func run(
        _ name: String,
        _ arguments: [String],
        input: String = "",
        environment: [String: String] = [:],
        within limit: Duration = .seconds(90)
    ) async throws -> CommandRun {
        let words = ([name] + arguments).joined(separator: " ")
        let variables = try Programs.environment(environment)
        return try await bounded(limit, "`\(words)`") {
            let result = try await Subprocess.run(
                .name(name),
                arguments: Arguments(arguments),
                environment: .clean(variables),
                input: .string(input),
                output: .string(limit: 4 * 1024 * 1024),
                error: .string(limit: 4 * 1024 * 1024)
            )
            let code: Int32 =
                switch result.terminationStatus {
                case .exited(let code): code
                // As shells tell it.
                case .signaled(let signal): 128 + signal
                }
            return CommandRun(words: words, code: code, output: result.standardOutput, error: result.standardError)
        }
    }
}
