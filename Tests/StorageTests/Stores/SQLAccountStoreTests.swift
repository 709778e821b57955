import Accounts
import Kernel
import Testing

@testable import Storage

/// Accounts on every engine.
struct SQLAccountStoreTests {
    @Test(arguments: StorageEngine.allCases)
    func `an account comes back as it was written, by its id and by each of its addresses`(
        _ engine: StorageEngine
    ) async throws {
        try await engine.run { stores in
            let store = SQLAccountStore(stores.database)
            let record = AccountRecord(
                account: Sample.account(1, state: .disabled, attributes: ["role": "admin", "badge": "17 \"ü\""])
                    .account,
                emails: ["a@example.com", "b@example.com"].compactMap(EmailAddress.init).map {
                    VerifiedEmail(address: $0, isVerified: $0.text.hasPrefix("a"))
                },
                enrolments: [
                    Enrolment(provider: "authid", reference: "r-1", isActive: false),
                    Enrolment(provider: "mock", reference: "r-1", isActive: true),
                ],
                passwordHash: Secret("scrypt$…")
            )
            try await stores.insert(record)
            #expect(try await store.find(record.account.id) == record)
            for email in record.emails { #expect(try await store.find(email: email.address) == record) }
            let id = record.account.id
            let within = try await stores.unitOfWork.run { try store.profile(id, in: $0) }
            #expect(within?.account.id == id)
            #expect(within?.account.displayName == record.account.displayName)
            #expect(within?.account.attributes.role == record.account.attributes.role)
            #expect(within?.email == record.profile.email)
            let reopened = SQLAccountStore(try stores.reopen())
            #expect(try await reopened.find(record.account.id) == record)
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `a profile is the account with the first of its addresses, or with none`(_ engine: StorageEngine) async throws
    {
        try await engine.run { stores in
            let store = SQLAccountStore(stores.database)
            try await stores.insert(
                Sample.account(1, attributes: ["role": "admin"], emails: ["b@example.com", "a@example.com"])
            )
            try await stores.insert(Sample.account(2, state: .disabled, emails: []))
            for (number, email) in [(1, "a@example.com"), (2, nil)] as [(UInt64, String?)] {
                let record = try #require(try await store.find(Sample.accountID(number)))
                let id = record.account.id
                let profile = try await stores.unitOfWork.run { try store.profile(id, in: $0) }
                #expect(profile == record.profile)
                #expect(profile?.email?.text == email)
            }
            let nobody = try await stores.unitOfWork.run { try store.profile(Sample.accountID(9), in: $0) }
            #expect(nobody == nil)
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `whom nobody knows is nobody`(_ engine: StorageEngine) async throws {
        try await engine.run { stores in
            let store = SQLAccountStore(stores.database)
            let nobody = try await store.find(Sample.accountID(9))
            #expect(nobody == nil)
            #expect(try await store.find(email: Self.email("nobody@example.com")) == nil)
            #expect(try await stores.candidate("nobody@example.com") == nil)
            #expect(try await !stores.setState(.disabled, of: 9))
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `an address belongs to one account, and a refused account leaves nothing behind`(
        _ engine: StorageEngine
    ) async throws {
        try await engine.run { stores in
            let store = SQLAccountStore(stores.database)
            try await stores.insert(Sample.account(1, emails: ["a@example.com"]))
            await #expect(throws: AccountError.emailTaken("a@example.com")) {
                try await stores.insert(Sample.account(2, emails: ["new@example.com", "a@example.com"]))
            }
            #expect(try await store.find(Sample.accountID(2)) == nil)
            #expect(try await store.find(email: Self.email("new@example.com")) == nil)
            #expect(try await stores.count("enrolments") == 1)
            #expect(try await store.find(email: Self.email("a@example.com"))?.account.id == Sample.accountID(1))
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `an account of a provider belongs to one account`(_ engine: StorageEngine) async throws {
        try await engine.run { stores in
            let store = SQLAccountStore(stores.database)
            let enrolment = Enrolment(provider: "mock", reference: "shared", isActive: true)
            try await stores.insert(Sample.account(1, enrolments: [enrolment]))
            await #expect(throws: AccountError.providerAccountTaken("shared")) {
                try await stores.insert(Sample.account(2, enrolments: [enrolment]))
            }
            #expect(try await store.find(Sample.accountID(2)) == nil)
            let elsewhere = Enrolment(provider: "authid", reference: "shared", isActive: true)
            try await stores.insert(Sample.account(3, enrolments: [elsewhere]))
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `an enrolment takes the place of one that was withdrawn, and of no other`(_ engine: StorageEngine) async throws
    {
        try await engine.run { stores in
            let store = SQLAccountStore(stores.database)
            let withdrawn = Enrolment(provider: "mock", reference: "old", isActive: false)
            try await stores.insert(Sample.account(1, enrolments: [withdrawn]))
            try await stores.insert(
                Sample.account(2, enrolments: [Enrolment(provider: "mock", reference: "hers", isActive: true)])
            )
            let hers = Enrolment(provider: "mock", reference: "hers", isActive: true)
            await #expect(throws: AccountError.providerAccountTaken("hers")) { try await stores.put(hers, 1) }
            for (isActive, version) in [(false, 1), (true, 2)] {
                let new = Enrolment(provider: "mock", reference: "new", isActive: isActive, version: Int64(version))
                try await stores.put(new, 1)
                #expect(try await store.find(Sample.accountID(1))?.enrolments == [new])
            }
            let again = Enrolment(provider: "mock", reference: "again", isActive: true)
            await #expect(throws: AccountError.enrolledAlready("mock")) { try await stores.put(again, 1) }
            let elsewhere = Enrolment(provider: "other", reference: "again", isActive: true)
            try await stores.put(elsewhere, 1)
            #expect(try await store.find(Sample.accountID(1))?.enrolments.count == 2)
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `attack: of twenty concurrent inserts with one address one account is stored`(
        _ engine: StorageEngine
    ) async throws {
        try await engine.run { stores in
            let store = SQLAccountStore(stores.database)
            let outcomes = await stores.together(20) { number, transaction in
                try store.insert(Sample.account(UInt64(number), emails: ["a@example.com"]), in: transaction)
            }
            #expect(outcomes.count(where: \.isSuccess) == 1)
            #expect(outcomes.compactMap { $0.error as? AccountError }.count == 19)
            let count = try await stores.count("accounts")
            #expect(count == 1)
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `a candidate tells its state and whether it is enrolled with that provider`(
        _ engine: StorageEngine
    ) async throws {
        try await engine.run { stores in
            try await stores.insert(Sample.account(1))
            try await stores.insert(Sample.account(2, state: .disabled))
            try await stores.insert(Sample.account(3, enrolments: []))
            let revoked = Enrolment(provider: "mock", reference: "r", isActive: false)
            try await stores.insert(Sample.account(4, enrolments: [revoked]))
            #expect(try await stores.candidate("person1@example.com") == Self.candidate(1, .active, isEnrolled: true))
            #expect(
                try await stores.candidate("person1@example.com", "authid")
                    == Self.candidate(1, .active, isEnrolled: false)
            )
            #expect(try await stores.candidate("person2@example.com") == Self.candidate(2, .disabled, isEnrolled: true))
            #expect(try await stores.candidate("person3@example.com") == Self.candidate(3, .active, isEnrolled: false))
            #expect(try await stores.candidate("person4@example.com") == Self.candidate(4, .active, isEnrolled: false))
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `a state is set on its account alone`(_ engine: StorageEngine) async throws {
        try await engine.run { stores in
            let store = SQLAccountStore(stores.database)
            try await stores.insert(Sample.account(1))
            try await stores.insert(Sample.account(2))
            #expect(try await stores.setState(.disabled, of: 1))
            #expect(try await store.find(Sample.accountID(1))?.account.state == .disabled)
            #expect(try await store.find(Sample.accountID(2))?.account.state == .active)
            #expect(try await stores.setState(.active, of: 1))
            #expect(try await store.find(Sample.accountID(1)) == Sample.account(1))
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `the newest are listed first, up to the limit`(_ engine: StorageEngine) async throws {
        try await engine.run { stores in
            let store = SQLAccountStore(stores.database)
            for (number, age) in [(1, 30), (2, 10), (3, 20)] as [(UInt64, Int64)] {
                try await stores.insert(Sample.account(number, createdAt: Sample.now - .seconds(age)))
            }
            #expect(try await store.list(limit: 2).map(\.account.id) == [2, 3].map(Sample.accountID))
            #expect(try await store.list(limit: 10).count == 3)
        }
    }

    @Test func `a transaction of another storage is refused`() throws {
        final class Outsider {}
        let file = try TestDatabase()
        let store = SQLAccountStore(try file.open())
        let foreign = Transaction(context: Outsider())
        #expect(throws: StoreError.foreignTransaction) { try store.insert(Sample.account(1), in: foreign) }
        #expect(throws: StoreError.foreignTransaction) { _ = try store.profile(Sample.accountID(1), in: foreign) }
    }

    private static func email(_ text: String) throws -> EmailAddress { try #require(EmailAddress(text)) }

    private static func candidate(_ number: UInt64, _ state: Account.State, isEnrolled: Bool) -> LoginCandidate {
        LoginCandidate(account: Sample.accountID(number), state: state, isEnrolled: isEnrolled)
    }
}

extension StoreFixture {
    fileprivate func insert(_ record: AccountRecord) async throws {
        let store = SQLAccountStore(database)
        try await unitOfWork.run { try store.insert(record, in: $0) }
    }

    fileprivate func put(_ enrolment: Enrolment, _ number: UInt64) async throws {
        let store = SQLAccountStore(database)
        try await unitOfWork.run { try store.put(enrolment, of: Sample.accountID(number), in: $0) }
    }

    fileprivate func candidate(_ email: String, _ provider: String = "mock") async throws -> LoginCandidate? {
        let (store, email) = (SQLAccountStore(database), try #require(EmailAddress(email)))
        return try await unitOfWork.run { try store.candidate(email: email, provider: provider, in: $0) }
    }

    fileprivate func setState(_ state: Account.State, of number: UInt64) async throws -> Bool {
        let store = SQLAccountStore(database)
        return try await unitOfWork.run { try store.setState(state, of: Sample.accountID(number), in: $0) }
    }
}
