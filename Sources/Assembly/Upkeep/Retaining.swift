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
    /// The kinds of rows that are deleted, and after which time.
    package var retention: Retention {
        let kept = settings.retention
        // A session's row is kept longer than every access token that was issued for it.
        let sessions = max(kept.sessions, settings.longestAccessToken)
        let rules: [Retention.Rule] = [
            rule(.operations, keep: kept.operations),
            .init(ExpiringRowKind.sessions.rawValue, keep: sessions, after: noteExpiries) {
                [listening, environment, purge = stores.upkeep.purge(of: .sessions)] instant, limit, transaction in
                // An app whose response was lost when the server stopped may repeat its request, which needs the row.
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
            // A caller without an account can store some by pushed requests and the broker's callback.
            rule(.usedMarks, keep: UsedMark.memory, isBrief: true),
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
            rounds: LeaderRounds(every: kept.sweepInterval, clock: environment.clock, nodes: stores.upkeep.nodes),
            batch: kept.batch,
            time: audit.sweepTime,
            unitOfWork: unitOfWork,
            logger: logger
        )
    }

    /// Queues notices to the clients of sessions that expired.
    private var noteExpiries: Retention.Rule.Preparation {
        let expiries = SessionExpiries(
            store: stores.sessions.sessions,
            notices: oauth.logout.notices,
            unitOfWork: unitOfWork
        )
        return { try await expiries.note(at: $0) }
    }

    private func rule(_ kind: ExpiringRowKind, keep: Duration, isBrief: Bool = false) -> Retention.Rule {
        Retention.Rule(kind.rawValue, keep: keep, isBrief: isBrief, purge: stores.upkeep.purge(of: kind))
    }
}
