package import Kernel
package import OAuth
package import Sessions

/// Tells clients of the end of their sessions, whatever the reason (Back-Channel Logout §2.5).
extension LogoutNotices: SessionEndNotices {
    package func note(
        _ ended: [RevokedSession],
        of account: AccountID,
        because reason: RevocationReason,
        in transaction: borrowing Transaction
    ) throws {
        try queue(ended.map { (session: $0.id, client: $0.client) }, of: account, in: transaction)
    }
}

extension LogoutNotices: SessionExpiryNotices {
    package func wantsExpiries(of client: String) -> Bool { directory.client(client)?.tokens.logout != nil }

    package func note(_ expired: ExpiredSession, in transaction: borrowing Transaction) throws {
        try queue([(session: expired.id, client: expired.client)], of: expired.account, in: transaction)
    }
}
