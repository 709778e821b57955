import Kernel
import Passkeys
import Sessions
import SignIn
import Storage
import Tokens

/// All that is done with passkeys, and with the sessions of browsers.
struct PasskeyOffice: Sendable {
    let desk: PasskeyDesk
    let owned: OwnedPasskeys
    let trust: PasskeyTrust
    let store: SQLitePasskeyStore
    let challenges: SQLitePasskeyChallengeStore
    let browsers: WebSessionDesk
    let webSessions: SQLiteWebSessionStore
    /// Keys by which open challenges are counted, for this process alone.
    let sourceKey: Secret

    init(
        _ settings: Settings,
        facts: Facts,
        keyFolder: KeyFolder,
        database: SQLiteDatabase,
        unitOfWork: SQLiteUnitOfWork,
        people: any PasskeyPeople,
        journal: any PasskeyJournal,
        notices: any PasskeyNotices,
        sessions: SessionDesk,
        ending: any PasskeyEnding
    ) throws {
        store = SQLitePasskeyStore(database)
        challenges = SQLitePasskeyChallengeStore(database)
        webSessions = SQLiteWebSessionStore(database)
        trust = try PasskeyTrust(folder: settings.passkeys.trustFolder, grace: settings.passkeys.metadataGrace)
        sourceKey = facts.newSecret()
        desk = PasskeyDesk(
            facts: facts,
            unitOfWork: unitOfWork,
            store: store,
            challenges: challenges,
            people: people,
            journal: journal,
            notices: notices,
            decoys: DecoyCredentials(key: keyFolder.derivedDigest(.passkeyDecoy)),
            policy: PasskeyPolicy(
                relyingParties: settings.relyingParties,
                attestation: AttestationPolicy(
                    settings.passkeys.attestation.conveyance,
                    anchors: trust.current,
                    formats: settings.passkeys.formats
                ),
                counter: settings.passkeys.counter.policy
            )
        )
        owned = OwnedPasskeys(
            unitOfWork: unitOfWork,
            store: store,
            people: people,
            journal: journal,
            notices: notices,
            ending: ending
        )
        browsers = WebSessionDesk(
            facts: facts,
            unitOfWork: unitOfWork,
            store: webSessions,
            sessions: sessions,
            policy: WebSessionPolicy(
                idle: settings.passkeys.sessionIdle,
                lifetime: settings.passkeys.sessionLifetime
            )
        )
    }
}

extension PasskeySettings.Attestation {
    var conveyance: AttestationConveyance {
        switch self {
        case .none: .none
        case .indirect: .indirect
        case .direct: .direct
        case .enterprise: .enterprise
        }
    }
}

extension PasskeySettings {
    /// The attestation formats that are verified, each as strictly as the config says.
    var formats: [any AttestationFormat] {
        let keys: AndroidKeyFormat.Keys =
            switch androidKeys {
            case .hardware: .hardware
            case .any: .any
            }
        let signatures: TPMFormat.Signatures =
            switch tpmSignatures {
            case .sha2: .sha2
            case .sha1: .sha1
            }
        return AttestationFormats.formats(androidKeys: keys, tpmSignatures: signatures)
    }
}

extension PasskeySettings.Counter {
    var policy: CounterPolicy {
        switch self {
        case .refuse: .refuse
        case .flag: .flag
        }
    }
}

extension Settings {
    /// Whose passkeys there are: `rpID`, and each of `customRPIDs`, with those of the origins that go with it.
    ///
    /// The config was checked when it was read; what can be no relying party there was warned about, and is none.
    var relyingParties: [RelyingParty] {
        let own = relyingParty
        let origins = own.origins.compactMap { try? Origin($0) }
        return ([own.id] + passkeys.customRPIDs).compactMap { id in
            let isOwn: (Origin) -> Bool = { origin in
                guard let host = origin.host else { return true }
                return host == id || host.hasSuffix("." + id)
            }
            return try? RelyingParty(
                id: id,
                name: own.name,
                origins: origins.filter(isOwn),
                relatedOrigins: id == own.id ? origins.filter { !isOwn($0) } : []
            )
        }
    }
}
