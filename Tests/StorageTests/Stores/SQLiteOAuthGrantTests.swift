import Kernel
import OAuth
import StoreContract
import Testing

@testable import Storage

/// The limits of the authorization server's sessions, in SQLite.
struct SQLiteOAuthGrantTests {
    private let file: TestDatabase
    private let database: SQLiteDatabase
    private let unitOfWork: SQLiteUnitOfWork

    init() async throws {
        file = try TestDatabase()
        database = try file.open()
        unitOfWork = SQLiteUnitOfWork(database)
        let (store, sessions) = (SQLAccountStore(database), SQLSessionStore(database))
        try await unitOfWork.run { transaction in
            for number in UInt64(1)...2 {
                try store.insert(Sample.account(number), in: transaction)
                try sessions.insert(
                    Sample.session(number, account: number),
                    Sample.refreshToken(number, session: number),
                    face: nil,
                    in: transaction
                )
            }
        }
    }

    @Test(arguments: OAuthGrantStoreContract.allCases)
    func `SQLite keeps grants by the contract`(_ promise: OAuthGrantStoreContract) async throws {
        try await promise.check(
            over: SQLOAuthGrantStore(database),
            unitOfWork,
            sessions: [Sample.sessionID(1), Sample.sessionID(2)]
        ) { session, transaction in
            try transaction.connection().change("DELETE FROM sessions WHERE id = ?", [session.column])
        }
    }
}
