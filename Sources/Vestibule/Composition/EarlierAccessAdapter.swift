import Accounts
import Devices
import Kernel
import Operations
import Sessions
import Storage

/// What an account had before its address was proven, in every room that keeps something of it.
struct EarlierAccessAdapter: EarlierAccess {
    let sessions: SessionDesk
    let registered: RegisteredDevices
    let addresses: SQLiteAddressStore
    let desk: OperationDesk
    let facts: Facts

    func remove(of account: AccountID, in transaction: borrowing Transaction) throws {
        _ = try sessions.revokeAll(of: account, because: .addressProved, in: transaction)
        for device in try addresses.devices(of: account, in: transaction) {
            try registered.revoke(device, of: account, in: transaction)
        }
        try addresses.removeAccess(of: account, at: facts.now(), in: transaction)
    }

    func settle(_ account: AccountID) async throws { _ = try await desk.block(account) }
}
