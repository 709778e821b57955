package import Accounts
package import Kernel
import Testing

/// The contract of every store of addresses, one case a promise.
package enum AddressStoreContract: String, StorePromise {
    case claimed = "attack: a claimed address is the account's that proves it first, and no other's"
    case replaced = "a claim takes the place of another, and the address that is proved that of all others"

    /// Checks this promise over empty stores.
    package func check(
        over store: some AddressStore,
        accounts: some AccountStore,
        _ unitOfWork: some UnitOfWork
    ) async throws {
        let subject = AddressesUnderTest(addresses: store, accounts: accounts, unitOfWork: unitOfWork)
        switch self {
        case .claimed: try await subject.checkClaims()
        case .replaced: try await subject.checkReplacing()
        }
    }
}

private struct AddressesUnderTest<Addresses: AddressStore, Accounts: AccountStore, Work: UnitOfWork>: CheckingInUnits {
    let addresses: Addresses
    let accounts: Accounts
    let unitOfWork: Work

    func checkClaims() async throws {
        let email = try #require(EmailAddress("eve@example.com"))
        let people = try [
            AccountSample.record(1, claiming: "eve@example.com"), AccountSample.record(2, claiming: "eve@example.com"),
            AccountSample.record(3, emails: ["bob@example.com"]),
        ]
        for record in people { try await run { [accounts] in try accounts.insert(record, in: $0) } }
        func mark(_ number: UInt64) async throws -> Bool {
            try await run { [addresses] in try addresses.markVerified(email, of: AccountSample.id(number), in: $0) }
        }
        let listed = try await run { [addresses] in try addresses.addresses(of: AccountSample.id(1), in: $0) }
        #expect(listed == [VerifiedEmail(address: email, isVerified: false)])
        #expect(try await !mark(3), "it claims no such address")
        #expect(try await mark(2))
        #expect(try await accounts.find(email: email)?.account.id == AccountSample.id(2))
        #expect(try await !mark(1), "it is another's by now")
        #expect(try await !mark(2), "a second time there is nothing new")
        #expect(try await accounts.find(AccountSample.id(1))?.claim == nil)
    }

    func checkReplacing() async throws {
        let records = try [
            AccountSample.record(1, emails: ["ada@example.com"]), AccountSample.record(2, emails: ["bob@example.com"]),
        ]
        for record in records { try await run { [accounts] in try accounts.insert(record, in: $0) } }
        let (ada, bob) = (records[0].account.id, records[1].account.id)
        let first = try #require(EmailAddress("first@example.com"))
        let second = try #require(EmailAddress("second@example.com"))
        let now = OperationSample.start
        let dropped = try await run { [addresses] transaction in
            try addresses.claim(first, for: ada, at: now, in: transaction)
            try addresses.claim(second, for: ada, at: now, in: transaction)
            _ = try addresses.markVerified(second, of: ada, in: transaction)
            try addresses.claim(first, for: ada, at: now, in: transaction)
            return try addresses.dropOthers(than: second, of: ada, in: transaction)
        }
        #expect(dropped == records[0].emails)
        let left = try await accounts.find(ada)
        #expect(left?.emails == [VerifiedEmail(address: second, isVerified: true)] && left?.claim == nil)
        #expect(try await accounts.find(bob) == records[1])
        let taken = try await run { [addresses] transaction in
            [
                try addresses.isTaken(second, besides: bob, in: transaction),
                try addresses.isTaken(second, besides: ada, in: transaction),
                try addresses.isTaken(first, besides: bob, in: transaction),
            ]
        }
        #expect(taken == [true, false, false])
    }
}
