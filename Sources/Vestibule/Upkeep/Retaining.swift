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
    /// What the running sweep deletes, and when.
    var retention: Retention {
        let kept = settings.retention
        // A session's row outlives every access token that was issued under it.
        let sessions = max(kept.sessions, settings.longestAccessToken)
        return Retention(
            [
                .init("operations", keep: kept.operations) { [operations] instant, limit, transaction in
                    try operations.purge(endedBefore: instant, limit: limit, in: transaction)
                },
                .init("sessions", keep: sessions) {
                    [sessionStore, listening, environment] instant, limit, transaction in
                    // An app whose answer was lost as the server went away may ask again: the row has to be there.
                    guard environment.now() - listening.instant > RefreshPolicy.grace else { return 0 }
                    return try sessionStore.purge(endedBefore: instant, limit: limit, in: transaction)
                },
                .init("device links", keep: sessions) { [deviceLinks] instant, limit, transaction in
                    try deviceLinks.purge(endedBefore: instant, limit: limit, in: transaction)
                },
                .init("devices without an owner", keep: DeviceRegistrar.ownerless) {
                    [registeredDevices] instant, limit, transaction in
                    try registeredDevices.purge(ownerlessBefore: instant, limit: limit, in: transaction)
                },
                .init("devices", keep: sessions) { [registeredDevices] instant, limit, transaction in
                    try registeredDevices.purge(endedBefore: instant, limit: limit, in: transaction)
                },
                .init("lockouts", keep: Lockout.memory) { [lockoutStore] instant, limit, transaction in
                    try lockoutStore.purge(triedBefore: instant, limit: limit, in: transaction)
                },
                .init("device codes", keep: DeviceFlowPolicy.memory, isBrief: true) {
                    [store = SQLiteDeviceAuthorizationStore(database)] instant, limit, transaction in
                    try store.purge(expiredBefore: instant, limit: limit, in: transaction)
                },
                .init("sign-in codes", keep: EmailCodePolicy.tryWindow, isBrief: true) {
                    [mailProofs] instant, limit, transaction in
                    try mailProofs.store.purge(createdBefore: instant, limit: limit, in: transaction)
                },
                .init("passkey challenges", keep: ChallengePolicy.lifetime, isBrief: true) {
                    [passkeys] instant, limit, transaction in
                    try passkeys.challenges.purge(expiredBefore: instant, limit: limit, in: transaction)
                },
                .init("web sessions", keep: sessions) { [passkeys] instant, limit, transaction in
                    try passkeys.webSessions.purge(expiredBefore: instant, limit: limit, in: transaction)
                },
                .init("authorization codes", keep: AuthorizationPolicy.codeMemory) {
                    [authorization] instant, limit, transaction in
                    try authorization.codes.purge(expiredBefore: instant, limit: limit, in: transaction)
                },
                .init("authorization requests", keep: .zero, isBrief: true) {
                    [authorization] instant, limit, transaction in
                    let ended = try authorization.interactions.purge(
                        expiredBefore: instant,
                        limit: limit,
                        in: transaction
                    )
                    guard ended < limit else { return ended }
                    return try authorization.requests.purge(
                        expiredBefore: instant,
                        limit: limit,
                        in: transaction
                    )
                },
                .init("consents", keep: .zero) { [authorization] instant, limit, transaction in
                    try authorization.consents.purge(expiredBefore: instant, limit: limit, in: transaction)
                },
                .init("backchannel requests", keep: BackchannelPolicy.memory) {
                    [backchannel] instant, limit, transaction in
                    try backchannel.store.purge(keptBefore: instant, limit: limit, in: transaction)
                },
                .init("enrolments at banks", keep: BankService.attemptLifetime, isBrief: true) {
                    [attempts = wallet.attempts] instant, limit, transaction in
                    try attempts.purge(expiredBefore: instant, limit: limit, in: transaction)
                },
                .init("payments", keep: PaymentPolicy.memory) {
                    [payments = wallet.paymentStore] instant, limit, transaction in
                    try payments.purge(createdBefore: instant, limit: limit, in: transaction)
                },
                .init("registration tokens", keep: kept.sessions) { [oauth] instant, limit, transaction in
                    try oauth.clientStore.purge(expiredBefore: instant, limit: limit, in: transaction)
                },
                .init("bounced mail", keep: kept.mail) { [mail] instant, limit, transaction in
                    try mail.store.purge(endedBefore: instant, limit: limit, in: transaction)
                },
            ],
            interval: kept.sweepInterval,
            batch: kept.batch,
            time: audit.sweepTime,
            clock: environment.clock,
            unitOfWork: unitOfWork,
            logger: logger
        )
    }
}
