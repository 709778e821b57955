import FaceProviders
import Operations
import Sessions

/// The checks across keys: that the settings fit together, and that they fit the mode.
enum SettingsChecks {
    static func run(_ settings: Settings, in reading: inout SettingsReading) {
        references(settings, in: &reading)
        times(settings, in: &reading)
        files(settings, in: &reading)
        transport(settings, in: &reading)
        webhooks(settings, in: &reading)
        guards(settings, in: &reading)
        storage(settings, in: &reading)
        httpProviders(settings, in: &reading)
        keys(settings, in: &reading)
        mail(settings, in: &reading)
        themes(settings, in: &reading)
        passkeys(settings, in: &reading)
        upstreams(settings, in: &reading)
        wallet(settings, in: &reading)
        oauth(settings, in: &reading)
        securityText(settings, in: &reading)
        switch settings.mode {
        case .laptop: laptop(settings, in: &reading)
        case .production: production(settings, in: &reading)
        }
    }

    /// Checks names that refer to other parts of the config, where a faulty part counts as existing.
    private static func references(_ settings: Settings, in reading: inout SettingsReading) {
        let provider = settings.faceLogin.provider
        if !provider.isEmpty, reading.origins["providers.\(provider)"] == nil {
            let known = settings.providers.keys.sorted()
            let message = "\(SettingError.quoted(provider)) is not one of the providers (\(listed(known)))"
            reading.fault("faceLogin.provider", message)
        }
        failover(settings, in: &reading)
        for (name, surface) in settings.surfaces.sorted(by: { $0.key < $1.key }) {
            guard let client = surface.client, reading.origins["clients.\(client)"] == nil else { continue }
            let message =
                "\(SettingError.quoted(client)) is not one of the clients (\(listed(settings.clients.map(\.id))))"
            reading.fault("surfaces.\(name).client", message)
        }
        surfaceClients(settings, in: &reading)
        for client in settings.clients where client.requireReturn {
            let key = "clients.\(client.id).requireReturn"
            if client.returnURLs.isEmpty { reading.fault(key, "needs an address in returnURLs") }
            if (client.landing ?? settings.faceLogin.landing) == .direct {
                let other = client.landing == nil ? "faceLogin.landing" : "clients.\(client.id).landing"
                reading.fault(key, "does not go with \(other): direct, which begins scans in no browser. Write confirm")
            }
            for name in [provider] + settings.faceLogin.failover {
                guard let scanner = settings.providers[name], !scanner.returnsToUs else { continue }
                reading.fault(key, "the provider \(SettingError.quoted(name)) does not send browsers back")
            }
        }
        let defaults = settings.clients.filter(\.isDefault).map(\.id)
        for id in defaults.dropFirst() {
            reading.fault("clients.\(id).default", "only one client can be the default, and \(defaults[0]) is")
        }
        if settings.clients.isEmpty { reading.warn("clients", "is empty, so nobody can sign in") }
    }

    /// A surface's client for requests that name none must be a client that requests may name there.
    private static func surfaceClients(_ settings: Settings, in reading: inout SettingsReading) {
        for (name, surface) in settings.surfaces.sorted(by: { $0.key < $1.key }) where surface.enabled {
            let id = surface.client ?? settings.defaultClient?.id
            guard let client = settings.clients.first(where: { $0.id == id }), !client.surfaces.contains(name) else {
                continue
            }
            let reason = surface.client == nil ? "it is the default client" : "surfaces.\(name).client names it"
            reading.fault("clients.\(client.id).surfaces", "leaves out \(name), where \(reason)")
        }
    }

    private static func failover(_ settings: Settings, in reading: inout SettingsReading) {
        let login = settings.faceLogin
        for (index, name) in login.failover.enumerated() {
            let key = "faceLogin.failover[\(index)]"
            let quoted = SettingError.quoted(name)
            if reading.origins["providers.\(name)"] == nil {
                reading.fault(
                    key,
                    "\(quoted) is not one of the providers (\(listed(settings.providers.keys.sorted())))"
                )
            } else if name == login.provider {
                reading.fault(key, "\(quoted) is the provider itself")
            } else if login.failover[..<index].contains(name) {
                reading.fault(key, "\(quoted) is written twice")
            }
        }
    }

    private static func listed(_ names: [String]) -> String {
        names.isEmpty ? "none is configured" : names.joined(separator: ", ")
    }

