package import Passkeys
package import Sessions

/// Passkeys: the relying party, the pages and apps that may use them, and the required proofs.
package struct PasskeySettings: Sendable, Equatable {
    package var relyingParty = RelyingPartySettings()
    package var attestation: AttestationSettings
    package var counter: CounterPolicy = .refuse
    /// Whether user verification (face, finger or PIN) is always required, or the request decides.
    package var requiresUserVerification = true
    package var apps = PasskeyAppSettings()
    /// Whether `/api/users` lists all accounts with their passkeys.
    package var listUsers = false
    /// How long a browser stays signed in.
    package var sessions = WebSessionPolicy(idle: .days(7), lifetime: .days(30))

    package init(dataFolder: String) { attestation = AttestationSettings(trustFolder: dataFolder + "/passkey-trust") }
}

/// The relying party as written: missing values are derived from `publicURL`.
package struct RelyingPartySettings: Sendable, Equatable {
    /// The domain of the passkeys (the RP ID); `nil`: the host of `publicURL`.
    package var id: String?
    /// The name that is shown to people.
    package var name = "Vestibule"
    /// The origins that answers may come from; empty: the origin of `publicURL`.
    package var origins: [String] = []
    /// Origins of other domains that may use this domain's passkeys (WebAuthn L3 §5.11).
    package var relatedOrigins: [String] = []
    /// Further RP IDs that a request may ask for.
    package var customIDs: [String] = []
    /// Further names that a request may ask for.
    package var customNames: [String] = []
}

/// The attestation that a new passkey's authenticator must give, and the trust anchors.
package struct AttestationSettings: Sendable, Equatable {
    package var conveyance: AttestationConveyance = .none
    package var trustFolder: String
    /// The requirement on Android keys, where attestations are verified.
    package var androidKeys: AndroidKeyFormat.Keys = .hardware
    /// The requirement on TPM signatures, where attestations are verified.
    package var tpmSignatures: TPMFormat.Signatures = .sha2
    /// How long metadata is used after the date of its next update.
    package var metadataGrace: Duration = .days(14)
}

/// The apps that may use the passkeys.
package struct PasskeyAppSettings: Sendable, Equatable {
    /// Apps on Apple's platforms: the team's id, a dot, and the bundle's id.
    package var apple: [String] = []
    package var android: [AndroidApp] = []
}

extension SettingsSchema {
    static let passkeys = SettingSection<PasskeySettings>([
        .value(
            "rpID",
            \.relyingParty.id,
            as: SettingRule<String>.domain.optional,
            help:
                "The domain that passkeys are made for, by default the host of publicURL. A passkey works only for its domain.",
            example: "login.example.com"
        ),
        .value("rpName", \.relyingParty.name, as: .text, help: "The name that people see as the one a passkey is for."),
        .list(
            "origins",
            \.relyingParty.origins,
            as: .passkeyOrigin,
            help:
                "The origins of pages and Android apps that answers may come from, by default that of publicURL. Write each as in its client data: https://login.example.com, or android:apk-key-hash: and a hash."
        ),
        .list(
            "relatedOrigins",
            \.relyingParty.relatedOrigins,
            as: .webOrigin,
            help: "Pages of other domains that may use these passkeys. Browsers read them at /.well-known/webauthn."
        ),
        .list(
            "customRPIDs",
            \.relyingParty.customIDs,
            as: .domain,
            help: "Domains beside rpID that a request may ask for (customRpID)."
        ),
        .list(
            "customRPNames",
            \.relyingParty.customNames,
            as: .text,
            help: "Names beside rpName that a request may ask for (customRpName). In laptop mode any name is allowed."
        ),
        .value(
            "attestation",
            \.attestation.conveyance,
            as: .choice,
            help:
                "The attestation that a new passkey's authenticator needs: direct and enterprise take authenticators of trustFolder."
        ),
        .value(
            "trustFolder",
            \.attestation.trustFolder,
            as: .path,
            help:
                "The folder of the certificates of authenticators' makers. The command vestibule mds load writes there."
        ),
        .value(
            "androidKeys",
            \.attestation.androidKeys,
            as: .choice,
            help: "The Android keys that may attest: those of its secure hardware, or any."
        ),
        .value(
            "tpmSignatures",
            \.attestation.tpmSignatures,
            as: .choice,
            help:
                "The hashes that TPMs may sign attestations with. With sha1, Windows Hello on older machines works, and sha2 as well."
        ),
        .value(
            "metadataGrace",
            \.attestation.metadataGrace,
            as: .duration(.zero...(.days(365))),
            help: "How long overdue metadata is trusted. After that its models are no longer trusted."
        ),
        .value(
            "counter",
            \.counter,
            as: .choice,
            help:
                "The handling of a signature with a used counter, as from a copied passkey. It is recorded in any case."
        ),
        .value(
            "userVerification",
            \.requiresUserVerification,
            as: .choice(of: ["required": true, "as-requested": false]),
            help: "Whether every sign-in asks for face, finger or PIN, or only where the request does."
        ),
        .list(
            "appleApps",
            \.apps.apple,
            as: .appleApp,
            help:
                "Apple apps that may use passkeys, listed in /.well-known/apple-app-site-association. Each is a team's id and a bundle's, like A1B2C3D4E5.com.example.app."
        ),
        .list(
            "androidApps",
            \.apps.android,
            as: .androidApp,
            help:
                "Android apps that may use passkeys, listed in /.well-known/assetlinks.json and as origins. Each is a package, a space, and its certificate's SHA-256 as keytool prints it."
        ),
        .value(
            "listUsers",
            \.listUsers,
            as: .flag,
            help: "Whether /api/users lists all accounts to everyone, for experiments."
        ),
        .value(
            "sessionIdle",
            \.sessions.idle,
            as: .duration(.seconds(300)...(.days(400))),
            help: "How long a browser stays signed in without a request."
        ),
        .value(
            "sessionLifetime",
            \.sessions.lifetime,
            as: .duration(.seconds(300)...(.days(400))),
            help: "How long it stays signed in at most, and no longer than its client's refresh tokens are valid."
        ),
    ])
}
