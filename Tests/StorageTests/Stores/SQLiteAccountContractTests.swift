import Accounts
import Kernel
import StoreContract
import Testing

@testable import Storage

/// Accounts and lockouts in SQLite.
struct SQLiteAccountContractTests {
    private let database: SQLiteDatabase
    private let file: TestDatabase

    init() throws {
        file = try TestDatabase()
        database = try file.open()
    }

    @Test(arguments: LockoutStoreContract.allCases)
    func `lockouts keep the contract`(_ promise: LockoutStoreContract) async throws {
        try await promise.check(
            over: SQLiteLockoutStore(),
            purge: SQLiteExpiringRows.lockouts.purge,
            SQLiteUnitOfWork(database)
        )
    }

    @Test(arguments: AccountChangeContract.allCases)
    func `accounts change by the contract`(_ promise: AccountChangeContract) async throws {
        try await promise.check(over: SQLiteAccountStore(database), SQLiteUnitOfWork(database))
    }

    @Test func `attack: a claimed address is the account's that proves it first, and no other's`() async throws {
        let (accounts, addresses) = (SQLiteAccountStore(database), SQLiteAddressStore())
        let email = try #require(EmailAddress("eve@example.com"))
        let work = SQLiteUnitOfWork(database)
        for number in [1, 2, 3] as [UInt64] {
            let sample = Sample.account(number, emails: number == 3 ? ["bob@example.com"] : [])
            let record = AccountRecord(
                account: sample.account,
                emails: sample.emails,
                claim: number == 3 ? nil : email,
                enrolments: [],
                passwordHash: nil
            )
            try await work.run { try accounts.insert(record, in: $0) }
        }
        func mark(_ number: UInt64) async throws -> Bool {
            try await work.run { try addresses.markVerified(email, of: Sample.accountID(number), in: $0) }
        }
        let listed = try await work.run { try addresses.addresses(of: Sample.accountID(1), in: $0) }
        #expect(listed == [VerifiedEmail(address: email, isVerified: false)])
        #expect(try await !mark(3), "it claims no such address")
        #expect(try await mark(2))
        #expect(try await accounts.find(email: email)?.account.id == Sample.accountID(2))
        #expect(try await !mark(1), "it is another's by now")
        #expect(try await !mark(2), "a second time there is nothing new")
        #expect(try await accounts.find(Sample.accountID(1))?.claim == nil)
    }

    @Test func `a claim takes the place of another, and the address that is proved that of all others`() async throws {
        let (accounts, addresses) = (SQLiteAccountStore(database), SQLiteAddressStore())
        let work = SQLiteUnitOfWork(database)
        let records = [Sample.account(1, emails: ["ada@example.com"]), Sample.account(2, emails: ["bob@example.com"])]
        for record in records { try await work.run { try accounts.insert(record, in: $0) } }
        let (ada, bob) = (records[0].account.id, records[1].account.id)
        let (first, second) = (
            try #require(EmailAddress("first@example.com")), try #require(EmailAddress("second@example.com"))
        )
        let dropped = try await work.run { transaction in
            try addresses.claim(first, for: ada, at: Sample.now, in: transaction)
            try addresses.claim(second, for: ada, at: Sample.now, in: transaction)
            _ = try addresses.markVerified(second, of: ada, in: transaction)
            try addresses.claim(first, for: ada, at: Sample.now, in: transaction)
            return try addresses.dropOthers(than: second, of: ada, in: transaction)
        }
        #expect(dropped == records[0].emails)
        let left = try await accounts.find(ada)
        #expect(left?.emails == [VerifiedEmail(address: second, isVerified: true)] && left?.claim == nil)
        #expect(try await accounts.find(bob) == records[1])
        let taken = try await work.run { transaction in
            [
                try addresses.isTaken(second, besides: bob, in: transaction),
                try addresses.isTaken(second, besides: ada, in: transaction),
                try addresses.isTaken(first, besides: bob, in: transaction),
            ]
        }
        #expect(taken == [true, false, false])
    }
}
