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
        let rows = try await ending.unitOfWork.read { [self] in try live(of: account, in: $0) }
        let clients = Dictionary(grouping: rows, by: \.clientID)
        return clients.sorted { $0.key < $1.key }.compactMap { client, given in
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
    /// - Parameters:
    ///   - client: The client's id.
    ///   - account: The person's account.
    ///   - asking: The person's session that asks for it; `nil` for an operator.
    /// - Returns: `false` if the person has not consented to that client.
    /// - Throws: ``SessionEndedError``; ``StoreError``.
    package func withdraw(_ client: String, of account: AccountID, by asking: SessionID?) async throws -> Bool {
        let reason = asking == nil ? RevocationReason.revokedByOperator : .signedOut
        let isGiven = try await ending.unitOfWork.run { [self] transaction in
            if let asking { try ending.check(asking, of: account, in: transaction) }
            guard try !consents.find(account, client: client, in: transaction).isEmpty else { return false }
            try consents.remove(account, client: client, in: transaction)
            let open = try ending.sessions.open(of: account, client: client, in: transaction)
            let ended = try ending.descent.revoke(open, of: account, because: reason, in: transaction)
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

    /// Returns what ``withdraw(_:of:by:)`` would end; `nil` if the person has not consented to that client.
    package func preview(_ client: String, of account: AccountID) async throws -> EndedAccess? {
        try await ending.unitOfWork.read { [self] transaction in
            guard try !consents.find(account, client: client, in: transaction).isEmpty else { return nil }
            let open = try ending.sessions.open(of: account, client: client, in: transaction)
            let sessions = try ending.descent.descendants(of: open, account, except: nil, in: transaction)
            var ended = try ending.count(.sessionRevoked, of: account, descent: Array(sessions), in: transaction)
            let given = try live(of: account, in: transaction)
            let left = given.filter { consent in
                consent.clientID != client && !(consent.origin.map(sessions.contains) ?? false)
            }
            ended.consents = Set(given.map(\.clientID)).subtracting(left.map(\.clientID)).count
            return ended
        }
    }

    /// Returns the person's consents that have not expired.
    private func live(of account: AccountID, in transaction: borrowing Transaction) throws -> [Consent] {
        let now = environment.now()
        return try consents.list(of: account, limit: Self.mostRead, in: transaction).filter { now < $0.expiresAt }
    }
}
