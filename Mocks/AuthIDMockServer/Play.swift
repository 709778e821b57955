import ArgumentParser
import AuthIDMock
import MockPrograms

/// `authid-mock play`: serves, and does what a timeline says.
struct Play: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve, and play the timeline of a scenario file with a line for each step.",
        discussion: """
            A step can wait for a scan to begin, to be opened or to end, and then for some time. After that it prints a text, \
            sets or ends a fault, gives an account a scenario, ends the pending scans, or changes how webhooks are \
            delivered. Mocks/README.md lists all steps. The mock still serves when the timeline is over, unless \
            --exit is given. In a CI job use authid-mock --script. To play on a running mock:
              curl $M/timeline -X PUT --data-binary @Mocks/scenarios/outage-and-recovery.yaml
              curl $M/timeline

            Examples:
              authid-mock play Mocks/scenarios/outage-and-recovery.yaml
              authid-mock play Mocks/scenarios/webhooks.yaml \\
                --webhook http://127.0.0.1:8080/webhooks/mock --webhook-secret whsec_…
            """
    )

    @Argument(help: ArgumentHelp("The scenario file to play.", valueName: "file"))
    var file: String

    @Flag(help: "Stop when the timeline is over.")
    var exit = false

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let plan = try PlanFile.readScript(file)
        if exit { return try await ScriptRun(plan: plan, limit: nil, command: []).run(on: options) }
        try await options.serve(plan) { MockConsole.authID.say(Self.line($0)) }
    }

    /// `[2/7]  12.3 s  what happens`.
    static func line(_ note: TimelineNote) -> String {
        let tenths = max(0, Int(note.at / .milliseconds(100)))
        let time = "\(tenths / 10).\(tenths % 10) s"
        let step = "[\(note.step)/\(note.of)]"
        return "\(step)\(String(repeating: " ", count: max(1, 16 - step.count - time.count)))\(time)  \(note.text)"
    }
}
