import ArgumentParser
import AuthIDMock
import Foundation
import Kernel
import Logging

/// `authid-mock`: authID's API, its scan page and a control API for testers, on one port.
@main
struct AuthIDMockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authid-mock",
        abstract: "Plays the authID face-scan service for tests and demonstrations.",
        discussion: """
            It speaks authID's HTTP API under /IDCompleteBackendEngine, shows the scan page at /?t=…&s=…, and is \
            steered under /_mock. Nothing is verified, and nothing is kept when it stops.

            Examples:
              authid-mock                 listen on http://127.0.0.1:8090
              authid-mock --port 0        pick a free port and print it
              authid-mock --seed 7        the same ids and secrets in every run
              authid-mock --no-auto-enroll --scenarios Mocks/scenarios/outage.yaml

            Steering it while it runs, with M=http://127.0.0.1:8090/_mock:
              curl $M/scans
              curl $M/scans/ID/outcome -d '{"outcome":"accept","afterMs":2000}'
              curl $M/faults -X PUT -d '{"target":"status","fault":"flap"}'
              curl $M/requests

            Accounts whose e-mail begins with an outcome or a fault follow it by themselves: accept+2s@example.com, \
            reject_match@example.com, expire@example.com, hang@example.com.
            """
    )

    @Option(help: "The address to listen on. One that is not loopback needs --allow-remote.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 picks a free one.")
    var port = 8090

    @Option(help: "The API key id that clients sign in with.")
    var keyId = "mock-key-id"

    @Option(help: "The API key value that clients sign in with.")
    var keyValue = "mock-key-value"

    @Flag(inversion: .prefixedNo, help: "Take every created account as enrolled.")
    var autoEnroll = true

    @Option(help: "Draw ids, secrets and faults from this number, so that a run can be repeated.")
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "A YAML file of accounts, scenarios and faults. May be given several times.",
            valueName: "file"
        )
    )
    var scenarios: [String] = []

    @Flag(help: "Listen on an address that other machines can reach. Anybody there can then sign in as anybody.")
    var allowRemote = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be between 0 and 65535.") }
        guard !keyId.isEmpty, !keyId.contains(":"), !keyValue.isEmpty else {
            throw ValidationError("--key-id and --key-value must not be empty, and the id must hold no colon.")
        }
        guard allowRemote || Loopback.contains(host) else {
            throw ValidationError(
                "\(host) can be reached from other machines, and this test tool lets anybody in. "
                    + "Use 127.0.0.1, or add --allow-remote if you mean it."
            )
        }
    }

    func run() async throws {
        var configuration = MockConfiguration()
        configuration.keyID = keyId
        configuration.keyValue = Secret(keyValue)
        configuration.autoEnroll = autoEnroll
        configuration.plan = try readPlan()
        let inputs = seed.map { MockInputs.seeded($0, now: SystemInputs.now) } ?? SystemInputs.live
        let backend = MockBackend(configuration: configuration, inputs: inputs)
        var logger = Logger(label: "authid-mock", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .warning
        let shownHost = host.contains(":") ? "[\(host)]" : host
        do {
            try await serveAuthIDMock(backend: backend, host: host, port: port, logger: logger) { port in
                Console.say("authid-mock listening on http://\(shownHost):\(port)")
            }
        } catch ListenFailure.portTaken {
            Console.complain(
                "Port \(port) on \(host) is taken, perhaps by another authid-mock. "
                    + "Stop that one, or choose another port: --port 0 picks a free one."
            )
            throw ExitCode(3)
        } catch ListenFailure.impossible(let cause) {
            Console.complain("Can't listen on \(shownHost):\(port): \(cause). Choose another --host or --port.")
            throw ExitCode(4)
        }
    }

    private func readPlan() throws -> MockPlan {
        var plan = MockPlan()
        for path in scenarios {
            guard let data = FileManager.default.contents(atPath: path) else {
                Console.complain("The scenario file \(path) can't be read.")
                throw ExitCode(2)
            }
            do throws(MockPlanFault) {
                plan.merge(try MockPlan(yaml: String(decoding: data, as: UTF8.self)))
            } catch {
                Console.complain("\(path): \(error.text)")
                throw ExitCode(2)
            }
        }
        return plan
    }
}
