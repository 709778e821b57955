import Operations
import Sessions

/// Checks that the passkey settings fit together, and that they fit the public URL.
extension SettingsChecks {
    static func passkeys(_ settings: Settings, in reading: inout SettingsReading) {
        let passkeys = settings.passkeys
        if passkeys.sessions.idle > passkeys.sessions.lifetime {
            let whole = DurationText.format(passkeys.sessions.lifetime)
            reading.fault("passkeys.sessionIdle", "is longer than sessionLifetime (\(whole))")
        }
        confirmations(settings, in: &reading)
        guard settings.servesPasskeys else { return }
        relyingParty(settings, in: &reading)
        origins(settings, in: &reading)
        pages(settings, in: &reading)
        if passkeys.listUsers {
            switch settings.mode {
            case .laptop: reading.warn("passkeys.listUsers", "lists all accounts to everyone")
            case .production: reading.fault("passkeys.listUsers", "production refuses true. Leave it out")
            }
        }
    }

    /// Warns about pages that ask for passkeys where no account can have one, or that seldom ask for a confirmation.
    private static func confirmations(_ settings: Settings, in reading: inout SettingsReading) {
        for client in settings.clients where client.confirmWith == .passkeyIfAny {
            let key = "clients.\(client.id).confirmWith"
            guard settings.servesPasskeys else {
                let surfaces = Settings.passkeySurfaces.map { "surfaces.\($0)" }.joined(separator: " or ")
                reading.fault(key, "asks for passkeys, but nobody can have any. Enable \(surfaces), or write press")
                continue
            }
            guard (client.landing ?? settings.faceLogin.landing) != .confirm else { continue }
            reading.warn(
                key,
                "counts only where the page asks, at cross-device logins and approvals. Write landing: confirm"
            )
        }
    }

    private static func relyingParty(_ settings: Settings, in reading: inout SettingsReading) {
        guard settings.passkeys.relyingParty.id == nil else { return }
        let host = settings.relyingParty.id
        var probe = reading
        do throws(SettingError) { _ = try SettingRule<String>.domain.parse(host, "passkeys.rpID", &probe) } catch {
            let message =
                "is missing, and the host of publicURL (\(SettingError.quoted(host))) cannot be a passkey domain"
            switch settings.mode {
            case .laptop: reading.warn("passkeys.rpID", message)
            case .production: reading.fault("passkeys.rpID", message)
            }
        }
    }

    /// A browser makes no passkey for a domain that the page does not belong to, so such an origin is a mistake.
    private static func origins(_ settings: Settings, in reading: inout SettingsReading) {
        let domains = [settings.relyingParty.id] + settings.passkeys.relyingParty.customIDs
        for (index, origin) in settings.passkeys.relyingParty.origins.enumerated() {
            guard let host = try? URLCheck.server(origin).host else { continue }
            guard !domains.contains(where: { host == $0 || host.hasSuffix("." + $0) }) else { continue }
            let message = "\(SettingError.quoted(origin)) does not belong to \(domains[0]). Write it in relatedOrigins"
            reading.fault("passkeys.origins[\(index)]", message)
        }
        for (index, origin) in settings.passkeys.relyingParty.relatedOrigins.enumerated()
        where !origin.hasPrefix("https://") {
            let message = "\(SettingError.quoted(origin)) is not https, as related origins have to be"
            reading.fault("passkeys.relatedOrigins[\(index)]", message)
        }
        let hosts = settings.relyingParty.origins.compactMap { try? URLCheck.server($0).host }
        for (index, domain) in settings.passkeys.relyingParty.customIDs.enumerated()
        where !hosts.contains(where: { $0 == domain || $0.hasSuffix("." + domain) }) {
            let message = "\(SettingError.quoted(domain)) has no origin. Write one of this domain in origins"
            reading.fault("passkeys.customRPIDs[\(index)]", message)
        }
    }

    /// Warns about origins whose web pages can't send requests, because `listen.corsOrigins` does not list them.
    private static func pages(_ settings: Settings, in reading: inout SettingsReading) {
        let isKnown: (String) -> Bool = { origin in
            settings.publicURL == origin || settings.publicURL.hasPrefix(origin + "/")
                || settings.listen.corsOrigins.contains(origin)
        }
        for (key, origins) in [
            ("origins", settings.passkeys.relyingParty.origins),
            ("relatedOrigins", settings.passkeys.relyingParty.relatedOrigins),
        ] {
            for (index, origin) in origins.enumerated() where origin.hasPrefix("https://") && !isKnown(origin) {
                let message =
                    "\(SettingError.quoted(origin)) is neither publicURL nor in listen.corsOrigins, so its pages "
                    + "cannot send requests. An app's requests still work"
                reading.warn("passkeys.\(key)[\(index)]", message)
            }
        }
    }
}
