import ArgumentParser
import AuthIDMock
import Foundation
import Kernel
import MockPrograms
import MockServing

/// How a mock is set up, whether it serves or plays.
struct ServeOptions: ParsableArguments {
    @Option(help: "The address to listen on. An address that is not loopback needs --allow-remote.")
    var host = "127.0.0.1"

    @Option(help: "The port. 0 picks a free one.")
    var port = 8090

    @Option(help: "The API key id that clients sign in with.")
    var keyId = "mock-key-id"

    @Option(help: "The API key value that clients sign in with.")
    var keyValue = "mock-key-value"

    @Flag(inversion: .prefixedNo, help: "Treat every created account as enrolled.")
    var autoEnroll = true

    @Option(help: "Draw ids, secrets and faults from this number, so that a run can be repeated.")
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "A YAML file of accounts, scenarios and faults. Can be given several times.",
            valueName: "file"
        )
    )
    var scenarios: [String] = []

    @Option(help: ArgumentHelp("The address that webhooks are sent to.", valueName: "url"))
    var webhook: String?

    @Option(help: "The secret that signs webhooks: whsec_ and base64 for standard, any text for hmac.")
    var webhookSecret: String?

    @Option(help: "How webhooks are signed: standard (Standard Webhooks) or hmac (X-Signature and X-Timestamp).")
    var webhookScheme: WebhookPlan.Scheme = .standard

    @Flag(help: "Listen on an address that other machines can reach. Anyone there can then sign in as anyone.")
    var allowRemote = false

    func validate() throws {
        try PortRange.check(port)
        guard !keyId.isEmpty, !keyId.contains(":"), !keyValue.isEmpty else {
            throw ValidationError("--key-id and --key-value must not be empty, and the id must hold no colon.")
        }
        guard allowRemote || Loopback.contains(host) else {
            throw ValidationError(
                "\(host) can be reached from other machines, and this test tool accepts anyone. "
                    + "Use 127.0.0.1, or add --allow-remote."
            )
        }
        guard (webhook == nil) == (webhookSecret == nil), webhookSecret?.isEmpty != true else {
            throw ValidationError("--webhook and --webhook-secret need each other. Give both or neither.")
        }
        if let webhook, !WebhookAddress.isAllowed(webhook, remote: allowRemote) {
            throw ValidationError("--webhook takes an http address of this machine, or --allow-remote.")
        }
    }

    /// Serves until it is stopped; `plan` comes on top of the scenario files.
    func serve(
        _ played: MockPlan = MockPlan(),
        onNote: @escaping @Sendable (TimelineNote) -> Void = { _ in },
        onListening: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws {
        let backend = MockBackend(configuration: try configuration(played), inputs: inputs)
        if !played.timeline.steps.isEmpty { backend.with { state, now in state.play(played.timeline, now: now) } }
        let shownHost = host.contains(":") ? "[\(host)]" : host
        do {
            try await serveAuthIDMock(
                backend: backend,
                host: host,
                port: port,
                logger: MockConsole.authID.logger,
                onNote: onNote
            ) { port in
                MockConsole.authID.say("authid-mock listening on http://\(shownHost):\(port)")
                onListening("http://\(shownHost):\(port)")
            }
        } catch ListenError.portTaken {
            MockConsole.authID.complain(
                "Port \(port) on \(host) is in use, perhaps by another authid-mock. "
                    + "Stop that program, or choose another port: --port 0 picks a free one."
            )
            throw ExitCode(3)
        } catch ListenError.impossible(let cause) {
            MockConsole.authID.complain(
                "Cannot listen on \(shownHost):\(port): \(cause). Choose another --host or --port."
            )
            throw ExitCode(4)
        }
    }

    private var inputs: MachineInputs {
        seed.map { MachineInputs.seeded($0, now: MachineInputs.live.now) } ?? .live
    }

    private func configuration(_ played: MockPlan) throws -> MockConfiguration {
        var configuration = MockConfiguration()
        configuration.keyID = keyId
        configuration.keyValue = Secret(keyValue)
        configuration.autoEnroll = autoEnroll
        configuration.allowsRemoteWebhooks = allowRemote
        if let webhook, let webhookSecret {
            configuration.webhooks = WebhookPlan(url: webhook, secret: Secret(webhookSecret), scheme: webhookScheme)
        }
        for path in scenarios { configuration.plan.merge(try PlanFile.read(path)) }
        configuration.plan.merge(played)
        return configuration
    }
}

extension MockConsole {
    static let authID = MockConsole("authid-mock")
}

extension WebhookPlan.Scheme: ExpressibleByArgument {}

/// Scenario files.
enum PlanFile {
    /// Reads a file whose timeline is to be played.
    static func readScript(_ path: String) throws -> MockPlan {
        let plan = try read(path)
        guard !plan.timeline.steps.isEmpty else {
            MockConsole.authID.complain(
                "\(path) has no timeline to play. Give it with --scenarios to apply its contents."
            )
            throw ExitCode(2)
        }
        return plan
    }

    static func read(_ path: String) throws -> MockPlan {
        guard let data = FileManager.default.contents(atPath: path) else {
            MockConsole.authID.complain("The scenario file \(path) cannot be read. Check the path and its permissions.")
            throw ExitCode(2)
        }
        do throws(MockPlanError) {
            return try MockPlan(yaml: String(decoding: data, as: UTF8.self))
        } catch {
            MockConsole.authID.complain("\(path): \(error.text)")
            throw ExitCode(2)
        }
    }
}
