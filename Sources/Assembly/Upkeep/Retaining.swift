import Accounts
import Devices
import Kernel
import OAuth
package import Operations
import Passkeys
import Sessions
import Settings
import Wallet

extension Composition {
    /// The rows that the sweep deletes, and their times.
    package var retention: Retention {
        let kept = settings.retention
        // A session's row outlives every access token that was issued under it.
        let sessions = max(kept.sessions, settings.longestAccessToken)
        let rules: [Retention.Rule] = [
            rule(.operations, keep: kept.operations),
            .init(ExpiringRowKind.sessions.rawValue, keep: sessions) {
                [listening, environment, purge = stores.upkeep.purge(of: .sessions)] instant, limit, transaction in
                // An app whose answer was lost as the server went away may ask again: the row has to be there.
                guard environment.now() - listening.instant > RefreshPolicy.grace else { return 0 }
                return try purge(instant, limit, transaction)
            },
            rule(.deviceLinks, keep: sessions),
            rule(.ownerlessDevices, keep: DeviceRegistrar.ownerless),
            rule(.devices, keep: sessions),
            rule(.lockouts, keep: Lockout.memory),
            rule(.deviceAuthorizations, keep: DeviceFlowPolicy.memory, isBrief: true),
            rule(.emailCodes, keep: EmailCodePolicy.tryWindow, isBrief: true),
            rule(.passkeyChallenges, keep: ChallengePolicy.lifetime, isBrief: true),
            rule(.webSessions, keep: sessions),
            rule(.authorizationCodes, keep: AuthorizationPolicy.codeMemory),
            rule(.interactions, keep: .zero, isBrief: true),
            rule(.pushedRequests, keep: .zero, isBrief: true),
            rule(.consents, keep: .zero),
            rule(.backchannelRequests, keep: BackchannelPolicy.memory),
            rule(.bankEnrolments, keep: BankService.attemptLifetime, isBrief: true),
            rule(.payments, keep: PaymentPolicy.memory),
            rule(.registrations, keep: kept.sessions),
            rule(.mails, keep: kept.mail),
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

    private func rule(_ kind: ExpiringRowKind, keep: Duration, isBrief: Bool = false) -> Retention.Rule {
        Retention.Rule(kind.rawValue, keep: keep, isBrief: isBrief, purge: stores.upkeep.purge(of: kind))
    }
}
