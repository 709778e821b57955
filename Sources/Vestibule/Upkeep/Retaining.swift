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
        let rules: [Retention.Rule] = [
            .init(.operations, keep: kept.operations),
            .init(SQLiteExpiringRows.sessions.name, keep: sessions) {
                [listening, environment, purge = SQLiteExpiringRows.sessions.purge] instant, limit, transaction in
                // An app whose answer was lost as the server went away may ask again: the row has to be there.
                guard environment.now() - listening.instant > RefreshPolicy.grace else { return 0 }
                return try purge(instant, limit, transaction)
            },
            .init(.deviceLinks, keep: sessions),
            .init(.ownerlessDevices, keep: DeviceRegistrar.ownerless),
            .init(.devices, keep: sessions),
            .init(.lockouts, keep: Lockout.memory),
            .init(.deviceAuthorizations, keep: DeviceFlowPolicy.memory, isBrief: true),
            .init(.emailCodes, keep: EmailCodePolicy.tryWindow, isBrief: true),
            .init(.passkeyChallenges, keep: ChallengePolicy.lifetime, isBrief: true),
            .init(.webSessions, keep: sessions),
            .init(.authorizationCodes, keep: AuthorizationPolicy.codeMemory),
            .init(.interactions, keep: .zero, isBrief: true),
            .init(.pushedRequests, keep: .zero, isBrief: true),
            .init(.consents, keep: .zero),
            .init(.backchannelRequests, keep: BackchannelPolicy.memory),
            .init(.bankEnrolments, keep: BankService.attemptLifetime, isBrief: true),
            .init(.payments, keep: PaymentPolicy.memory),
            .init(.registrations, keep: kept.sessions),
            .init(.mails, keep: kept.mail),
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

extension Retention.Rule {
    fileprivate init(_ rows: SQLiteExpiringRows, keep: Duration, isBrief: Bool = false) {
        self.init(rows.name, keep: keep, isBrief: isBrief, purge: rows.purge)
    }
}
