import Passkeys
import Sessions

/// The part of the table that is about passkeys.
extension SettingsSchema {
    static let passkeys = SettingSection<PasskeySettings>([
        .value(
            "rpID",
            \.rpID,
            SettingRule<String>.domain.optional,
            "The domain that passkeys are made for; by default the host of publicURL. Another one is another passkey.",
            example: "login.example.com"
        ),
        .value("rpName", \.rpName, .text, "What people are shown as whom a passkey is for."),
        .list(
            "origins",
            \.origins,
            .passkeyOrigin,
            "Where answers may come from: pages, and apps of Android; by default the origin of publicURL. Each as its client data has it: https://login.example.com, or android:apk-key-hash: and a hash."
        ),
        .list(
            "relatedOrigins",
            \.relatedOrigins,
            .webOrigin,
            "Pages of other domains that may use these passkeys; browsers read them at /.well-known/webauthn."
        ),
        .list("customRPIDs", \.customRPIDs, .domain, "Domains beside rpID that a request may ask for (customRpID)."),
        .list(
            "customRPNames",
            \.customRPNames,
            .text,
            "Names beside rpName that a request may ask for (customRpName). In laptop mode any is."
        ),
        .value(
            "attestation",
            \.attestation,
            .choice,
            "What a new passkey's authenticator has to prove of itself: direct and enterprise take those of trustFolder."
        ),
        .value("trustFolder", \.trustFolder, .path, "Certificates of authenticators' makers; see vestibule mds load."),
        .value(
            "androidKeys",
            \.androidKeys,
            .choice,
            "Which of Android's keys attest: those of its secure hardware, or any."
        ),
        .value(
            "tpmSignatures",
            \.tpmSignatures,
            .choice,
            "What TPMs may sign attestations with; sha1 takes Windows Hello on older machines, and sha2 as well."
        ),
        .value(
            "metadataGrace",
            \.metadataGrace,
            .duration(.zero...(.days(365))),
            "How long overdue metadata is relied on; its models are trusted no more from then on."
        ),
        .value(
            "counter",
            \.counter,
            .choice,
            "What a signature is worth whose counter was used before, as a copy's would be: it is recorded either way."
        ),
        .value(
            "userVerification",
            \.requiresUserVerification,
            .choice(of: ["required": true, "as-requested": false]),
            "Whether every sign-in asks for face, finger or PIN, or as requests say."
        ),
        .list(
            "appleApps",
            \.appleApps,
            .appleApp,
            "Apps of Apple's platforms that may use them; named in /.well-known/apple-app-site-association. Each a team's id and a bundle's, like A1B2C3D4E5.com.example.app."
        ),
        .list(
            "androidApps",
            \.androidApps,
            .androidApp,
            "Apps of Android that may use them; named in /.well-known/assetlinks.json, and an origin each. Each a package, a space, and its certificate's SHA-256 as keytool prints it."
        ),
        .value(
            "listUsers",
            \.listUsers,
            .flag,
            "Whether /api/users tells everybody who has an account, for trying things out."
        ),
        .value(
            "sessionIdle",
            \.sessions.idle,
            .duration(.seconds(300)...(.days(400))),
            "How long a browser stays signed in without a request."
        ),
        .value(
            "sessionLifetime",
            \.sessions.lifetime,
            .duration(.seconds(300)...(.days(400))),
            "How long it stays signed in at all, and no longer than its client's refresh tokens are good."
        ),
    ])
}
