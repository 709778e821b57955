import Admin
import ArgumentParser
import Kernel
import Outbound
import Settings

/// `vestibule health`: for the health checks of containers without curl.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask a running daemon whether it is ready.",
        discussion: """
            Asks /readyz, by default at the address where the config listens. There the certificate is not verified, because \
            the request stays on this machine.

            Exit codes: 0 ready, 1 not ready (with the reason), 69 no usable answer, 78 a fault in the config.

            EXAMPLES
              vestibule health
              vestibule health --json --timeout 2 \\
                --config /etc/vestibule/vestibule.yaml --data /var/lib/vestibule
              vestibule health --url https://login.example.com
            """
    )

    @Option(help: ArgumentHelp("The server's address, instead of the one in the config.", valueName: "url"))
    var url: String?
    @Option(help: ArgumentHelp("How long the answer may take: 1 to 60.", valueName: "seconds")) var timeout = 3
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var options: SettingsOptions

    func validate() throws {
        guard (1...60).contains(timeout) else { throw ValidationError("--timeout takes 1 to 60.") }
        guard url != nil, options.config != nil || options.data != nil || !options.overrides.isEmpty else { return }
        throw ValidationError("--url cannot be used with --config, --data or --set.")
    }

    func run() async throws {
        try await ExitError.guarding {
            let (place, readiness) = try await asked()
            let outcome = Outcome(readiness, url: place)
            if json { print(try Rendering.json(outcome, onOneLine: true)) }
            guard let exit = outcome.exit else { return json ? () : print(outcome.sentence) }
            if json { throw ExitCode(exit.code) }
            throw exit
        }
    }

    private func asked() async throws -> (url: String, Readiness) {
        let (limit, clock) = (Duration.seconds(timeout), Environment.system.clock)
        if let url {
            let address = (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/readyz"
            return (address, await Readiness.ask(address, within: limit, clock: clock))
        }
        let server = OwnServer(try options.load().settings)
        return (server.url("/readyz"), await Readiness.ask(server, within: limit, clock: clock))
    }

    /// The printed result, from which the exit code follows.
    struct Outcome: Encodable, Equatable {
        let url: String
        /// `ready`, `not_ready` or `unreachable`.
        let status: String
        let reason: String?
        let degradedProviders: [String]

        init(_ readiness: Readiness, url: String) {
            self.url = url
            switch readiness {
            case .ready(let degraded): (status, reason, degradedProviders) = ("ready", nil, degraded)
            case .notReady(let reason): (status, self.reason, degradedProviders) = ("not_ready", reason, [])
            case .unreachable(let reason): (status, self.reason, degradedProviders) = ("unreachable", reason, [])
            }
        }

        var sentence: String {
            guard let reason else {
                return degradedProviders.isEmpty
                    ? "Ready." : "Ready. Degraded providers: \(degradedProviders.joined(separator: ", "))."
            }
            return status == "not_ready" ? "Not ready: \(reason)." : "\(url) does not answer: \(reason)."
        }

        /// The exit; `nil` for a daemon that is ready.
        var exit: ExitError? {
            switch status {
            case "ready": nil
            case "not_ready": .refused(sentence)
            default: .unavailable(sentence)
            }
        }
    }
}

extension OwnServer {
    /// The daemon with this config, on this machine.
    init(_ settings: Settings) {
        self.init(listening: settings.listen.host, port: settings.listen.port, isTLS: settings.tls != nil)
    }
}

extension Readiness {
    static func ask(_ server: OwnServer, within limit: Duration, clock: any MonotonicClock) async -> Self {
        do throws(OutboundError) { return Self(try await server.get("/readyz", within: limit, clock: clock)) } catch {
            return Self(error)
        }
    }

    /// Sends the request over the network, where certificates are verified.
    static func ask(_ url: String, within limit: Duration, clock: any MonotonicClock) async -> Self {
        let http = OutboundHTTP(OutboundLimits(connectTimeout: limit), clock: clock)
        let request = OutboundRequest(.get, .url(url), timeout: limit, maxResponseBytes: 64 * 1024)
        let outcome: Self
        do throws(OutboundError) { outcome = Self(try await http.send(request)) } catch { outcome = Self(error) }
        await http.shutdown()
        return outcome
    }
}
