import Accounts
package import Kernel
package import OAuth
import Operations
import Sessions

/// A client that a person has consented to, with all that it may do.
package struct GivenConsent: Sendable, Equatable {
    package let clientID: String
    package let scopes: ScopeSet
    package let resources: Set<String>
    /// The time of the newest consent.
    package let grantedAt: Instant
    /// The time at which the person is asked again.
    package let expiresAt: Instant
}

/// Lists the consents of a person, and withdraws them with the sessions of their clients.
package struct ConsentWithdrawal: Sendable {
    /// The most rows that are read: there is one for each session in which consent was given.
    private static let mostRead = 1000

    private let consents: any ConsentStore
    private let ending: EndingService
    private let auditLog: any AuditLog
    private let environment: Environment

    package init(
        consents: any ConsentStore,
        ending: EndingService,
        auditLog: any AuditLog,
        environment: Environment
    ) {
        self.consents = consents
        self.ending = ending
        self.auditLog = auditLog
        self.environment = environment
    }

    /// Returns the clients that the person has consented to, in the order of their ids.
    package func list(of account: AccountID) async throws -> [GivenConsent] {
        let now = environment.now()
        let rows = try await ending.unitOfWork.read { [consents] in
            try consents.list(of: account, limit: Self.mostRead, in: $0)
        }
        let live = Dictionary(grouping: rows.filter { now < $0.expiresAt }, by: \.clientID)
        return live.sorted { $0.key < $1.key }.compactMap { client, given in
            guard let newest = given.map(\.grantedAt).max(), let last = given.map(\.expiresAt).max() else { return nil }
            return GivenConsent(
                clientID: client,
                scopes: ScopeSet(given.reduce(into: Set<String>()) { $0.formUnion($1.scopes.values) }),
                resources: given.reduce(into: Set<String>()) { $0.formUnion($1.resources) },
                grantedAt: newest,
                expiresAt: last
            )
        }
    }

    /// Withdraws the person's consents to the client, and ends the client's sessions and whatever is in progress.
    ///
    /// Codes that are not redeemed end for every client of the account: nothing tells what a device code will open.
    /// - Returns: `false` if the person has not consented to that client.
    /// - Throws: ``SessionEndedError``; ``StoreError``.
    package func withdraw(_ client: String, of account: AccountID, by asking: SessionID) async throws -> Bool {
        let isGiven = try await ending.unitOfWork.run { [self] transaction in
            try ending.check(asking, of: account, in: transaction)
            guard try !consents.find(account, client: client, in: transaction).isEmpty else { return false }
            try consents.remove(account, client: client, in: transaction)
            let open = try ending.sessions.open(of: account, client: client, in: transaction)
            let ended = try ending.descent.revoke(open, of: account, because: .signedOut, in: transaction)
            for outcome in [Outcome.interaction, .code, .deviceCode] {
                try ending.store.end(outcome, .account(account, except: nil), in: transaction)
            }
            try ending.operations.end(.cancelRequested, of: account, in: transaction) {
                $0.request.policy.signsInTo == client || ended.haveStarted($0)
            }
            let record = AuditRecord(AccountAuditEvent.consentWithdrawn, of: account, detail: client)
            try auditLog.append(record, in: transaction)
            return true
        }
        if isGiven { try await ending.settle(.sessionRevoked, of: account) }
        return isGiven
    }
}
