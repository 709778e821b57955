import FoundationEssentials
import Kernel
import Outbound
import Settings
import Storage

/// An installation as `vestibule doctor` checks it: from outside through its public URL, and from inside through its
/// files and its daemon.
struct Installation: Sendable {
    /// The time limit of one request: no check takes longer than a few of them.
    static let limit: Duration = .seconds(8)

    let loaded: LoadedSettings
    let configFile: String?
    let admin: AdminAddress
    /// The folder against which relative paths of the command line are resolved.
    let workingFolder: String
    let credentialsFolder: String?
    let environment: Environment

    var settings: Settings { loaded.settings }

    /// All checks, in the order in which their findings are listed.
    var checks: [DoctorCheck] {
        [
            DoctorCheck("config") { configFindings() }, DoctorCheck("daemon") { await daemonFindings() },
            DoctorCheck("dns") { await dnsFindings() }, DoctorCheck("certificate") { await certificateFindings() },
            DoctorCheck("publicURL") { await publicFindings() }, DoctorCheck("clock") { await clockFindings() },
            DoctorCheck("files") { fileFindings() },
        ]
            + databaseChecks
            + settings.providers.sorted { $0.key < $1.key }.map { name, provider in
                DoctorCheck("provider \(name)") { await providerFindings(name, provider) }
            }
            + [
                DoctorCheck("mail") { await mailFindings() }, DoctorCheck("metrics") { await metricsFindings() },
                DoctorCheck("queues") { await queueFindings() },
            ]
    }

    /// The check of the database's server, if it has one.
    private var databaseChecks: [DoctorCheck] {
        guard let postgres = settings.storage.postgres else { return [] }
        return [DoctorCheck("database") { databaseFindings(postgres) }]
    }

    /// The parts of the public URL.
    var publicAddress: (host: String, port: Int, isTLS: Bool)? {
        guard let parts = URLComponents(string: settings.publicURL), let host = parts.host, !host.isEmpty else {
            return nil
        }
        let isTLS = parts.scheme == "https"
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return (bare, parts.port ?? (isTLS ? 443 : 80), isTLS)
    }

    /// Sends one request over the network.
    func get(_ url: String) async -> Result<OutboundResponse, OutboundError> {
        let http = OutboundHTTP(OutboundLimits(connectTimeout: Self.limit), clock: environment.clock)
        let request = OutboundRequest(.get, .url(url), timeout: Self.limit, maxResponseBytes: 1 << 20)
        let answer: Result<OutboundResponse, OutboundError>
        do throws(OutboundError) { answer = .success(try await http.send(request)) } catch { answer = .failure(error) }
        await http.shutdown()
        return answer
    }

    private func configFindings() -> [Finding] {
        guard !loaded.warnings.isEmpty else { return [.ok("config", "it is valid, without warnings")] }
        return loaded.warnings.map {
            .warning("config", $0.description, remedy: "See docs/reference/config.md for the values of the key.")
        }
    }
}
