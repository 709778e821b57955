import Operations
import Sessions

/// The findings of each mode about settings that are unsafe for a public server.
extension SettingsChecks {
    static func laptop(_ settings: Settings, in reading: inout SettingsReading) {
        for client in settings.clients {
            switch client.initiators {
            case .anyone:
                let message = "anyone who knows an e-mail can start a login for it and forward the scan's link"
                reading.warn("clients.\(client.id).initiators", message)
            case .knownDevice: break
            }
            switch client.refresh.rotation {
            case .cookieOnly:
                let message = "a stolen refresh token works beside the app for 12 hours without being noticed"
                reading.warn("clients.\(client.id).refresh", message)
            case .always: break
            }
            switch client.refresh.keySessions {
            case .credential:
                let message = "a device credential copied with a refresh token works instead of the device's key"
                reading.warn("clients.\(client.id).keyRefresh", message)
            case .key: break
            }
        }
        for key in directLandings(settings) {
            let message =
                "direct hands the provider's address to anyone who starts a login, and shows which e-mails have an account"
            reading.warn(key, message)
        }
        if !settings.accounts.requireVerifiedEmail {
            let message =
                "anyone who opens an account learns which addresses have one, and can enrol a face for another's address"
            reading.warn("accounts.requireVerifiedEmail", message)
        }
        if !settings.wallet.confirmEnrollment, !settings.banks.isEmpty {
            let message = "an attacker who sends the link of an own enrolment to a person gets that person's cards"
            reading.warn("wallet.confirmEnrollment", message)
        }
        if settings.limits.off { reading.warn("limits.off", "the rate limiters are off") }
    }

    static func production(_ settings: Settings, in reading: inout SettingsReading) {
        for client in settings.clients { refuseUnsafe(client, in: &reading) }
        for key in directLandings(settings) {
            reading.fault(key, "production refuses direct. Write confirm or redirect")
        }
        if !settings.accounts.requireVerifiedEmail {
            reading.fault("accounts.requireVerifiedEmail", "production refuses false. Write true, or leave it out")
        }
        // RFC 9700 §4.7: if another person follows the link of an enrolment, the card ends in the wrong wallet.
        if !settings.wallet.confirmEnrollment {
            reading.fault("wallet.confirmEnrollment", "production refuses false. Write true, or leave it out")
        }
        for (name, surface) in settings.surfaces where surface.enabled && surface.client == nil {
            let message = "production serves no surface without a client. Set surfaces.\(name).client"
            reading.fault("surfaces.\(name).enabled", message)
        }
        for (key, url) in [("publicURL", settings.publicURL), ("issuer", settings.issuer)] {
            guard reading.origins[key] != nil, !url.isEmpty, let parts = try? URLCheck.server(url) else { continue }
            if parts.scheme == "http", !Loopback.contains(host: parts.host) {
                reading.fault(key, "\(SettingError.quoted(url)) is plain http. Production takes https")
            }
        }
        if reading.origins["publicURL"] == nil {
            reading.warn("publicURL", "is not set, so links and tokens name \(settings.publicURL)")
        }
    }

    /// The keys with which the landing page is skipped.
    private static func directLandings(_ settings: Settings) -> [String] {
        let clients = settings.clients.filter { $0.landing == .direct }.map { "clients.\($0.id).landing" }
        return (settings.faceLogin.landing == .direct ? ["faceLogin.landing"] : []) + clients
    }

    private static func refuseUnsafe(_ client: ClientSettings, in reading: inout SettingsReading) {
        let key = "clients.\(client.id)"
        if client.isDefault {
            reading.fault(
                "\(key).default",
                "production has no default client. Requests name their client, or their surface does"
            )
        }
        switch client.initiators {
        case .anyone: reading.fault("\(key).initiators", "production refuses anyone. Write known-device")
        case .knownDevice: break
        }
        switch client.verifier {
        case .optional: reading.fault("\(key).verifier", "production refuses optional. Write required")
        case .required: break
        }
        switch client.refresh.keySessions {
        case .credential: reading.fault("\(key).keyRefresh", "production refuses credential. Write signature")
        case .key: break
        }
        switch client.refresh.rotation {
        case .cookieOnly:
            reading.fault("\(key).refresh", "production refuses bearer-without-rotation. Write rotation")
        case .always: break
        }
    }
}
