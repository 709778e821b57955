package import Kernel
package import Passkeys
import Testing

/// The contract of every store of passkeys, one case a promise.
package enum PasskeyStoreContract: String, StorePromise {
    case comesBackAsWritten = "a passkey comes back as it was written, by its id and its credential id"
    case keepsLongKeys = "the longest key of any algorithm comes back as it was written"
    case isOnce = "a credential id is one account's, once"
    case notesUse = "a use is noted over the counter that it was judged against, and no other"
    case counts = "clone signs are counted"
    case isOwned = "a passkey is renamed and removed by its owner alone"
    case lists = "an account's passkeys are listed, the oldest first"
    case undoes = "what a failing unit wrote was never there"

    /// Checks this promise over an empty store that has these two accounts.
    package func check(
        over store: some PasskeyStore,
        _ unitOfWork: some UnitOfWork,
        accounts: [AccountID]
    ) async throws {
        let subject = PasskeysUnderTest(store: store, unitOfWork: unitOfWork, accounts: accounts)
        switch self {
        case .comesBackAsWritten: try await subject.checkWriting()
        case .keepsLongKeys: try await subject.checkLongKeys()
        case .isOnce: try await subject.checkUniqueness()
        case .notesUse: try await subject.checkUse()
        case .counts: try await subject.checkCounting()
        case .isOwned: try await subject.checkOwners()
        case .lists: try await subject.checkLists()
        case .undoes: try await subject.checkUndoing()
        }
    }
}

private struct PasskeysUnderTest<Store: PasskeyStore, Work: UnitOfWork>: CheckingInUnits {
    let store: Store
    let unitOfWork: Work
    let accounts: [AccountID]

    private static var now: Instant { PasskeySample.now }

    func checkWriting() async throws {
        let whole = try PasskeySample.passkey(1, of: accounts[0])
        let bare = try PasskeySample.passkey(2, of: accounts[1], isBare: true)
        try await insert([whole, bare])
        for passkey in [whole, bare] {
            #expect(try await find(passkey.id) == passkey)
            let credential = passkey.credential.record.id
            #expect(try await store.find(credential) == passkey)
            #expect(try await run { try store.find(credential, in: $0) } == passkey)
        }
        #expect(try await find(PasskeySample.id(9)) == nil)
        #expect(try await store.find(CredentialID([9, 9])) == nil)
    }

    func checkLongKeys() async throws {
        for (number, key) in try PasskeySample.longKeys.enumerated() {
            let passkey = try PasskeySample.passkey(UInt64(number + 1), of: accounts[0], key: key)
            try await insert([passkey])
            #expect(try await find(passkey.id)?.credential.record.publicKey == key)
            #expect(try await store.find(passkey.credential.record.id) == passkey)
        }
    }

    func checkUniqueness() async throws {
        let first = try PasskeySample.passkey(1, of: accounts[0])
        let attacker = try PasskeySample.passkey(2, of: accounts[1], credential: first.credential.record.id)
        let isTaken = try await run { transaction in
            [try store.insert(first, in: transaction), try store.insert(attacker, in: transaction)]
        }
        #expect(isTaken == [true, false])
        #expect(try await store.find(first.credential.record.id)?.account == accounts[0])
        let own = try PasskeySample.passkey(3, of: accounts[0], credential: first.credential.record.id)
        let again = try await run { try store.insert(own, in: $0) }
        #expect(!again)
    }

    func checkUse() async throws {
        var passkey = try PasskeySample.passkey(1, of: accounts[0])
        try await insert([passkey, try PasskeySample.passkey(2, of: accounts[0])])
        let use = PasskeyUse(
            id: passkey.id,
            countBefore: passkey.credential.record.signCount,
            count: 4_294_967_295,
            isBackedUp: false,
            at: Self.now + .seconds(5)
        )
        #expect(try await noteUse(use))
        passkey.credential.record.signCount = 4_294_967_295
        passkey.credential.record.backup.isBackedUp = false
        passkey.lastUsedAt = Self.now + .seconds(5)
        #expect(try await find(passkey.id) == passkey)
        #expect(try await !noteUse(use), "the counter is another by now")
        let other = try PasskeySample.passkey(2, of: accounts[0])
        #expect(try await find(other.id) == other)
        let id = passkey.id
        try await run { _ = try store.remove(id, of: accounts[0], in: $0) }
        #expect(try await !noteUse(use), "it is gone")
    }

    func checkCounting() async throws {
        let passkey = try PasskeySample.passkey(1, of: accounts[0])
        try await insert([passkey])
        for _ in 0..<2 { try await run { try store.noteCloneSign(of: passkey.id, in: $0) } }
        #expect(try await find(passkey.id)?.cloneSigns == 2)
    }

    func checkOwners() async throws {
        let passkey = try PasskeySample.passkey(1, of: accounts[0])
        try await insert([passkey])
        let byOther = try await run { transaction in
            [
                try store.rename(passkey.id, of: accounts[1], to: "mine", in: transaction),
                try store.remove(passkey.id, of: accounts[1], in: transaction),
            ]
        }
        #expect(byOther == [false, false])
        #expect(try await find(passkey.id) == passkey)
        let byOwner = try await run { try store.rename(passkey.id, of: accounts[0], to: "phone", in: $0) }
        #expect(byOwner)
        #expect(try await find(passkey.id)?.label == "phone")
        let removed = try await run { transaction in
            [
                try store.remove(passkey.id, of: accounts[0], in: transaction),
                try store.remove(passkey.id, of: accounts[0], in: transaction),
            ]
        }
        #expect(removed == [true, false])
        #expect(try await find(passkey.id) == nil)
    }

    func checkLists() async throws {
        let later = try PasskeySample.passkey(1, of: accounts[0], madeAfter: 9)
        let earlier = try PasskeySample.passkey(2, of: accounts[0], madeAfter: 3)
        let others = try PasskeySample.passkey(3, of: accounts[1])
        try await insert([later, earlier, others])
        let listed = try await run { try store.list(of: accounts[0], limit: 9, in: $0) }
        #expect(listed == [earlier, later])
        #expect(try await store.list(of: accounts[0], limit: 9) == listed)
        #expect(try await store.list(of: accounts[1], limit: 9) == [others])
        let first = try await run { try store.list(of: accounts[0], limit: 1, in: $0) }
        #expect(first == [earlier])
        #expect(try await store.list(of: accounts[0], limit: 1) == first)
        let all = try await store.listAccounts(limit: 9)
        #expect(Set(all.map { $0.passkeys.map(\.id) }) == [[earlier.id, later.id], [others.id]])
        #expect(all.allSatisfy { !$0.name.isEmpty })
    }

    func checkUndoing() async throws {
        let passkey = try PasskeySample.passkey(1, of: accounts[0])
        await #expect(throws: InjectedError.self) {
            try await run { transaction in
                _ = try store.insert(passkey, in: transaction)
                throw InjectedError()
            }
        }
        #expect(try await find(passkey.id) == nil)
    }

    private func insert(_ passkeys: [Passkey]) async throws {
        try await run { transaction in for passkey in passkeys { _ = try store.insert(passkey, in: transaction) } }
    }

    private func find(_ id: PasskeyID) async throws -> Passkey? { try await run { try store.find(id, in: $0) } }

    private func noteUse(_ use: PasskeyUse) async throws -> Bool { try await run { try store.noteUse(use, in: $0) } }
}
