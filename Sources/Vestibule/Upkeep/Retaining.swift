import Accounts
import Devices
import Kernel
import OAuth
import Operations
import Passkeys
import Sessions
import Settings
import Storage
import Wallet

extension Composition {
    /// The rows that the sweep deletes, and their times.
    var retention: Retention {
        let kept = settings.retention
        // A session's row outlives every access token that was issued under it.
        let sessions = max(kept.sessions, settings.longestAccessToken)
        let deviceCodes = SQLiteDeviceAuthorizationStore(database)
        let rules: [Retention.Rule] = [
            .init("operations", keep: kept.operations, purge: operations.purge(endedBefore:limit:in:)),
            .init("sessions", keep: sessions) {
                [sessionStore, listening, environment] instant, limit, transaction in
                // An app whose answer was lost as the server went away may ask again: the row has to be there.
                guard environment.now() - listening.instant > RefreshPolicy.grace else { return 0 }
                return try sessionStore.purge(endedBefore: instant, limit: limit, in: transaction)
            },
            .init("device links", keep: sessions, purge: deviceLinks.purge(endedBefore:limit:in:)),
            .init(
                "devices without an owner",
                keep: DeviceRegistrar.ownerless,
                purge: registeredDevices.purge(ownerlessBefore:limit:in:)
            ),
            .init("devices", keep: sessions, purge: registeredDevices.purge(endedBefore:limit:in:)),
            .init("lockouts", keep: Lockout.memory, purge: lockoutStore.purge(triedBefore:limit:in:)),
            .init(
                "device codes",
                keep: DeviceFlowPolicy.memory,
                isBrief: true,
                purge: deviceCodes.purge(expiredBefore:limit:in:)
            ),
            .init(
                "sign-in codes",
                keep: EmailCodePolicy.tryWindow,
                isBrief: true,
                purge: mailProofs.store.purge(createdBefore:limit:in:)
            ),
            .init(
                "passkey challenges",
                keep: ChallengePolicy.lifetime,
                isBrief: true,
                purge: passkeys.challenges.purge(expiredBefore:limit:in:)
            ),
            .init("web sessions", keep: sessions, purge: passkeys.webSessions.purge(expiredBefore:limit:in:)),
            .init(
                "authorization codes",
                keep: AuthorizationPolicy.codeMemory,
                purge: authorization.codes.purge(expiredBefore:limit:in:)
            ),
            .init("authorization requests", keep: .zero, isBrief: true) {
                [authorization] instant, limit, transaction in
                let (interactions, requests) = (authorization.interactions, authorization.requests)
                let ended = try interactions.purge(expiredBefore: instant, limit: limit, in: transaction)
                guard ended < limit else { return ended }
                return try requests.purge(expiredBefore: instant, limit: limit, in: transaction)
            },
            .init("consents", keep: .zero, purge: authorization.consents.purge(expiredBefore:limit:in:)),
            .init(
                "backchannel requests",
                keep: BackchannelPolicy.memory,
                purge: backchannel.store.purge(keptBefore:limit:in:)
            ),
            .init(
                "enrolments at banks",
                keep: BankService.attemptLifetime,
                isBrief: true,
                purge: wallet.attempts.purge(expiredBefore:limit:in:)
            ),
            .init("payments", keep: PaymentPolicy.memory, purge: wallet.paymentStore.purge(createdBefore:limit:in:)),
            .init("registration tokens", keep: kept.sessions, purge: oauth.clientStore.purge(expiredBefore:limit:in:)),
            .init("bounced mail", keep: kept.mail, purge: mail.store.purge(endedBefore:limit:in:)),
        ]
        return Retention(
            rules,
            interval: kept.sweepInterval,
            batch: kept.batch,
            time: audit.sweepTime,
            clock: environment.clock,
            unitOfWork: unitOfWork,
            logger: logger
        )
    }
}
