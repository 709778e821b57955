package import Kernel
package import OAuth
import Testing

/// The contract of every store of backchannel requests, one case a promise.
package enum BackchannelStoreContract: String, StorePromise {
    case comesBackAsWritten = "a request comes back as it was written"
    case goesThroughAll = "all that are kept are gone through in batches, and none that is over"
    case queuesOnce = "a request has one notice at the most, and one that polls has none"
    case claimsWhatIsDue = "what is due is claimed, the longest due first, and no more than may be"
    case claimsByClient = "no client's notices take the places of another's, however many are due and how long"
    case claimsInARace = "of many claims at once each notice goes to one"
    case settlesUnderLease = "who lost the lease changes nothing"
    case putsOff = "a notice that is put off is due then, with one attempt more"
    case erases = "what a finished notice was sent with is erased, and it is never queued again"
    case listsWhatWaits = "what waits is listed and counted, the next due first, and of one client"
    case expedites = "what is due later and nobody delivers is made due now"
    case undoes = "what a failing unit wrote was never there"
    case purges = "requests are purged by their end, in batches"

    /// Checks this promise over an empty store.
    package func check(
        over store: some BackchannelStore,
        purge: @escaping Purge,
        _ unitOfWork: some UnitOfWork
    ) async throws {
        let subject = BackchannelUnderTest(store: store, purging: purge, unitOfWork: unitOfWork)
        switch self {
        case .comesBackAsWritten: try await subject.checkWriting()
        case .goesThroughAll: try await subject.checkListing()
        case .queuesOnce: try await subject.checkQueueing()
        case .claimsWhatIsDue: try await subject.checkDue()
        case .claimsByClient: try await subject.checkClients()
        case .claimsInARace: try await subject.checkRace()
        case .settlesUnderLease: try await subject.checkLostLease()
        case .putsOff: try await subject.checkPuttingOff()
        case .erases: try await subject.checkErasing()
        case .listsWhatWaits: try await subject.checkWaiting()
        case .expedites: try await subject.checkExpediting()
        case .undoes: try await subject.checkUndoing()
        case .purges: try await subject.checkPurging()
        }
    }
}

private struct BackchannelUnderTest<Store: BackchannelStore, Work: UnitOfWork> {
    let store: Store
    let purging: Purge
    let unitOfWork: Work

    private static var now: Instant { Instant(seconds: 1_800_000_000) }
    private static var end: Instant { now + .seconds(300) }

    func checkWriting() async throws {
        let written = [record(1, .poll), record(2, .ping), record(3, .push)]
        try await insert(written)
        #expect(try await all() == written)
        await #expect(throws: (any Error).self) { try await insert([record(1, .poll)]) }
    }

    func checkListing() async throws {
        let records = (1...7).map { record(UInt8($0), .poll) }
        try await insert(records.reversed() + [record(9, .poll, keptFor: .zero)])
        var seen: [BackchannelRecord] = []
        while true {
            let batch = try await store.following(seen.last?.id, keptAfter: Self.now, limit: 3)
            seen += batch
            if batch.count < 3 { break }
        }
        #expect(seen == records)
    }

    func checkQueueing() async throws {
        try await insert([record(1, .ping), record(2, .poll)])
        #expect(try await nextDue() == nil)
        try await enqueue([1, 1, 2, 8])
        #expect(try await nextDue() == Self.now)
        try await enqueue([1], in: .seconds(5))
        #expect(try await nextDue() == Self.now, "the one that is queued stays as it is")
        let claimed = try await claim(lease(1))
        #expect(claimed == [QueuedNotice(request: record(1, .ping), attempts: 0, expiresAt: Self.end)])
    }

    func checkDue() async throws {
        try await insert((1...5).map { record(UInt8($0), .push) })
        for (number, delay) in [(1, -1), (2, -3), (3, 1), (4, 0), (5, -2)] {
            try await enqueue([UInt8(number)], in: .seconds(delay))
        }
        #expect(try await claim(lease(1), limit: 2).map(\.number) == [2, 5])
        #expect(try await claim(lease(2)).map(\.number) == [1, 4])
        #expect(try await claim(lease(3)).isEmpty)
        #expect(try await nextDue() == Self.now + .seconds(1))
        #expect(try await claim(lease(3), at: lease(1).until).map(\.number) == [3, 2, 5], "their leases are over")
    }

    func checkClients() async throws {
        try await insert((1...6).map { record(UInt8($0), .ping, of: "hangs") })
        try await insert([record(7, .ping), record(8, .push), record(9, .ping, of: "shop")])
        try await enqueue([1, 2, 3, 4, 5, 6], in: .seconds(-60))
        try await enqueue([7, 8, 9])
        let (store, first, second) = (store, lease(1), lease(2))
        let claimed = try await unitOfWork.run { transaction in
            let capacity = DeliveryCapacity(inAll: 16, perGroup: 2, taken: ["bank": 1])
            return try store.claim(first, capacity: capacity, at: Self.now, in: transaction).map(\.number)
        }
        #expect(claimed == [1, 2, 7, 9])
        let more = try await unitOfWork.run { transaction in
            let capacity = DeliveryCapacity(inAll: 1, perGroup: 2, taken: ["hangs": 2, "shop": 1])
            return try store.claim(second, capacity: capacity, at: Self.now, in: transaction).map(\.number)
        }
        #expect(more == [8])
    }

