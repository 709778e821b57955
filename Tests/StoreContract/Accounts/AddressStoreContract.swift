package import Accounts
package import Kernel
import Testing

/// The contract of every store of addresses, one case a promise.
package enum AddressStoreContract: String, StorePromise {
    case claimed = "attack: a claimed address is the account's that proves it first, and no other's"
    case replaced = "a claim takes the place of another, and the address that is proved that of all others"
    case openedWith = "an address leads to the active accounts that were opened with it and have not verified it, alone"

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
        case .openedWith: try await subject.checkOpened()
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

    func checkOpened() async throws {
        let (email, other) = ("eve@example.com", "bob@example.com")
        let people = try [
            AccountSample.record(1, emails: [other]), AccountSample.record(2, claiming: email),
            AccountSample.record(3, claiming: email), AccountSample.record(4, claiming: "mallory@example.com"),
        ]
        for record in people { try await run { [accounts] in try accounts.insert(record, in: $0) } }
        func found(_ text: String, limit: Int = 9) async throws -> [AccountID] {
            let address = try #require(EmailAddress(text))
            return try await run { [addresses] in
                try addresses.unverifiedAccounts(openedWith: address, limit: limit, in: $0)
            }
        }
        let claimed = try #require(EmailAddress(email))
        try await run { [addresses] in
            try addresses.claim(claimed, for: AccountSample.id(1), at: OperationSample.start, in: $0)
        }
        let both = [AccountSample.id(2), AccountSample.id(3)]
        #expect(try await found(email) == both, "not the one that would change its address")
        #expect(try await found(email, limit: 1) == [both[0]])
        let late = OperationSample.start + .seconds(400 * 86_400)
        try await run { [addresses] in try addresses.claim(claimed, for: AccountSample.id(2), at: late, in: $0) }
        #expect(try await found(email) == both.reversed(), "attack: an older account that claims it later comes last")
        for none in [other, "nobody@example.com"] { #expect(try await found(none).isEmpty) }
        _ = try await run { [accounts] in try accounts.setState(.disabled, of: AccountSample.id(2), in: $0) }
        #expect(try await found(email) == [both[1]])
        _ = try await run { [addresses] in try addresses.markVerified(claimed, of: AccountSample.id(3), in: $0) }
        #expect(try await found(email).isEmpty, "it is verified")
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
