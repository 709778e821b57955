package import Kernel
import Testing
package import Wallet

/// The contract of every store of payments, one case a promise.
package enum PaymentStoreContract: String, StorePromise {
    case comesBackAsWritten = "a payment comes back as it was written, in every state"
    case keysAreUnique = "a key is one payment's of its account, and anybody's of another's"
    case foundByToken = "a payment is found by its card token's digest once it is confirmed"
    // T-142
    case changesOnce = "of many changes over one version one counts, and no other payment is touched"
    // T-140
    case keepsTerms = "no change touches what a payment is about"
    case lists = "an account's payments are listed in pages, the newest first, those of one moment too"
    case counts = "what is open and what is recent is counted for one account, to the millisecond"
    case purges = "payments are purged by their age, in batches, the oldest first"
    case undoes = "what a failing unit changed is as it was"

    /// Checks this promise over an empty store that has these two accounts.
    package func check(
        over store: some PaymentStore,
        purge: @escaping Purge,
        _ unitOfWork: some UnitOfWork,
        account: AccountID,
        other: AccountID
    ) async throws {
        let subject = PaymentsUnderTest(
            store: store,
            purging: purge,
            unitOfWork: unitOfWork,
            account: account,
            other: other
        )
        switch self {
        case .comesBackAsWritten: try await subject.checkWriting()
        case .keysAreUnique: try await subject.checkKeys()
        case .foundByToken: try await subject.checkTokens()
        case .changesOnce: try await subject.checkRace()
        case .keepsTerms: try await subject.checkTerms()
        case .lists: try await subject.checkList()
        case .counts: try await subject.checkLoad()
        case .purges: try await subject.checkPurging()
        case .undoes: try await subject.checkUndoing()
        }
    }
}

private struct PaymentsUnderTest<Store: PaymentStore, Work: UnitOfWork> {
    let store: Store
    let purging: Purge
    let unitOfWork: Work
    let account: AccountID
    let other: AccountID

    private static var now: Instant { PaymentSample.now }

    func checkWriting() async throws {
        var written = PaymentSample.everyState.enumerated().map { number, state in
            sample(
                UInt64(number),
                key: UInt8(number),
                state: state,
                wrongProofs: number % 5,
                version: Int64(number + 1)
            )
        }
        written.append(sample(90, merchant: ("شركة المثال", nil)))
        written.append(sample(91, money: ("999999999999.9999", "CLF"), wrongProofs: 5))
        for payment in written { try await insert(payment) }
        for payment in written {
            let found = try await (store.find(payment.id), inside { try $0.find(payment.id, in: $1) })
            #expect(found.0 == payment)
            #expect(found.1 == payment)
        }
        #expect(try await store.find(PaymentID(account.bits)) == nil)
        await #expect(throws: (any Error).self) { try await insert(written[0]) }
    }

    func checkKeys() async throws {
        let (mine, theirs) = (sample(1, key: 1), PaymentSample.payment(2, of: other, key: 1))
        for payment in [mine, theirs, sample(3), sample(4), sample(5, key: 2)] { try await insert(payment) }
        let key = PaymentSample.digest(2, 1)
        let (account, other) = (account, other)
        #expect(try await inside { try $0.find(key: key, of: account, in: $1) } == mine)
        #expect(try await inside { try $0.find(key: key, of: other, in: $1) } == theirs)
        #expect(try await inside { try $0.find(key: PaymentSample.digest(3, 1), of: account, in: $1) } == nil)
        await #expect(throws: (any Error).self) { try await insert(sample(6, key: 1)) }
        #expect(try await store.find(sample(6).id) == nil)
    }

    func checkTokens() async throws {
        let (first, second) = (sample(1), sample(2))
        for payment in [first, second] { try await insert(payment) }
        let token = PaymentSample.digest(4, 7)
        #expect(try await inside { try $0.find(cardToken: token, in: $1) } == nil)
        let confirmed = first.like(.confirmed(PaymentSample.confirmation(7)))
        #expect(try await update(confirmed, over: 1))
        #expect(try await inside { try $0.find(cardToken: token, in: $1) } == confirmed)
        #expect(try await inside { try $0.find(cardToken: PaymentSample.digest(2, 7), in: $1) } == nil)
    }

    func checkRace() async throws {
        let (payment, bystander) = (sample(1), sample(2))
        for payment in [payment, bystander] { try await insert(payment) }
        let changes = (0..<8 as Range<UInt8>).map { number in
            number.isMultiple(of: 2)
                ? payment.like(.confirmed(PaymentSample.confirmation(number)))
                : payment.like(.cancelled(at: Self.now + .seconds(Int64(number))))
        }
        let written = try await withThrowingTaskGroup(of: Payment?.self) { group in
            for change in changes { group.addTask { try await update(change, over: 1) ? change : nil } }
            return try await group.reduce(into: [Payment]()) { if let change = $1 { $0.append(change) } }
        }
        try #require(written.count == 1)
        #expect(try await store.find(payment.id) == written[0])
        #expect(try await store.find(bystander.id) == bystander)
        #expect(try await !update(written[0].like(.expired), over: 1), "it is no longer of that version")
        #expect(try await update(written[0].like(.expired), over: 2))
        #expect(try await !update(sample(9).like(.expired), over: 1), "there is none")
    }

