import Kernel
import OAuth
import StoreContract
import Testing

@testable import Storage

/// The limits of the authorization server's sessions, on every engine.
struct SQLOAuthGrantTests {
    @Test(arguments: OAuthGrantStoreContract.allCases, StorageEngine.allCases)
    func `grants keep the contract`(_ promise: OAuthGrantStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run(accounts: 2) { stores in
            try await stores.insertSessions(2)
            try await promise.check(
                over: SQLOAuthGrantStore(stores.database),
                stores.unitOfWork,
                sessions: [Sample.sessionID(1), Sample.sessionID(2)]
            ) { session, transaction in
                try transaction.connection().change("DELETE FROM sessions WHERE id = ?", [session.column])
            }
        }
    }
}
