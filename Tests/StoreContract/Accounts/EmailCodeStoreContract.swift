package import Accounts
package import Kernel
import Testing

/// The contract of every store of sign-in codes, one case a promise.
package enum EmailCodeStoreContract: String, StorePromise {
    case comesBackAsWritten = "a code comes back as it was written, by its id, its link, and its address and device"
    case oneIsLive = "a code ends the one that the same device has for the account, and no other"
    case endsOnce = "of many ends at once one counts"
    case endsAll = "all codes of an account end that have not ended, and no other account's"
    case countsTries = "wrong tries are counted, at most five"
    case countsApart = "codes and tries are counted by account and linked device, since the instants that are asked for"
    case undoes = "what a failing unit wrote was never there"
    case purges = "codes are purged by their age, in batches"

    /// Checks this promise over an empty store.
    package func check(
        over store: some EmailCodeStore,
        purge: @escaping Purge,
        _ unitOfWork: some UnitOfWork
    ) async throws {
        let subject = EmailCodesUnderTest(store: store, purging: purge, unitOfWork: unitOfWork)
        switch self {
        case .comesBackAsWritten: try await subject.checkWriting()
        case .oneIsLive: try await subject.checkReplacing()
        case .endsOnce: try await subject.checkEnding()
        case .endsAll: try await subject.checkEndingAll()
        case .countsTries: try await subject.checkTries()
        case .countsApart: try await subject.checkUse()
        case .undoes: try await subject.checkUndoing()
        case .purges: try await subject.checkPurging()
        }
    }
}

private struct EmailCodesUnderTest<Store: EmailCodeStore, Work: UnitOfWork>: CheckingInUnits {
    let store: Store
    let purging: Purge
    let unitOfWork: Work

    private static var now: Instant { OperationSample.start }

    func checkWriting() async throws {
        let (plain, linked) = (code(1), code(2, device: "tablet", linked: 7))
        try await insert([plain, linked])
        for code in [plain, linked] {
            #expect(try await find(code.id) == code)
            #expect(try await store.find(link: code.digests.link) == code)
            #expect(try await find(code.recipient.address, code.device.device) == code)
        }
        #expect(try await find(code(3).id) == nil)
        #expect(try await store.find(link: code(3).digests.link) == nil)
        #expect(try await find(plain.recipient.address, "another") == nil)
        #expect(try await find(Self.digest(99), plain.device.device) == nil)
        await #expect(throws: (any Error).self) { try await insert([code(1, device: "other")]) }
    }

    func checkReplacing() async throws {
        try await insert([code(1), code(2, device: "tablet"), code(3, account: 2), code(4, client: "other")])
        try await insert([code(5, sent: .seconds(9))])
        var replaced = code(1)
        replaced.endedAt = Self.now + .seconds(9)
        #expect(try await find(code(1).id) == replaced)
        for number in [2, 3, 4, 5] { #expect(try await find(code(UInt64(number)).id)?.endedAt == nil) }
        #expect(try await find(code(1).recipient.address, "phone")?.id == code(5).id)
    }

    func checkEnding() async throws {
        try await insert([code(1)])
        let ended = try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { try await run { try store.end(code(1).id, at: Self.now, in: $0) } }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(ended == 1)
        #expect(try await find(code(1).recipient.address, "phone") == nil)
        #expect(try await find(code(1).id)?.endedAt == Self.now)
        #expect(try await run { try store.end(code(2).id, at: Self.now, in: $0) } == false, "there is none")
    }

    func checkEndingAll() async throws {
        try await insert([code(1), code(2, device: "tablet", linked: 7), code(3, account: 2), code(4, device: "old")])
        _ = try await run { try store.end(code(4).id, at: at(-9), in: $0) }
        try await run { try store.endAll(of: code(1).recipient.account, at: Self.now, in: $0) }
        var ends: [Instant?] = []
        for number in [1, 2, 3, 4] as [UInt64] { ends.append(try await find(code(number).id)?.endedAt) }
        #expect(ends == [Self.now, Self.now, nil, at(-9)])
    }

    func checkTries() async throws {
        try await insert([code(1), code(2, device: "tablet")])
        for _ in 0..<5 { try await run { try store.noteWrongTry(of: code(1).id, in: $0) } }
        #expect(try await find(code(1).id)?.wrongTries == 5)
        #expect(try await find(code(2).id)?.wrongTries == 0)
        await #expect(throws: (any Error).self) {
            try await run { try store.noteWrongTry(of: code(1).id, in: $0) }
        }
    }

