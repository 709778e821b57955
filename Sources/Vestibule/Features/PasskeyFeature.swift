import Accounts
import Kernel
import Passkeys
import Sessions
import Settings
import SignIn
import Storage
import Tokens

/// All that is done with passkeys, and with the sessions of browsers.
struct PasskeyFeature: Sendable {
    let service: PasskeyService
    let owned: OwnedPasskeys
    let trust: PasskeyTrust
    let store: SQLitePasskeyStore
    let challenges: SQLitePasskeyChallengeStore
    let browsers: WebSessionService
    let webSessions: SQLiteWebSessionStore
    /// Keys by which open challenges are counted, for this process alone.
    let sourceKey: Secret

    init(
        _ core: CoreFeature,
        _ signIn: SessionFeature,
        registrations: RegistrationService,
        ending: any PasskeyEnding
    ) throws {
        let (settings, environment, unitOfWork) = (core.settings, core.environment, core.unitOfWork)
        let people = PasskeyPeopleAdapter(accounts: signIn.accountStore, registrations: registrations)
        let auditLog = core.audit.chain
        let notices = OwnerNoticesAdapter(notices: signIn.notices)
        store = SQLitePasskeyStore(core.database)
        challenges = SQLitePasskeyChallengeStore(core.database)
        webSessions = SQLiteWebSessionStore(core.database)
        trust = try PasskeyTrust(
            folder: settings.passkeys.attestation.trustFolder,
            grace: settings.passkeys.attestation.metadataGrace
        )
        sourceKey = environment.newSecret()
        service = PasskeyService(
            environment: environment,
            unitOfWork: unitOfWork,
            store: store,
            challenges: challenges,
            people: people,
            auditLog: auditLog,
            notices: notices,
            decoys: DecoyCredentials(key: core.keyFolder.derivedDigest(.passkeyDecoy)),
            policy: PasskeyPolicy(
                relyingParties: settings.relyingParties,
                attestation: AttestationPolicy(
                    settings.passkeys.attestation.conveyance,
                    anchors: trust.current,
                    formats: AttestationFormats.formats(
                        androidKeys: settings.passkeys.attestation.androidKeys,
                        tpmSignatures: settings.passkeys.attestation.tpmSignatures
                    )
                ),
                counter: settings.passkeys.counter
            )
        )
        owned = OwnedPasskeys(
            unitOfWork: unitOfWork,
            store: store,
            people: people,
            auditLog: auditLog,
            notices: notices,
            ending: ending
        )
        browsers = WebSessionService(
            environment: environment,
            unitOfWork: unitOfWork,
            store: webSessions,
            sessions: signIn.sessions,
            policy: settings.passkeys.sessions
        )
    }
}
