package import Kernel
import TokenReading
package import Tokens

/// The folder of the signing keys, their rotation, and the key that encrypts them.
package struct KeySettings: Sendable, Equatable {
    package var keyFolder: String
    package var ring = KeyRingPolicy(algorithm: .es256, announcement: .days(1), rotation: .days(90))
    /// Encrypts the key folder and rows; `nil`: the folder stays as it is, and the key for rows is derived from it.
    package var sealingKey: Secret?
    /// Previous keys, which only decrypt.
    package var earlierSealingKeys: [Secret] = []

    package init(dataFolder: String) { keyFolder = dataFolder + "/keys" }
}

extension SettingsSchema {
    static let secrets = SettingSection<KeySettings>([
        .value("keyFolder", \.keyFolder, as: .path, help: "The folder of the signing keys."),
        .value(
            "signingAlgorithm",
            \.ring.algorithm,
            as: .choice(of: ["es256": .es256, "eddsa": .edDSA, "rs256": .rs256]),
            help: "The algorithm of new signing keys."
        ),
        .value(
            "rotateEvery",
            \.ring.rotation,
            as: SettingRule<Duration>.duration(.zero...(.days(3650))).orZero,
            help:
                "How long a key signs before the next one does, but with 0s only vestibule keys rotate changes it. It cannot be shorter than publishBeforeSigning."
        ),
        .value(
            "publishBeforeSigning",
            \.ring.announcement,
            as: .duration(.seconds(600)...(.days(90))),
            help: "How long the next key is published before it signs: longer than verifiers keep a key set."
        ),
        .value(
            "sealingKey",
            \.sealingKey,
            as: SettingRule<Secret>.secret.optional,
            help:
                "The key that encrypts keyFolder, and rows that are read again, like queued mail. Without it the folder is not encrypted, and a key in it encrypts the rows.",
            example: "env:SEALING_KEY"
        ),
        .secrets(
            "earlierSealingKeys",
            \.earlierSealingKeys,
            help: "Previous sealing keys, which only decrypt.",
            example: "[env:OLD_SEALING_KEY]"
        ),
    ])
}
