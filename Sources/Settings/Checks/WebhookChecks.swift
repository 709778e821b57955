import FaceProviders
import Kernel

extension SettingsChecks {
    /// Checks the keys of each provider's webhook against one another.
    static func webhooks(_ settings: Settings, in reading: inout SettingsReading) {
        for (name, provider) in settings.providers.sorted(by: { $0.key < $1.key }) {
            guard let webhook = provider.webhook else { continue }
            let key = "providers.\(name).webhook"
            switch webhook.scheme {
            case .standard: standard(webhook, at: key, in: &reading)
            case .hmac: hmac(webhook, at: key, in: &reading)
            }
        }
    }

    private static func standard(_ webhook: WebhookSettings, at key: String, in reading: inout SettingsReading) {
        for (index, secret) in webhook.verifier.keys.enumerated() where WebhookKey.standard(secret) == nil {
            reading.fault("\(key).secrets[\(index)]", "is not whsec_ and 24 to 64 bytes in base64")
        }
        let own = [("header", webhook.header != nil), ("form", webhook.form != nil)]
        for (name, isThere) in own + [("timestampHeader", webhook.timestampHeader != nil)] where isThere {
            reading.fault("\(key).\(name)", "is only for scheme hmac. The scheme standard has its own headers")
        }
    }

    private static func hmac(_ webhook: WebhookSettings, at key: String, in reading: inout SettingsReading) {
        for (index, secret) in webhook.verifier.keys.enumerated() where secret.expose().utf8.count < 16 {
            // RFC 2104 §3 requires the length of the hash. No provider is known to issue less than half of that
            // length.
            reading.fault("\(key).secrets[\(index)]", "has fewer than 16 characters")
        }
        if webhook.header == nil {
            reading.fault("\(key).header", "is missing. The scheme hmac needs the name of the signature's header")
        }
        if webhook.form == .stamped {
            guard webhook.timestampHeader != nil else { return }
            reading.fault("\(key).timestampHeader", "is not for form stamped, whose header includes the time")
        } else if webhook.timestampHeader == nil {
            reading.warn(
                key,
                "no time is signed, so a webhook sent again after \(DurationText.format(webhook.verifier.tolerance * 2)) counts as a new one"
            )
        }
    }
}
