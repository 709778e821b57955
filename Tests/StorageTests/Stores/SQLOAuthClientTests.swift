import Kernel
import OAuth
import StoreContract
import Testing

@testable import Storage

/// OAuth clients on every engine.
struct SQLOAuthClientTests {
    @Test(arguments: OAuthClientStoreContract.allCases, StorageEngine.allCases)
    func `OAuth clients keep the contract`(_ promise: OAuthClientStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run { stores in
            try await promise.check(
                over: SQLOAuthClientStore(stores.database),
                purge: SQLExpiringRows.registrations.purge,
                stores.unitOfWork
            )
        }
    }
}