    func checkUse() async throws {
        try await insert([
            code(1, device: "a", sent: .seconds(-100)), code(2, device: "b", sent: .seconds(-50)),
            code(3, device: "c", sent: .seconds(-10)), code(4, device: "d", linked: 7, sent: .seconds(-20)),
            code(5, device: "e", account: 2, sent: .seconds(-5)),
        ])
        for number in [1, 1, 3, 4, 4, 4, 5] as [UInt64] {
            try await run { try store.noteWrongTry(of: code(number).id, in: $0) }
        }
        #expect(
            try await use(nil, codes: .seconds(-60), tries: .seconds(-200))
                == EmailCodeUse(codes: 2, firstCode: at(-50), wrongTries: 3, firstWrong: at(-100))
        )
        #expect(
            try await use(nil, codes: .seconds(-200), tries: .seconds(-60))
                == EmailCodeUse(codes: 3, firstCode: at(-100), wrongTries: 1, firstWrong: at(-10))
        )
        #expect(
            try await use(7, codes: .seconds(-60), tries: .seconds(-60))
                == EmailCodeUse(codes: 1, firstCode: at(-20), wrongTries: 3, firstWrong: at(-20))
        )
        #expect(try await use(8, codes: .seconds(-60), tries: .seconds(-60)) == EmailCodeUse())
        #expect(try await use(nil, codes: .seconds(-10), tries: .seconds(-10)) == EmailCodeUse(), "since, not at")
    }

    func checkUndoing() async throws {
        try await insert([code(1)])
        await #expect(throws: InjectedError.self) {
            try await run { transaction in
                try store.insert(code(2), in: transaction)
                try store.noteWrongTry(of: code(2).id, in: transaction)
                throw InjectedError()
            }
        }
        #expect(try await find(code(1).id) == code(1))
        #expect(try await find(code(2).id) == nil)
    }

    func checkPurging() async throws {
        try await insert((1...5).map { code($0, device: "device \($0)", sent: .seconds(Int64($0))) })
        func purge(_ limit: Int) async throws -> Int {
            try await run { try purging(at(4), limit, $0) }
        }
        #expect(try await purge(2) == 2)
        #expect(try await find(code(3).id) != nil, "the oldest first")
        #expect(try await purge(9) == 1)
        #expect(try await purge(9) == 0)
        #expect(try await find(code(4).id) != nil)
    }

    private func at(_ seconds: Int64) -> Instant { Self.now + .seconds(seconds) }

    private func insert(_ codes: [EmailCode]) async throws {
        try await run { transaction in for code in codes { try store.insert(code, in: transaction) } }
    }

    private func find(_ id: EmailCodeID) async throws -> EmailCode? { try await run { try store.find(id, in: $0) } }

    private func find(_ address: Digest256, _ device: String) async throws -> EmailCode? {
        try await run { try store.find(address: address, device: DeviceName(client: "app", device: device), in: $0) }
    }

    private func use(_ linked: UInt64?, codes: Duration, tries: Duration) async throws -> EmailCodeUse {
        try await run { transaction in
            try store.use(
                of: AccountID(UUIDBits(high: 1, low: 1)),
                on: linked.map { DeviceID(UUIDBits(high: 2, low: $0)) },
                codesSince: Self.now + codes,
                triesSince: Self.now + tries,
                in: transaction
            )
        }
    }

    private func code(
        _ number: UInt64,
        device: String = "phone",
        client: String = "app",
        account: UInt64 = 1,
        linked: UInt64? = nil,
        sent: Duration = .zero
    ) -> EmailCode {
        EmailCode(
            id: EmailCodeID(UUIDBits(high: 9, low: number)),
            recipient: EmailCode.Recipient(
                account: AccountID(UUIDBits(high: 1, low: account)),
                address: Self.digest(account)
            ),
            device: DeviceName(client: client, device: device),
            linkedDevice: linked.map { DeviceID(UUIDBits(high: 2, low: $0)) },
            digests: EmailCode.Digests(digits: Self.digest(100 + number), link: Self.digest(200 + number)),
            validity: ValidityPeriod(createdAt: Self.now + sent, expiresAt: Self.now + sent + .seconds(600))
        )
    }

    private static func digest(_ number: UInt64) -> Digest256 {
        Digest256(Array(repeating: UInt8(truncatingIfNeeded: number), count: 32)) ?? .zero
    }
}