    func checkTerms() async throws {
        let payment = sample(1, key: 1)
        try await insert(payment)
        let dearer = PaymentSample.payment(
            1,
            of: account,
            money: ("9999.00", "USD"),
            merchant: ("Thief", nil),
            key: 2,
            state: .cancelled(at: Self.now),
            version: 2
        )
        #expect(try await update(dearer, over: 1))
        let kept = try #require(try await store.find(payment.id))
        #expect(kept.state == .cancelled(at: Self.now) && kept.version == 2)
        #expect(kept == payment.like(.cancelled(at: Self.now)))
    }

    func checkList() async throws {
        for number in [3, 1, 4, 2] as [UInt64] {
            try await insert(sample(number, createdAt: Self.now + .milliseconds(Int64(number) / 2)))
        }
        try await insert(PaymentSample.payment(9, of: other))
        // 2 and 3 are of one moment.
        #expect(try await listed(before: nil, 9) == [4, 3, 2, 1])
        #expect(try await listed(before: nil, 2) == [4, 3])
        #expect(try await listed(before: 3, 2) == [2, 1])
        #expect(try await listed(before: 2, 1) == [1])
        #expect(try await listed(before: 1, 9) == [])
        #expect(try await listed(before: 8, 9) == [], "there is none")
        #expect(try await listed(before: 9, 9) == [], "it is another's")
    }

    func checkLoad() async throws {
        let since = Self.now - .seconds(100)
        func load() async throws -> PaymentLoad {
            let account = account
            return try await inside { try $0.load(of: account, at: Self.now, since: since, in: $1) }
        }
        #expect(try await load() == PaymentLoad(open: 0, firstExpiry: nil, recent: 0))
        let payments = [
            sample(1, createdAt: since - .milliseconds(1), lasting: .seconds(900)),
            sample(2, createdAt: since, lasting: .seconds(100)),
            sample(3, createdAt: since, lasting: .milliseconds(100_001)),
            sample(4, createdAt: Self.now, lasting: .seconds(300)),
            sample(5, state: .cancelled(at: Self.now)),
            sample(6, state: .confirmed(PaymentSample.confirmation(6))),
            PaymentSample.payment(7, of: other),
        ]
        for payment in payments { try await insert(payment) }
        let expected = PaymentLoad(open: 2, firstExpiry: Self.now + .milliseconds(1), recent: 5)
        #expect(try await load() == expected)
    }

    func checkPurging() async throws {
        for number in [4, 2, 5, 1, 3] as [UInt64] {
            try await insert(sample(number, createdAt: Self.now + .seconds(Int64(number))))
        }
        func purge(_ limit: Int) async throws -> Int {
            try await unitOfWork.run { [purging] in try purging(Self.now + .seconds(4), limit, $0) }
        }
        #expect(try await purge(2) == 2)
        #expect(try await listed(before: nil, 9) == [5, 4, 3], "the oldest first")
        #expect(try await purge(9) == 1)
        #expect(try await purge(9) == 0)
    }

    func checkUndoing() async throws {
        let (payment, late) = (sample(1), sample(2))
        try await insert(payment)
        await #expect(throws: InjectedError.self) {
            try await unitOfWork.run { [store] transaction in
                _ = try store.update(payment.like(.expired), over: 1, in: transaction)
                try store.insert(late, in: transaction)
                throw InjectedError()
            }
        }
        #expect(try await store.find(payment.id) == payment)
        #expect(try await store.find(late.id) == nil)
    }

    private func sample(
        _ number: UInt64,
        money: (value: String, currency: String) = ("12.50", "EUR"),
        merchant: (name: String, id: String?) = ("Möbel & Söhne", "shop-7"),
        key: UInt8? = nil,
        state: PaymentState = .pending,
        wrongProofs: Int = 0,
        version: Int64 = 1,
        createdAt: Instant = PaymentSample.now,
        lasting: Duration = .seconds(300)
    ) -> Payment {
        PaymentSample.payment(
            number,
            of: account,
            money: money,
            merchant: merchant,
            key: key,
            state: state,
            wrongProofs: wrongProofs,
            version: version,
            createdAt: createdAt,
            lasting: lasting
        )
    }

    private func inside<T: Sendable>(
        _ body: @escaping @Sendable (Store, borrowing Transaction) throws -> T
    ) async throws -> T {
        try await unitOfWork.run { [store] transaction in try body(store, transaction) }
    }

    private func insert(_ payment: Payment) async throws {
        try await unitOfWork.run { [store] transaction in try store.insert(payment, in: transaction) }
    }

    private func update(_ payment: Payment, over version: Int64) async throws -> Bool {
        try await unitOfWork.run { [store] transaction in try store.update(payment, over: version, in: transaction) }
    }

    /// Returns the numbers of the account's payments.
    private func listed(before: UInt64?, _ limit: Int) async throws -> [UInt64] {
        let before = before.map { PaymentID(UUIDBits(high: 0xA1, low: $0)) }
        return try await store.list(of: account, before: before, limit: limit).map(\.id.bits.low)
    }
}