    /// Checks durations that depend on each other.
    private static func times(_ settings: Settings, in reading: inout SettingsReading) {
        let login = settings.faceLogin
        if login.cadence.hot > login.cadence.cold {
            reading.fault("faceLogin.hotCheck", "is longer than coldCheck (\(DurationText.format(login.cadence.cold)))")
        }
        if login.pollInterval >= login.approvalWindow {
            let window = DurationText.format(login.approvalWindow)
            reading.fault("faceLogin.pollInterval", "is not shorter than approvalWindow (\(window))")
        }
        if settings.retention.audit < settings.retention.operations {
            let operations = DurationText.format(settings.retention.operations)
            reading.fault("retention.audit", "is shorter than retention.operations (\(operations))")
        }
        for client in settings.clients where client.refresh.idleLifetime < client.accessTokenLifetime {
            let access = DurationText.format(client.accessTokenLifetime)
            reading.fault(
                "clients.\(client.id).refreshTokenLifetime",
                "is shorter than accessTokenLifetime (\(access))"
            )
        }
        for client in settings.clients where client.refresh.absoluteLifetime < client.refresh.idleLifetime {
            let refresh = DurationText.format(client.refresh.idleLifetime)
            reading.fault("clients.\(client.id).sessionLifetime", "is shorter than refreshTokenLifetime (\(refresh))")
        }
        for (name, provider) in settings.providers {
            let (connect, request) = (provider.calls.connectTimeout, provider.calls.requestTimeout)
            guard connect > request else { continue }
            let whole = DurationText.format(request)
            reading.fault("providers.\(name).connectTimeout", "is longer than requestTimeout (\(whole))")
        }
    }

    /// Checks that files exist, and that paths are short enough.
    private static func files(_ settings: Settings, in reading: inout SettingsReading) {
        // sockaddr_un.sun_path has 108 bytes with the zero at its end (unix(7)).
        let length = settings.adminSocket.utf8.count
        if length > 107 {
            let message = "\(settings.adminSocket) has \(length) bytes. The path of a Unix socket takes at most 107"
            reading.fault("listen.adminSocket", message)
        }
        guard let tls = settings.tls else { return }
        var contents: [[UInt8]] = []
        for (key, path) in [("tls.certificate", tls.certificate), ("tls.key", tls.key)] where !path.isEmpty {
            do throws(SettingError) {
                let (text, permissions) = try reading.context.files.text(of: path)
                contents.append(Array(text.utf8))
                // A group may read the key: distributions share private keys with their servers in this way.
                guard key == "tls.key", permissions & 0o007 != 0, settings.mode == .production else { continue }
                reading.fault(key, "\(path) is accessible to everyone. Set its mode to 640 or less")
            } catch {
                reading.fault(key, error.message)
            }
        }
        guard contents.count == 2 else { return }
        do throws(TLSPair.PairError) { _ = try TLSPair(certificate: contents[0], key: contents[1]) } catch {
            reading.fault(error.setting, error.message(tls))
        }
    }

    /// Tokens and links to scan pages must not cross a network unencrypted.
    private static func transport(_ settings: Settings, in reading: inout SettingsReading) {
        let listen = settings.listen
        if settings.tls == nil, !listen.isLoopback, !listen.behindProxy {
            let host = SettingError.quoted(listen.host)
            let message =
                "\(host) is not loopback, and tls is missing. Add tls, or set listen.behindProxy when a proxy ends TLS"
            reading.fault("listen.host", message)
        }
        if listen.behindProxy, listen.trustedProxies.isEmpty, !settings.limits.off {
            let message = "no proxy is named in listen.trustedProxies, so all its clients would have one address"
            switch settings.mode {
            case .laptop: reading.warn("listen.behindProxy", message)
            case .production: reading.fault("listen.behindProxy", message)
            }
        }
        if settings.metrics.enabled, !Loopback.contains(host: settings.metrics.host) {
            let host = SettingError.quoted(settings.metrics.host)
            reading.warn("metrics.host", "\(host) is not loopback: anyone who reaches it can read the metrics")
        }
        if settings.limits.off, !(listen.isLoopback && settings.mode == .laptop) {
            reading.fault("limits.off", "is for benchmarks: laptop mode on a loopback host only")
        }
    }
}
