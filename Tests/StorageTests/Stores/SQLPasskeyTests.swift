import Accounts
import Kernel
import Passkeys
import Sessions
import StoreContract
import Testing

@testable import Storage

/// Passkeys, their challenges, and browsers' sessions on every engine.
struct SQLPasskeyTests {
    private let accounts = [Sample.accountID(1), Sample.accountID(2)]

    @Test(arguments: PasskeyStoreContract.allCases, StorageEngine.allCases)
    func `passkeys keep the contract`(_ promise: PasskeyStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run(accounts: 2) { stores in
            try await promise.check(
                over: SQLPasskeyStore(stores.database),
                stores.unitOfWork,
                accounts: accounts
            )
        }
    }

    @Test(arguments: PasskeyChallengeStoreContract.allCases, StorageEngine.allCases)
    func `challenges keep the contract`(_ promise: PasskeyChallengeStoreContract, _ engine: StorageEngine) async throws
    {
        try await engine.run(accounts: 1) { stores in
            try await promise.check(
                over: SQLPasskeyChallengeStore(stores.database),
                purge: SQLExpiringRows.passkeyChallenges.purge,
                stores.unitOfWork,
                account: accounts[0]
            )
        }
    }

    @Test(arguments: WebSessionStoreContract.allCases, StorageEngine.allCases)
    func `browsers' sessions keep the contract`(
        _ promise: WebSessionStoreContract,
        _ engine: StorageEngine
    ) async throws {
        try await engine.run(accounts: 2) { stores in
            try await stores.insertSessions(2)
            try await promise.check(
                over: SQLWebSessionStore(stores.database),
                purge: SQLExpiringRows.webSessions.purge,
                stores.unitOfWork,
                sessions: [Sample.sessionID(1), Sample.sessionID(2)]
            ) { session, transaction in
                try transaction.connection().change("DELETE FROM sessions WHERE id = ?", [session.column])
            }
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `passkeys and open challenges go with their account`(_ engine: StorageEngine) async throws {
        let account = accounts[0]
        let passkey = try PasskeySample.passkey(1, of: account)
        let challenge = PasskeyChallenge(
            digest: OperationSample.digest("challenge", 1),
            binding: OperationSample.digest("binding", 1),
            source: OperationSample.digest("source", 1),
            rpID: "example.com",
            userVerification: .required,
            purpose: .authentication(.named("ada", account)),
            createdAt: Sample.now,
            expiresAt: Sample.now + .seconds(600)
        )
        try await engine.run(accounts: 1) { stores in
            let passkeys = SQLPasskeyStore(stores.database)
            let challenges = SQLPasskeyChallengeStore(stores.database)
            try await stores.unitOfWork.run { transaction in
                _ = try passkeys.insert(passkey, in: transaction)
                try challenges.insert(challenge, keepingPerSource: 9, inAll: 9, in: transaction)
                try transaction.connection().change("DELETE FROM accounts WHERE id = ?", [account.column])
            }
            #expect(try await passkeys.find(passkey.credential.record.id) == nil)
            #expect(try await challenges.find(challenge.digest) == nil)
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `a user name is one account's, and is told with its profile`(_ engine: StorageEngine) async throws {
        let username = try #require(Username(" Ada.Example "))
        try await engine.run { stores in
            let store = SQLAccountStore(stores.database)
            func insert(_ number: UInt64) async throws {
                let sample = Sample.account(number, emails: [], enrolments: [])
                let record = AccountRecord(
                    account: sample.account,
                    emails: [],
                    username: username,
                    enrolments: [],
                    passwordHash: nil
                )
                try await stores.unitOfWork.run { try store.insert(record, in: $0) }
            }
            try await insert(7)
            await #expect(throws: AccountError.usernameTaken) { try await insert(8) }
            let id = Sample.accountID(7)
            let found = try await stores.unitOfWork.run { try store.account(named: username, in: $0) }
            #expect(found == id)
            let profile = try await stores.unitOfWork.run { try store.profile(id, in: $0) }
            #expect(profile?.username?.text == "ada.example" && profile?.email == nil)
            #expect(try await store.find(id)?.username == username)
            #expect(try await store.find(Sample.accountID(8)) == nil, "nothing of it was kept")
        }
    }
}
