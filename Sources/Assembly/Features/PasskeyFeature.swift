import Accounts
import Kernel
import Passkeys
import Sessions
import Settings
import SignIn
import Tokens

/// The services for passkeys and for browsers' sessions.
package struct PasskeyFeature: Sendable {
    let service: PasskeyService
    let owned: OwnedPasskeys
    package let trust: PasskeyTrust
    let browsers: WebSessionService
    /// The key that hashes the sources by which open challenges are counted, the same on every daemon.
    let sourceKey: Secret

    init(
        _ core: CoreFeature,
        _ signIn: SessionFeature,
        registrations: RegistrationService,
        ending: any PasskeyEnding
    ) throws {
        let (settings, environment, unitOfWork) = (core.settings, core.environment, core.stores.unitOfWork)
        let people = PasskeyPeopleAdapter(accounts: signIn.accountStore, registrations: registrations)
        let auditLog = core.audit.chain
        let notices = OwnerNoticesAdapter(notices: signIn.notices)
        let store = core.stores.people.passkeys.passkeys
        trust = try PasskeyTrust(
            folder: settings.passkeys.attestation.trustFolder,
            grace: settings.passkeys.attestation.metadataGrace
        )
        sourceKey = Secret(Base64URL.encode(core.secrets.folder.derivedDigest(.openCeremonies).bytes))
        service = PasskeyService(
            environment: environment,
            unitOfWork: unitOfWork,
            stores: core.stores.people.passkeys,
            people: people,
            auditLog: auditLog,
            notices: notices,
            decoys: DecoyCredentials(key: core.secrets.folder.derivedDigest(.passkeyDecoy)),
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
            store: core.stores.sessions.browsers,
            sessions: signIn.sessions,
            policy: settings.passkeys.sessions
        )
    }
}