    func checkRace() async throws {
        try await insert((1...20).map { record(UInt8($0), .ping) })
        try await enqueue(Array(1...20))
        let claimed = try await withThrowingTaskGroup { group in
            for number in UInt64(1)...8 { group.addTask { try await claim(lease(number), limit: 5).map(\.number) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.sorted() == Array(1...20))
    }

    func checkLostLease() async throws {
        try await insert([record(1, .ping), record(2, .ping)])
        try await enqueue([1])
        _ = try await claim(lease(1))
        _ = try await claim(lease(2), at: lease(1).until)
        #expect(try await finish(1, lease(1)) == false)
        #expect(try await putOff(1, lease(1)) == false)
        #expect(try await finish(2, lease(2)) == false, "it has no notice")
        #expect(try await putOff(1, lease(2)))
        #expect(try await putOff(1, lease(2)) == false, "it was given back")
        #expect(try await all() == [record(1, .ping), record(2, .ping)])
    }

    func checkPuttingOff() async throws {
        try await insert([record(1, .push)])
        try await enqueue([1])
        _ = try await claim(lease(1))
        #expect(try await putOff(1, lease(1)))
        #expect(try await claim(lease(2), at: Self.now + .milliseconds(4999)).isEmpty)
        let again = try await claim(lease(2), at: Self.now + .seconds(5))
        #expect(again == [QueuedNotice(request: record(1, .push), attempts: 1, expiresAt: Self.end)])
    }

    func checkErasing() async throws {
        try await insert([record(1, .push)])
        try await enqueue([1])
        _ = try await claim(lease(1))
        #expect(try await finish(1, lease(1)))
        var erased = record(1, .push)
        erased.callback = nil
        #expect(try await all() == [erased])
        try await enqueue([1])
        #expect(try await nextDue() == nil)
        #expect(try await claim(lease(2), at: Self.now + .seconds(9000)).isEmpty)
    }

    func checkUndoing() async throws {
        try await insert([record(1, .ping)])
        let (store, lease, second) = (store, lease(1), record(2, .ping))
        let first = record(1, .ping).id
        await #expect(throws: InjectedError.self) {
            try await unitOfWork.run { transaction in
                try store.insert(second, in: transaction)
                try store.enqueue(first, at: Self.now, expiresAt: Self.end, in: transaction)
                _ = try store.claim(
                    lease,
                    capacity: DeliveryCapacity(inAll: 9, perGroup: 9),
                    at: Self.now,
                    in: transaction
                )
                throw InjectedError()
            }
        }
        #expect(try await all() == [record(1, .ping)])
        #expect(try await nextDue() == nil)
    }

    func checkPurging() async throws {
        try await insert((1...5).map { record(UInt8($0), .poll, keptFor: .seconds($0)) })
        #expect(try await purge(before: Self.now + .seconds(4), limit: 2) == 2)
        #expect(try await purge(before: Self.now + .seconds(4), limit: 2) == 1)
        #expect(try await all().map { $0.id.bytes[0] } == [4, 5])
        #expect(try await purge(before: Self.now + .seconds(4), limit: 2) == 0)
    }

    func checkWaiting() async throws {
        try await insert([record(1, .ping), record(2, .push), record(3, .ping, of: "shop"), record(4, .ping)])
        #expect(try await state() == NoticeQueueState(waiting: 0, oldest: nil))
        try await enqueue([1])
        try await enqueue([2], in: .seconds(-9))
        try await enqueue([3], in: .seconds(-4))
        _ = try await claim(lease(1), limit: 1)
        #expect(try await putOff(2, lease(1)))
        let waiting = try await waiting()
        let order = [3, 1, 2].map { record($0, .ping).operation.description }
        #expect(waiting.map(\.subject) == order && waiting.allSatisfy { $0.kind == .ciba })
        #expect(waiting.map(\.attempts) == [0, 0, 1] && waiting.map(\.client) == ["shop", "bank", "bank"])
        #expect(waiting.last?.dueAt == Self.now + .seconds(5))
        let since = [.push, .ping].map { Self.end - BackchannelPolicy.collectionWindow($0) }
        #expect(waiting.last?.queuedAt == since[0] && waiting.first?.queuedAt == since[1])
        #expect(try await self.waiting(for: "shop").map(\.subject) == [order[0]])
        #expect(try await self.waiting(limit: 2).map(\.subject) == Array(order.prefix(2)))
        #expect(try await state() == NoticeQueueState(waiting: 3, oldest: since.min()))
        #expect(try await state(upTo: 2).waiting == 2)
        try await checkPages(waiting)
    }

    /// Each page begins behind the last notice of the one before, whether that notice still waits or not.
    private func checkPages(_ all: [WaitingNotice]) async throws {
        for (index, last) in all.enumerated() {
            let position = NoticePosition(dueAt: last.dueAt, subject: last.subject)
            #expect(try await waiting(after: position) == Array(all.dropFirst(index + 1)))
            let before = NoticePosition(dueAt: last.dueAt, subject: "")
            #expect(try await waiting(after: before, limit: 1) == [last], "a notice that is gone has a place too")
        }
        #expect(try await waiting(for: "shop", after: NoticePosition(dueAt: Self.now, subject: "")).isEmpty)
    }

    func checkExpediting() async throws {
        try await insert([record(1, .ping), record(2, .ping), record(3, .ping), record(4, .ping)])
        try await enqueue([1])
        try await enqueue([2], in: .seconds(3))
        try await enqueue([3], in: .seconds(30))
        _ = try await claim(lease(1))
        #expect(try await expedite() == 2, "one is being delivered, and one is not decided")
        #expect(try await claim(lease(2)).map(\.number) == [2, 3])
        #expect(try await expedite() == 0)
    }

    private func waiting(
        for client: String? = nil,
        after position: NoticePosition? = nil,
        limit: Int = 99
    ) async throws -> [WaitingNotice] {
        let store = store
        return try await unitOfWork.run { try store.waiting(for: client, after: position, limit: limit, in: $0) }
    }

    private func state(upTo bound: Int = 99) async throws -> NoticeQueueState {
        let store = store
        return try await unitOfWork.run { try store.state(upTo: bound, in: $0) }
    }

    private func expedite() async throws -> Int {
        let store = store
        return try await unitOfWork.run { try store.expedite(at: Self.now, in: $0) }
    }

    private func record(
        _ number: UInt8,
        _ delivery: OAuthClient.Backchannel.Delivery,
        keptFor: Duration = .seconds(600),
        of client: String = "bank"
    ) -> BackchannelRecord {
        BackchannelRecord(
            id: Self.id(number),
            operation: OperationRowID(UUIDBits(high: 0x3A, low: UInt64(number))),
            access: RequestedAccess(
                clientID: client,
                scopes: ScopeSet(["openid", "payments"]),
                resources: number == 1 ? ["https://api.example.com/a", "https://api.example.com/b"] : []
            ),
            delivery: delivery,
            interval: .milliseconds(5500),
            callback: delivery == .poll
                ? nil
                : .init(
                    endpoint: "https://bank.example.com/cb?a=b",
                    encryptionKey: "key",
                    encrypted: [0, 255, 10, number]
                ),
            createdAt: Self.now,
            keptUntil: Self.now + keptFor
        )
    }

    private static func id(_ number: UInt8) -> Digest256 {
        Digest256([number] + [UInt8](repeating: 0xC1, count: 31)) ?? .zero
    }

    private func lease(_ number: UInt64) -> DeliveryLease {
        DeliveryLease(token: UUIDBits(high: 1, low: number), until: Self.now + .seconds(60 * Int64(number)))
    }

    private func insert(_ records: [BackchannelRecord]) async throws {
        let store = store
        try await unitOfWork.run { transaction in for record in records { try store.insert(record, in: transaction) } }
    }

    private func all() async throws -> [BackchannelRecord] {
        try await store.following(nil, keptAfter: Self.now - .seconds(1), limit: 99)
    }

    private func enqueue(_ numbers: [UInt8], in delay: Duration = .zero) async throws {
        let store = store
        try await unitOfWork.run { transaction in
            for number in numbers {
                try store.enqueue(Self.id(number), at: Self.now + delay, expiresAt: Self.end, in: transaction)
            }
        }
    }

    private func claim(
        _ lease: DeliveryLease,
        limit: Int = 99,
        at now: Instant = Self.now
    ) async throws -> [QueuedNotice] {
        let store = store
        let capacity = DeliveryCapacity(inAll: limit, perGroup: 99)
        return try await unitOfWork.run { try store.claim(lease, capacity: capacity, at: now, in: $0) }
    }

    private func nextDue() async throws -> Instant? {
        let store = store
        return try await unitOfWork.run { try store.nextDue(in: $0) }
    }

    private func finish(_ number: UInt8, _ lease: DeliveryLease) async throws -> Bool {
        let store = store
        return try await unitOfWork.run { try store.finish(Self.id(number), lease: lease, in: $0) }
    }

    private func putOff(_ number: UInt8, _ lease: DeliveryLease) async throws -> Bool {
        let store = store
        return try await unitOfWork.run { transaction in
            try store.putOff(Self.id(number), to: Self.now + .seconds(5), lease: lease, in: transaction)
        }
    }

    private func purge(before instant: Instant, limit: Int) async throws -> Int {
        try await unitOfWork.run { [purging] in try purging(instant, limit, $0) }
    }
}

extension QueuedNotice {
    fileprivate var number: UInt8 { request.id.bytes[0] }
}
