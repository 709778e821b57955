import Kernel
import OAuth
import StoreContract
import Testing

@testable import Storage

/// Authorization requests, codes and consents on every engine.
struct SQLAuthorizationTests {
    @Test(arguments: AuthorizationStoreContract.allCases, StorageEngine.allCases)
    func `authorizations keep the contract`(
        _ promise: AuthorizationStoreContract,
        _ engine: StorageEngine
    ) async throws {
        try await engine.run(accounts: 1) { fixture in
            let stores = AuthorizationStores(
                unitOfWork: fixture.unitOfWork,
                interactions: SQLInteractionStore(),
                codes: SQLAuthorizationCodeStore(),
                pushed: SQLPushedRequestStore(),
                consents: SQLConsentStore(),
                purging: (
                    SQLExpiringRows.interactions.purge, SQLExpiringRows.authorizationCodes.purge,
                    SQLExpiringRows.pushedRequests.purge, SQLExpiringRows.consents.purge
                )
            )
            try await promise.check(stores, account: Sample.accountID(1))
        }
    }
}
