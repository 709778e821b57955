package import Kernel
import Testing
package import Wallet

/// The contract of every store of enrolments at banks, one case a promise.
package enum BankEnrolmentStoreContract: String, StorePromise {
    case comesBackAsWritten = "an attempt comes back as it was written, at every stage"
    case statesAreUnique = "a state is one attempt's"
    case changesOnce = "of many changes over one stage one counts"
    case foundByToken = "an attempt is found by the token of its question, asked or answered"
    case boundedPerAccount = "an account has so many, of which the newest stay, and no other loses any"
    case purges = "attempts are purged that have expired, in batches, the oldest first"
    case undoes = "what a failing unit changed is as it was"

    /// Checks this promise over an empty store that has those two accounts.
    package func check(
        over store: some BankEnrolmentStore,
        purge: @escaping Purge,
        _ unitOfWork: some UnitOfWork,
        accounts: [AccountID]
    ) async throws {
        let subject = AttemptsUnderTest(store: store, purging: purge, unitOfWork: unitOfWork, accounts: accounts)
        switch self {
        case .comesBackAsWritten: try await subject.checkWriting()
        case .statesAreUnique: try await subject.checkStates()
        case .changesOnce: try await subject.checkRace()
        case .foundByToken: try await subject.checkTokens()
        case .boundedPerAccount: try await subject.checkBound()
        case .purges: try await subject.checkPurging()
        case .undoes: try await subject.checkUndoing()
        }
    }
}

private struct AttemptsUnderTest<Store: BankEnrolmentStore, Work: UnitOfWork> {
    let store: Store
    let purging: Purge
    let unitOfWork: Work
    let accounts: [AccountID]

    private static var now: Instant { Instant(milliseconds: 1_800_000_000_123) }

    func checkWriting() async throws {
        let written = [attempt(1), attempt(2, isBare: true), attempt(3, endingAt: .app(deepLink: nil))]
        for attempt in written { try await insert(attempt) }
        for attempt in written {
            #expect(try await store.find(state: attempt.state) == attempt)
        }
        let stages: [EnrolmentAttempt.Stage] = [.arrived, .asking(token: token(1), held: "sealed"), .ended(token: nil)]
        var last = written[0]
        for stage in stages {
            var next = last
            next.stage = stage
            next.redirect.verifier = ""
            next.validity.expiresAt = last.validity.expiresAt + .seconds(1)
            #expect(try await update(next, over: last.stage.name))
            #expect(try await store.find(state: last.state) == next)
            last = next
        }
        #expect(try await store.find(state: written[1].state) == written[1], "no other is touched")
    }

    func checkStates() async throws {
        try await insert(attempt(1))
        await #expect(throws: (any Error).self) { try await insert(attempt(1, of: 1)) }
        #expect(try await store.find(state: attempt(1).state)?.initiator.account == accounts[0])
        #expect(try await store.find(state: attempt(2).state) == nil)
    }

    func checkRace() async throws {
        let pending = attempt(1)
        try await insert(pending)
        let words = (0..<8).map { $0.isMultiple(of: 2) ? at(pending, .arrived) : at(pending, .ended(token: nil)) }
        let written = try await withThrowingTaskGroup(of: EnrolmentAttempt?.self) { group in
            for word in words { group.addTask { try await update(word, over: .pending) ? word : nil } }
            return try await group.reduce(into: [EnrolmentAttempt]()) { if let word = $1 { $0.append(word) } }
        }
        try #require(written.count == 1)
        #expect(try await store.find(state: pending.state) == written[0])
        #expect(try await !update(at(pending, .arrived), over: .pending), "it is no longer at that stage")
        #expect(try await !update(at(attempt(9), .arrived), over: .pending), "there is none")
    }

