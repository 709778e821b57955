import Admin
import ArgumentParser
import FoundationEssentials
import Kernel
import Settings

/// `vestibule doctor`: checks an installation from outside and from inside.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check an installation, and suggest repairs.",
        discussion: """
            Checks the name, certificate and proxy of publicURL, the clock, the disk, permissions, keys, a PostgreSQL server, \
            providers, the mail server, metrics and the queues. Changes nothing, begins no scan and sends no mail. It lists as \
            not checked whatever it cannot check. Run it on the daemon's machine, as its user, with its variables.

            Exit codes: 0 no error, 1 an error, 78 a fault in the config.

            EXAMPLES
              vestibule doctor
              vestibule doctor --config /etc/vestibule/vestibule.yaml \\
                --data /var/lib/vestibule
              vestibule doctor --json
            """
    )

    @Flag(help: "Print JSON, and progress to standard error.") var json = false
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await ExitError.guarding {
            let variables = SettingsOptions.ownEnvironment
            let installation = Installation(
                loaded: try options.load(),
                configFile: options.config ?? variables["VESTIBULE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 },
                admin: try options.adminAddress(),
                workingFolder: FileManager.default.currentDirectoryPath,
                credentialsFolder: variables["CREDENTIALS_DIRECTORY"],
                environment: .system
            )
            let checks = installation.checks
            let findings = await Doctor.run(checks) { check, findings, done in
                if json { return StandardError.print("checked \(check.name) (\(done) of \(checks.count))") }
                for line in findings.flatMap(\.lines) { StandardOutput.print(line) }
            }
            StandardOutput.print(json ? try Rendering.json(findings) : findings.summary)
            if findings.hasErrors { throw ExitCode(1) }
        }
    }
}
