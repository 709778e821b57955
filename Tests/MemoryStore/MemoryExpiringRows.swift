import Accounts
import Devices
package import Kernel
import Mail
import OAuth
import Operations
import Passkeys
import Sessions
import Wallet

/// A kind of rows of the in-memory store that is deleted some time after their end, as retention deletes it elsewhere.
package struct MemoryExpiringRows: Sendable {
    private let delete: @Sendable (inout MemoryTables, Instant, Int) -> Int

    package var purge: Purge {
        { [delete] instant, limit, transaction in
            let draft = try transaction.draft()
            return delete(&draft.tables, instant, limit)
        }
    }

    package static let operations = Self { tables, instant, limit in
        let count = tables.operations.drop(limit, endedBefore: instant) { $0.state.endedAt }
        guard count > 0 else { return 0 }
        let kept = tables.operations
        let scans = tables.scans.filter { kept[$0.value] != nil }
        tables.scans = scans
        tables.scannedFaces = tables.scannedFaces.filter { scans[$0.key] != nil }
        return count
    }
    package static let sessions = Self { tables, instant, limit in
        let expired = tables.identity.refreshTokens.filter { $0.value.expiresAt < instant }.map(\.value)
        var count = 0
        for token in expired.sorted(by: { $0.expiresAt < $1.expiresAt }).prefix(limit) {
            tables.identity.refreshTokens[token.key] = nil
            count += 1
        }
        let left = Set(tables.identity.refreshTokens.values.map(\.session))
        for id in Set(expired.prefix(limit).map(\.session)).subtracting(left) where tables.identity.sessions[id] != nil
        {
            tables.dropSession(id)
            count += 1
        }
        let revoked = tables.identity.sessions.values.filter { $0.session.revocation.map { $0.at < instant } ?? false }
        let ids = Set(revoked.map(\.session.id))
        let tokens = tables.identity.refreshTokens.values.filter { ids.contains($0.session) }
        for token in tokens.prefix(max(0, limit - count)) {
            tables.identity.refreshTokens[token.key] = nil
            count += 1
        }
        for id in ids.prefix(max(0, limit - count)) {
            tables.dropSession(id)
            count += 1
        }
        return count
    }
    package static let deviceLinks = Self { tables, instant, limit in
        tables.identity.deviceLinks.drop(limit, endedBefore: instant) {
            min($0.validity.expiresAt, $0.validity.revokedAt ?? $0.validity.expiresAt)
        }
    }
    package static let ownerlessDevices = Self { tables, instant, limit in
        tables.identity.devices.drop(limit, endedBefore: instant) {
            $0.device.account == nil ? $0.device.validity.createdAt : nil
        }
    }
    package static let devices = Self { tables, instant, limit in
        tables.identity.devices.drop(limit, endedBefore: instant) {
            min($0.device.validity.expiresAt, $0.revokedAt ?? $0.device.validity.expiresAt)
        }
    }
    package static let webSessions = Self { $0.identity.browsers.drop($2, endedBefore: $1, \.expiresAt) }
    package static let backchannelRequests = Self {
        $0.backchannelRequests.drop($2, endedBefore: $1, \.record.keptUntil)
    }
    package static let usedMarks = Self { $0.usedMarks.drop($2, endedBefore: $1, \.expiresAt) }
    package static let lockouts = Self { $0.lockouts.drop($2, endedBefore: $1, \.lastTriedAt) }
    package static let emailCodes = Self { $0.emailCodes.drop($2, endedBefore: $1, \.validity.createdAt) }
    package static let mails = Self { $0.mails.drop($2, endedBefore: $1, \.mail.endedAt) }
    package static let passkeyChallenges = Self { $0.passkeyChallenges.drop($2, endedBefore: $1, \.expiresAt) }
    package static let deviceAuthorizations = Self { $0.deviceAuthorizations.drop($2, endedBefore: $1, \.expiresAt) }
    package static let interactions = Self { $0.interactions.drop($2, endedBefore: $1, \.expiresAt) }
    package static let authorizationCodes = Self { $0.authorizationCodes.drop($2, endedBefore: $1, \.expiresAt) }
    package static let pushedRequests = Self { $0.pushedRequests.drop($2, endedBefore: $1, \.expiresAt) }
    package static let consents = Self { $0.consents.drop($2, endedBefore: $1, \.expiresAt) }
    package static let bankEnrolments = Self { $0.bankEnrolments.drop($2, endedBefore: $1, \.validity.expiresAt) }
    package static let payments = Self { $0.payments.drop($2, endedBefore: $1, \.validity.createdAt) }
    package static let registrations = Self { tables, instant, limit in
        var count = tables.registrationTickets.drop(limit, endedBefore: instant, \.expiresAt)
        for (id, stored) in tables.oauthClients {
            guard case .secret(let secrets) = stored.client.authentication else { continue }
            let kept = secrets.filter { secret in
                guard count < limit, let end = secret.expiresAt, end < instant else { return true }
                count += 1
                return false
            }
            tables.oauthClients[id] = stored.with(authentication: .secret(kept))
        }
        return count
    }
}

extension Collection {
    /// Returns where the rows are that ended longest ago.
    fileprivate func oldest(_ limit: Int, endedBefore instant: Instant, _ end: (Element) -> Instant?) -> [Index] {
        let ended = indices.compactMap { index in end(self[index]).map { (at: $0, index: index) } }
        return ended.filter { $0.at < instant }.sorted { $0.at < $1.at }.prefix(limit).map(\.index)
    }
}

extension Array {
    fileprivate mutating func drop(_ limit: Int, endedBefore instant: Instant, _ end: (Element) -> Instant?) -> Int {
        let dropped = Set(oldest(limit, endedBefore: instant, end))
        self = indices.filter { !dropped.contains($0) }.map { self[$0] }
        return dropped.count
    }
}

extension Dictionary {
    fileprivate mutating func drop(_ limit: Int, endedBefore instant: Instant, _ end: (Value) -> Instant?) -> Int {
        let dropped = oldest(limit, endedBefore: instant) { end($0.value) }.map { self[$0].key }
        for key in dropped { self[key] = nil }
        return dropped.count
    }
}