    func checkTokens() async throws {
        try await insert(attempt(1))
        try await insert(attempt(2))
        let asking = at(attempt(1), .asking(token: token(1), held: "sealed"))
        #expect(try await update(asking, over: .pending))
        #expect(try await store.find(confirmation: token(1)) == asking)
        let ended = at(asking, .ended(token: token(1)))
        #expect(try await update(ended, over: .asking))
        #expect(try await store.find(confirmation: token(1)) == ended)
        #expect(try await store.find(confirmation: token(2)) == nil)
        #expect(try await store.find(confirmation: asking.state) == nil, "a state is no token")
    }

    func checkBound() async throws {
        try await insert(attempt(1))
        try await insert(attempt(2, of: 1))
        for number in 3...6 as ClosedRange<UInt8> { try await insert(attempt(number), keeping: 3) }
        #expect(try await there(1...6) == [2, 4, 5, 6])
    }

    func checkPurging() async throws {
        for number in [4, 2, 5, 1, 3] as [UInt8] { try await insert(attempt(number, lasting: Int64(number))) }
        func purge(_ limit: Int) async throws -> Int {
            try await unitOfWork.run { [purging] in try purging(Self.now + .seconds(4), limit, $0) }
        }
        #expect(try await purge(2) == 2)
        #expect(try await there(1...5) == [3, 4, 5], "the oldest first")
        #expect(try await purge(9) == 1)
        #expect(try await purge(9) == 0)
    }

    func checkUndoing() async throws {
        let (pending, late) = (attempt(1), attempt(2))
        try await insert(pending)
        let arrived = at(pending, .arrived)
        await #expect(throws: InjectedError.self) {
            try await unitOfWork.run { [store] transaction in
                _ = try store.update(arrived, over: .pending, in: transaction)
                try store.insert(late, keepingPerAccount: 9, in: transaction)
                throw InjectedError()
            }
        }
        #expect(try await store.find(state: pending.state) == pending)
        #expect(try await store.find(state: late.state) == nil)
    }

    private func insert(_ attempt: EnrolmentAttempt, keeping: Int = 99) async throws {
        try await unitOfWork.run { [store] transaction in
            try store.insert(attempt, keepingPerAccount: keeping, in: transaction)
        }
    }

    private func update(_ attempt: EnrolmentAttempt, over stage: EnrolmentAttempt.Stage.Name) async throws -> Bool {
        try await unitOfWork.run { [store] in try store.update(attempt, over: stage, in: $0) }
    }

    /// Returns which of these are there.
    private func there(_ numbers: ClosedRange<UInt8>) async throws -> [UInt8] {
        var found: [UInt8] = []
        for number in numbers where try await store.find(state: attempt(number).state) != nil { found.append(number) }
        return found
    }

    private func at(_ attempt: EnrolmentAttempt, _ stage: EnrolmentAttempt.Stage) -> EnrolmentAttempt {
        var changed = attempt
        changed.stage = stage
        changed.redirect.verifier = ""
        return changed
    }

    private func attempt(
        _ number: UInt8,
        of account: Int = 0,
        isBare: Bool = false,
        endingAt destination: EnrolmentDestination? = nil,
        lasting seconds: Int64 = 600
    ) -> EnrolmentAttempt {
        EnrolmentAttempt(
            state: Self.digest(1, number),
            initiator: EnrolmentInitiator(
                account: accounts[account],
                session: SessionID(UUIDBits(high: 5, low: UInt64(number)))
            ),
            bankID: "bank-\(number)",
            redirect: EnrolmentAttempt.Redirect(
                redirectURI: "https://id.example.com/api/enrollment/callback/bank-\(number)",
                browser: isBare ? nil : Self.digest(2, number),
                verifier: "sealed-\(number)"
            ),
            destination: destination ?? (isBare ? .page : .app(deepLink: "mwsim://enrollment/callback")),
            needsConfirmation: isBare,
            validity: ValidityPeriod(createdAt: Self.now, expiresAt: Self.now + .seconds(seconds))
        )
    }

    private func token(_ number: UInt8) -> Digest256 { Self.digest(3, number) }

    private static func digest(_ label: UInt8, _ number: UInt8) -> Digest256 {
        Digest256([label, number] + [UInt8](repeating: 0x5A, count: 30)) ?? .zero
    }
}
