package import Kernel
package import Passkeys
import Testing

/// The contract of every store of open challenges, one case a promise.
package enum PasskeyChallengeStoreContract: String, StorePromise {
    case comesBackAsWritten = "a challenge comes back as it was written, whatever it is for"
    // T-129
    case isUsedOnce = "of many uses at once one counts, and none after it has expired"
    case isBound = "what a challenge is bound to is known while it is open"
    // T-247
    case boundedPerSource = "a source has so many, of which the newest stay, and no other loses any"
    case boundedInAll = "there are so many in all, of which the newest stay"
    case purges = "challenges are purged that have expired, in batches"
    case undoes = "what a failing unit used is open still"

    /// Checks this promise over an empty store that has that account.
    package func check(
        over store: some PasskeyChallengeStore,
        purge: @escaping Purge,
        _ unitOfWork: some UnitOfWork,
        account: AccountID
    ) async throws {
        let subject = ChallengesUnderTest(store: store, purging: purge, unitOfWork: unitOfWork, account: account)
        switch self {
        case .comesBackAsWritten: try await subject.checkWriting()
        case .isUsedOnce: try await subject.checkUse()
        case .isBound: try await subject.checkBinding()
        case .boundedPerSource: try await subject.checkSources()
        case .boundedInAll: try await subject.checkBound()
        case .purges: try await subject.checkPurging()
        case .undoes: try await subject.checkUndoing()
        }
    }
}

private struct ChallengesUnderTest<Store: PasskeyChallengeStore, Work: UnitOfWork>: CheckingInUnits {
    let store: Store
    let purging: Purge
    let unitOfWork: Work
    let account: AccountID

    private static var now: Instant { OperationSample.start }

    func checkWriting() async throws {
        let registration = PasskeyChallenge.Registration(
            account: account,
            name: "Ada",
            userHandle: [1, 2, 3],
            algorithms: [.es256, .rs256],
            residentKey: .required,
            attestation: .direct
        )
        let opening = PasskeyChallenge.Registration(
            account: nil,
            name: "eve",
            userHandle: Array(repeating: 9, count: 64),
            algorithms: COSEAlgorithm.allCases,
            residentKey: .discouraged,
            attestation: .none
        )
        let purposes: [PasskeyChallenge.Purpose] = [
            .registration(registration), .registration(opening), .authentication(.anybody),
            .authentication(.named("ada", account)), .authentication(.named("nobody", nil)),
        ]
        let written = purposes.enumerated().map { challenge(UInt64($0 + 1), $1) }
        try await insert(written)
        for challenge in written { #expect(try await store.find(challenge.digest) == challenge) }
        #expect(try await store.find(Self.digest("challenge", 99)) == nil)
        await #expect(throws: (any Error).self) { try await insert([written[0]]) }
    }

    func checkUse() async throws {
        let (open, late) = (challenge(1), challenge(2))
        try await insert([open, late])
        let used = try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try await use(open.digest, at: Self.now) } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(used == 1)
        #expect(try await store.find(open.digest) == nil)
        #expect(try await !use(late.digest, at: late.expiresAt), "expired")
        #expect(try await use(late.digest, at: late.expiresAt - .milliseconds(1)))
        #expect(try await !use(Self.digest("challenge", 9), at: Self.now), "there is none")
    }

    func checkBinding() async throws {
        let open = challenge(1)
        try await insert([open])
        #expect(try await isBound(open.binding, at: Self.now))
        #expect(try await !isBound(open.binding, at: open.expiresAt))
        #expect(try await !isBound(Self.digest("binding", 9), at: Self.now))
        _ = try await use(open.digest, at: Self.now)
        #expect(try await !isBound(open.binding, at: Self.now))
    }

    func checkSources() async throws {
        try await insert([challenge(1, source: 1), challenge(2, source: 2)])
        for number in 3...6 as ClosedRange<UInt64> { try await insert([challenge(number, source: 1)], perSource: 3) }
        #expect(try await there(1...6) == [2, 4, 5, 6])
    }

    func checkBound() async throws {
        for number in 1...6 as ClosedRange<UInt64> {
            try await insert([challenge(number, source: number)], perSource: 9, inAll: 4)
        }
        #expect(try await there(1...6) == [3, 4, 5, 6])
    }

    func checkPurging() async throws {
        try await insert((1...5).map { challenge($0, lasting: Int64($0)) })
        func purge(_ limit: Int) async throws -> Int {
            try await run { try purging(Self.now + .seconds(4), limit, $0) }
        }
        #expect(try await purge(2) == 2)
        #expect(try await there(1...5) == [3, 4, 5], "the oldest first")
        #expect(try await purge(9) == 1)
        #expect(try await purge(9) == 0)
    }

    func checkUndoing() async throws {
        let open = challenge(1)
        try await insert([open])
        await #expect(throws: InjectedError.self) {
            try await run { transaction in
                _ = try store.use(open.digest, at: Self.now, in: transaction)
                throw InjectedError()
            }
        }
        #expect(try await use(open.digest, at: Self.now))
    }

    private func insert(_ challenges: [PasskeyChallenge], perSource: Int = 99, inAll: Int = 99) async throws {
        try await run { transaction in
            for challenge in challenges {
                try store.insert(challenge, keepingPerSource: perSource, inAll: inAll, in: transaction)
            }
        }
    }

    private func use(_ digest: Digest256, at now: Instant) async throws -> Bool {
        try await run { try store.use(digest, at: now, in: $0) }
    }

    private func isBound(_ binding: Digest256, at now: Instant) async throws -> Bool {
        try await store.isBound(to: binding, at: now)
    }

    /// Returns which of these are there.
    private func there(_ numbers: ClosedRange<UInt64>) async throws -> [UInt64] {
        var found: [UInt64] = []
        for number in numbers where try await store.find(Self.digest("challenge", number)) != nil {
            found.append(number)
        }
        return found
    }

    private func challenge(
        _ number: UInt64,
        _ purpose: PasskeyChallenge.Purpose = .authentication(.anybody),
        source: UInt64 = 1,
        lasting seconds: Int64 = 600
    ) -> PasskeyChallenge {
        PasskeyChallenge(
            digest: Self.digest("challenge", number),
            binding: Self.digest("binding", number),
            source: Self.digest("source", source),
            rpID: "example.com",
            userVerification: number.isMultiple(of: 2) ? .required : .preferred,
            purpose: purpose,
            createdAt: Self.now,
            expiresAt: Self.now + .seconds(seconds)
        )
    }

    private static func digest(_ label: String, _ number: UInt64) -> Digest256 {
        OperationSample.digest(label, number)
    }
}
