package import Kernel
package import TokenReading

/// The folder of the signing keys, and the algorithm of new ones.
package struct KeySettings: Sendable, Equatable {
    package var keyFolder: String
    /// The `alg` of new signing keys.
    package var signingAlgorithm: SigningAlgorithm = .es256
    /// How long a key signs; zero leaves rotation to the operator.
    package var rotateEvery: Duration = .days(90)
    /// How long a key is in the key set before it signs.
    package var publishBeforeSigning: Duration = .days(1)
    /// Seals the key folder and rows; `nil` leaves the folder as it is, and derives a key for rows from it.
    package var sealingKey: Secret?
    /// Open what they sealed, and seal nothing more.
    package var earlierSealingKeys: [Secret] = []

    package init(dataFolder: String) { keyFolder = dataFolder + "/keys" }
}

extension SettingsSchema {
    static let secrets = SettingSection<KeySettings>([
        .value("keyFolder", \.keyFolder, as: .path, help: "The folder of the signing keys."),
        .value(
            "signingAlgorithm",
            \.signingAlgorithm,
            as: .choice(of: ["es256": .es256, "eddsa": .edDSA, "rs256": .rs256]),
            help: "The algorithm of new signing keys."
        ),
        .value(
            "rotateEvery",
            \.rotateEvery,
            as: .duration(.zero...(.days(3650))),
            help:
                "How long a key signs before the next one does; 0s leaves that to vestibule keys rotate. Not shorter than publishBeforeSigning."
        ),
        .value(
            "publishBeforeSigning",
            \.publishBeforeSigning,
            as: .duration(.seconds(600)...(.days(90))),
            help: "How long the next key is published before it signs: longer than verifiers keep a key set."
        ),
        .value(
            "sealingKey",
            \.sealingKey,
            as: SettingRule<Secret>.secret.optional,
            help:
                "Encrypts keyFolder, and rows that have to be read again, like queued mail. Without it the folder is not encrypted, and a key in it encrypts the rows.",
            example: "env:SEALING_KEY"
        ),
        .secrets(
            "earlierSealingKeys",
            \.earlierSealingKeys,
            help: "Earlier sealing keys: they only decrypt.",
            example: "[env:OLD_SEALING_KEY]"
        ),
    ])
}
