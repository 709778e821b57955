import MemoryStore
import StoreContract
import Testing

/// The in-memory store of clients keeps what the other keeps.
struct OAuthClientContractTests {
    private let storage = MemoryDisk().open()

    @Test(arguments: OAuthClientStoreContract.allCases)
    func `clients in memory keep the contract`(_ promise: OAuthClientStoreContract) async throws {
        try await promise.check(
            over: storage.oauthClients,
            purge: MemoryExpiringRows.registrations.purge,
            storage.unitOfWork
        )
    }
}
