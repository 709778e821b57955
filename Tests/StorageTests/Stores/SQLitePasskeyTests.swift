import Accounts
import Kernel
import Passkeys
import Sessions
import StoreContract
import Testing

@testable import Storage

/// Passkeys, their challenges, and browsers' sessions in SQLite.
struct SQLitePasskeyTests {
    private let file: TestDatabase
    private let database: SQLiteDatabase
    private let unitOfWork: SQLiteUnitOfWork
    private let accounts = [Sample.accountID(1), Sample.accountID(2)]

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

    @Test(arguments: PasskeyStoreContract.allCases)
    func `SQLite keeps passkeys by the contract`(_ promise: PasskeyStoreContract) async throws {
        try await promise.check(over: SQLPasskeyStore(database), unitOfWork, accounts: accounts)
    }

    @Test(arguments: PasskeyChallengeStoreContract.allCases)
    func `SQLite keeps challenges by the contract`(_ promise: PasskeyChallengeStoreContract) async throws {
        try await promise.check(
            over: SQLPasskeyChallengeStore(database),
            purge: SQLExpiringRows.passkeyChallenges.purge,
            unitOfWork,
            account: accounts[0]
        )
    }

    @Test(arguments: WebSessionStoreContract.allCases)
    func `SQLite keeps browsers' sessions by the contract`(_ promise: WebSessionStoreContract) async throws {
        try await promise.check(
            over: SQLWebSessionStore(database),
            purge: SQLExpiringRows.webSessions.purge,
            unitOfWork,
            sessions: [Sample.sessionID(1), Sample.sessionID(2)]
        ) { session, transaction in
            try transaction.connection().change("DELETE FROM sessions WHERE id = ?", [session.column])
        }
    }

    @Test func `passkeys and open challenges go with their account`() async throws {
        let (passkeys, challenges) = (SQLPasskeyStore(database), SQLPasskeyChallengeStore(database))
        let passkey = try PasskeySample.passkey(1, of: accounts[0])
        let challenge = PasskeyChallenge(
            digest: OperationSample.digest("challenge", 1),
            binding: OperationSample.digest("binding", 1),
            source: OperationSample.digest("source", 1),
            rpID: "example.com",
            userVerification: .required,
            purpose: .authentication(.named("ada", accounts[0])),
            createdAt: Sample.now,
            expiresAt: Sample.now + .seconds(600)
        )
        let account = accounts[0]
        try await unitOfWork.run { transaction in
            _ = try passkeys.insert(passkey, in: transaction)
            try challenges.insert(challenge, keepingPerSource: 9, inAll: 9, in: transaction)
            try transaction.connection().change("DELETE FROM accounts WHERE id = ?", [account.column])
        }
        #expect(try await passkeys.find(passkey.credential.record.id) == nil)
        #expect(try await challenges.find(challenge.digest) == nil)
    }

    @Test func `a user name is one account's, and is told with its profile`() async throws {
        let store = SQLAccountStore(database)
        let username = try #require(Username(" Ada.Example "))
        func insert(_ number: UInt64) async throws {
            let sample = Sample.account(number, emails: [], enrolments: [])
            let record = AccountRecord(
                account: sample.account,
                emails: [],
                username: username,
                enrolments: [],
                passwordHash: nil
            )
            try await unitOfWork.run { try store.insert(record, in: $0) }
        }
        try await insert(7)
        await #expect(throws: AccountError.usernameTaken) { try await insert(8) }
        let id = Sample.accountID(7)
        let found = try await unitOfWork.run { try store.account(named: username, in: $0) }
        #expect(found == id)
        let profile = try await unitOfWork.run { try store.profile(id, in: $0) }
        #expect(profile?.username?.text == "ada.example" && profile?.email == nil)
        #expect(try await store.find(id)?.username == username)
        #expect(try await store.find(Sample.accountID(8)) == nil, "nothing of it was kept")
    }
}
