import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import Sessions

/// The store in memory, which other tests stand on, keeps what every store has to.
struct SessionStoreContractTests {
    private static let accounts = [1, 2].map { AccountID(UUIDBits(high: 0xA, low: $0)) }
    private let store = MemorySessionStore()

    @Test(arguments: SessionStoreContract.allCases)
    func `the store in memory keeps the contract`(_ promise: SessionStoreContract) async throws {
        try await promise.check(over: store, purge: MemoryExpiringRows.sessions.purge, store, accounts: Self.accounts) {
            [store] token in
            store.add(token)
        } tokens: { [store] session in
            store.tokens.filter { $0.session == session }.map(\.key)
        }
    }

    @Test(arguments: SessionExpiryStoreContract.allCases)
    func `the store in memory notes expiries by the contract`(_ promise: SessionExpiryStoreContract) async throws {
        try await promise.check(over: store, store, account: Self.accounts[0])
    }

    @Test(arguments: RefreshStoreContract.allCases)
    func `the store in memory rotates by the contract`(_ promise: RefreshStoreContract) async throws {
        try await promise.check(over: store, purge: MemoryExpiringRows.sessions.purge, store, accounts: Self.accounts)
    }
}
