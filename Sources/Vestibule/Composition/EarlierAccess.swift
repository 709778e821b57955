import Kernel
import Sessions
import Storage

/// All that was set up in an account before its address was proved: sessions, devices with their keys, and faces.
struct EarlierAccess: Sendable {
    let sessions: SessionDesk
    let rest: SQLiteEarlierAccess
    let facts: Facts

    @Sendable func end(_ account: AccountID, in transaction: borrowing Transaction) throws {
        _ = try sessions.revokeAll(of: account, because: .addressProved, in: transaction)
        try rest.end(account, at: facts.now(), in: transaction)
    }
}
