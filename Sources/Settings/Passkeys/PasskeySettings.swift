package import Passkeys
package import Sessions

/// Passkeys: whose they are, whose pages and apps may use them, and what they have to show.
package struct PasskeySettings: Sendable, Equatable {
    /// The domain that passkeys are made for (the RP ID); `nil` takes the host of `publicURL`.
    package var rpID: String?
    /// The name that people are shown for the relying party.
    package var rpName = "Vestibule"
    /// The origins that answers may come from; empty takes the origin of `publicURL`.
    package var origins: [String] = []
    /// Origins of other domains that may use this domain's passkeys (WebAuthn L3 §5.11).
    package var relatedOrigins: [String] = []
    /// RP IDs beside `rpID` that a request may ask for.
    package var customRPIDs: [String] = []
    /// Names beside `rpName` that a request may ask for.
    package var customRPNames: [String] = []
    package var attestation: AttestationConveyance = .none
    package var trustFolder: String
    /// The requirement on Android's keys, where attestations are verified.
    package var androidKeys: AndroidKeyFormat.Keys = .hardware
    /// The requirement on signatures of TPMs, where attestations are verified.
    package var tpmSignatures: TPMFormat.Signatures = .sha2
    /// How long metadata is relied on after it should have been replaced.
    package var metadataGrace: Duration = .days(14)
    package var counter: CounterPolicy = .refuse
    /// Whether face, finger or PIN is asked for at every sign-in, or as a request says.
    package var requiresUserVerification = true
    /// Apps of Apple's platforms that may use them: the team's id, a point, the bundle's id.
    package var appleApps: [String] = []
    /// Apps of Android that may use them.
    package var androidApps: [AndroidApp] = []
    /// Whether `/api/users` lists everybody with their passkeys.
    package var listUsers = false
    /// How long a browser stays signed in.
    package var sessions = WebSessionPolicy(idle: .days(7), lifetime: .days(30))

    package init(dataFolder: String) { trustFolder = dataFolder + "/passkey-trust" }
}

/// The relying party as it is in force: what is written, and what follows from `publicURL`.
package struct RelyingPartySettings: Sendable, Equatable {
    package let id: String
    package let name: String
    /// All that answers may come from, apps' and related ones included.
    package let origins: [String]
}

extension Settings {
    /// The surfaces that passkeys sign in at.
    package static let passkeySurfaces = ["yapt", "passkeys"]

    /// Whether anybody can sign in with a passkey.
    package var servesPasskeys: Bool { Self.passkeySurfaces.contains { surfaces[$0]?.enabled == true } }

    package var relyingParty: RelyingPartySettings {
        let own = URLParts(publicURL)
        let written = passkeys.origins.isEmpty ? [own.origin] : passkeys.origins
        let apps = passkeys.androidApps.map(\.origin)
        var origins: [String] = []
        for origin in written + passkeys.relatedOrigins + apps where !origins.contains(origin) {
            origins.append(origin)
        }
        return RelyingPartySettings(id: passkeys.rpID ?? own.host, name: passkeys.rpName, origins: origins)
    }
}

/// The host and the origin of a URL that was checked when it was read.
private struct URLParts {
    let host: String
    let origin: String

    init(_ url: String) {
        origin = url.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
        let authority = origin.drop { $0 != "/" }.drop { $0 == "/" }
        host = authority.hasPrefix("[") ? String(authority) : String(authority.prefix { $0 != ":" })
    }
}
