import Kernel
import Tokens

/// Checks that the keys of `secrets` fit together.
extension SettingsChecks {
    static func keys(_ settings: Settings, in reading: inout SettingsReading) {
        let secrets = settings.secrets
        let announcement = secrets.ring.announcement
        if let rotation = secrets.ring.rotation, rotation < announcement {
            reading.fault(
                "secrets.rotateEvery",
                "is shorter than publishBeforeSigning (\(DurationText.format(announcement)))"
            )
        }
        let earlier = secrets.earlierSealingKeys.enumerated().map { ("earlierSealingKeys[\($0)]", $1) }
        let current = secrets.sealingKey.map { [("sealingKey", $0)] } ?? []
        for (name, secret) in current + earlier where secret.expose().utf8.count < 32 {
            reading.fault("secrets.\(name)", "has fewer than 32 characters. Make one with: openssl rand -base64 32")
        }
    }
}
