import FaceProviders
import FoundationEssentials
import Kernel
import Outbound
import Settings

/// The checks over the network.
extension Installation {
    func daemonFindings() async -> [Finding] {
        guard settings.listen.port != 0 else {
            return [.notChecked("daemon", "listen.port is 0, so the daemon's port is unknown")]
        }
        let server = OwnServer(settings)
        let readiness = await Readiness.ask(server, within: Self.limit, clock: environment.clock)
        return [NetworkFindings.daemon(server.url("/readyz"), readiness)]
    }

    func dnsFindings() async -> [Finding] {
        guard let host = publicAddress?.host else { return [.notChecked("dns", "publicURL has no host")] }
        return [NetworkFindings.dns(host, addresses: await HostLookup.addresses(of: host, within: Self.limit))]
    }

    func certificateFindings() async -> [Finding] {
        var findings: [Finding] = []
        if let address = publicAddress, address.isTLS {
            let dates = await CertificateDates.server(address.host, port: address.port, within: Self.limit)
            findings.append(NetworkFindings.certificate(settings.publicURL, dates, now: environment.now()))
        } else {
            findings.append(.notChecked("certificate", "publicURL is plain http"))
        }
        guard let file = settings.tls?.certificate else { return findings }
        let dates = CertificateDates.file(file)
        return findings + [NetworkFindings.certificate(file, dates, now: environment.now())]
    }

    func publicFindings() async -> [Finding] {
        guard let address = publicAddress else { return [.notChecked("publicURL", "it has no host")] }
        let url = settings.publicURL + "/readyz"
        let readiness = await Readiness.ask(url, within: Self.limit, clock: environment.clock)
        let route = NetworkFindings.Route(
            publicIsTLS: address.isTLS,
            publicPort: address.port,
            isTLS: settings.tls != nil,
            port: settings.listen.port,
            trustedProxies: settings.listen.trustedProxies
        )
        return [
            NetworkFindings.publicURL(url, readiness, sharesKeys: await sharesKeys()), NetworkFindings.proxy(route),
        ]
    }

    /// Whether the public URL publishes a key that this machine's daemon publishes too; `nil` if one of them does not
    /// answer.
    private func sharesKeys() async -> Bool? {
        let path = "/.well-known/jwks.json"
        async let outside = get(settings.publicURL + path)
        guard settings.listen.port != 0,
            let own = try? await OwnServer(settings).get(path, within: Self.limit, clock: environment.clock),
            let inside = KeyNames(own), let published = KeyNames(try? await outside.get())
        else { return nil }
        return !inside.names.isDisjoint(with: published.names)
    }

    /// The ids of a key set's keys.
    private struct KeyNames {
        let names: Set<String>

        init?(_ response: OutboundResponse?) {
            guard let response, response.status == 200,
                let set = try? JSONDecoder().decode(KeySet.self, from: Data(response.body)), !set.keys.isEmpty
            else { return nil }
            names = Set(set.keys.map(\.kid))
        }

        private struct KeySet: Decodable {
            struct Key: Decodable { let kid: String }
            let keys: [Key]
        }
    }

    /// Compares the clock with servers on other machines, because local ones have the same clock.
    func clockFindings() async -> [Finding] {
        let urls = settings.providers.sorted { $0.key < $1.key }.map(\.value.baseURL) + [settings.publicURL + "/livez"]
        for url in urls {
            guard let host = URLComponents(string: url)?.host, !Loopback.contains(host: host),
                let response = try? await get(url).get(), let date = response.header("Date").flatMap(HTTPDate.parse)
            else { continue }
            return [NetworkFindings.clock(environment.now() - date, against: host)]
        }
        return [NetworkFindings.clock(nil, against: nil)]
    }

    func providerFindings(_ name: String, _ provider: ProviderSettings) async -> [Finding] {
        let answer: Result<Int, OutboundError> =
            switch await get(provider.baseURL) {
            case .success(let response): .success(response.status)
            case .failure(.tooLarge(let status, _)): .success(status)
            case .failure(let error): .failure(error)
            }
        let found = ServiceFindings.provider(name, at: provider.baseURL, answer)
        let dryRun = ProviderDryRun(name: name, provider, publicURL: settings.publicURL, environment: environment)
        let problem: String?
        do { problem = try dryRun.dry().problem } catch { problem = (error as? ExitError)?.message ?? "\(error)" }
        guard let problem else { return [found] }
        return [
            found,
            .warning(
                "provider \(name)",
                problem,
                remedy: "`vestibule provider test \(name)` shows every request and row."
            ),
        ]
    }

    func mailFindings() async -> [Finding] {
        guard let smtp = settings.mail.smtp else {
            let found = "mail.smtp is not set, so mail is only written to \(settings.mail.outbox)"
            guard settings.mode == .production else { return [.notChecked("mail", found)] }
            return [.warning("mail", found, remedy: "Name a mail server in mail.smtp: sign-in codes are sent by mail.")]
        }
        var bounded = smtp
        bounded.connectTimeout = min(smtp.connectTimeout, Self.limit)
        bounded.timeout = min(smtp.timeout, Self.limit)
        let failure = await SMTPProbe.failure(of: bounded)
        return [ServiceFindings.mail(bounded.host, failure)]
    }

    func metricsFindings() async -> [Finding] {
        let metrics = settings.metrics
        guard metrics.enabled, metrics.port != 0 else {
            let found = metrics.enabled ? "metrics.port is 0, so the port is unknown" : "metrics.enabled is false"
            return [.notChecked("metrics", found)]
        }
        let server = OwnServer(listening: metrics.host, port: metrics.port, isTLS: false)
        let answer: Result<Int, OutboundError>
        do throws(OutboundError) {
            let response = try await server.get("/metrics", within: Self.limit, clock: environment.clock)
            answer = .success(response.status)
        } catch { answer = .failure(error) }
        return [ServiceFindings.metrics(server.url("/metrics"), answer)]
    }
}
