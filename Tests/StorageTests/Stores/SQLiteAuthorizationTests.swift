import Kernel
import OAuth
import StoreContract
import Testing

@testable import Storage

/// Authorization requests, codes and consents in SQLite.
struct SQLiteAuthorizationTests {
    private let file: TestDatabase
    private let database: SQLiteDatabase
    private let unitOfWork: SQLiteUnitOfWork

    init() async throws {
        file = try TestDatabase()
        database = try file.open()
        unitOfWork = SQLiteUnitOfWork(database)
        let store = SQLAccountStore(database)
        try await unitOfWork.run { transaction in try store.insert(Sample.account(1), in: transaction) }
    }

    @Test(arguments: AuthorizationStoreContract.allCases)
    func `SQLite keeps authorizations by the contract`(_ promise: AuthorizationStoreContract) async throws {
        let stores = AuthorizationStores(
            unitOfWork: unitOfWork,
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
