package import Kernel
package import OAuth
import Testing

/// The contract of every store of logout notices, one case a promise.
package enum LogoutNoticeStoreContract: String, StorePromise {
    case comesBack = "a notice comes back as it was queued, and a session has one"
    case claimsWhatIsDue = "what is due is claimed, the longest due first, and no more than each client may have"
    case claimsOnce = "a claimed notice is nobody else's until its lease ends"
    case claimsInARace = "of many claims at once each notice goes to one"
    case settlesUnderLease = "who lost the lease changes nothing"
    case putsOff = "a notice that is put off is due then, with its failure and one attempt more"
    case counts = "the queue tells its length and its oldest notice, and of a client its latest failure"
    case listsWhatWaits = "what waits is listed, the next due first, and of one client"
    case expedites = "what is due later and nobody delivers is made due now"
    case undoes = "what a failing unit queued or claimed was never there"

    /// Checks this promise over an empty store.
    package func check(over store: some LogoutNoticeStore, _ unitOfWork: some UnitOfWork) async throws {
        let subject = LogoutNoticesUnderTest(store: store, unitOfWork: unitOfWork)
        switch self {
        case .comesBack: try await subject.checkComesBack()
        case .claimsWhatIsDue: try await subject.checkDue()
        case .claimsOnce: try await subject.checkLease()
        case .claimsInARace: try await subject.checkRace()
        case .settlesUnderLease: try await subject.checkLostLease()
        case .putsOff: try await subject.checkPuttingOff()
        case .counts: try await subject.checkCounts()
        case .listsWhatWaits: try await subject.checkListing()
        case .expedites: try await subject.checkExpediting()
        case .undoes: try await subject.checkUndoing()
        }
    }
}

private struct LogoutNoticesUnderTest<Store: LogoutNoticeStore, Work: UnitOfWork>: CheckingInUnits {
    let store: Store
    let unitOfWork: Work

    private static var now: Instant { OperationSample.start }

    func checkComesBack() async throws {
        let (first, second) = (notice(1), notice(2, algorithm: .rs256))
        try await insert([first, second])
        try await insert([notice(1, of: "other")])
        #expect(
            try await claim(lease(1)) == [
                QueuedLogout(notice: first, attempts: 0, failure: nil),
                QueuedLogout(notice: second, attempts: 0, failure: nil),
            ]
        )
    }

    func checkDue() async throws {
        try await insert([
            notice(1, at: .seconds(-1)), notice(2, at: .seconds(-3)), notice(3, at: .milliseconds(1)),
            notice(4, at: .zero), notice(5, at: .seconds(-2)), notice(6, of: "shop", at: .seconds(-2)),
        ])
        #expect(try await claim(lease(1), inAll: 3, perGroup: 2).map(\.number) == [2, 5, 6])
        #expect(try await claim(lease(2), taken: ["bank": 1], perGroup: 2).map(\.number) == [1])
        #expect(try await claim(lease(3)).map(\.number) == [4])
        #expect(try await nextDue() == Self.now + .milliseconds(1))
        #expect(try await claim(lease(4)).isEmpty)
        #expect(try await claim(lease(4), inAll: 0).isEmpty)
    }

    func checkLease() async throws {
        try await insert([notice(1)])
        #expect(try await nextDue() == Self.now)
        #expect(try await claim(lease(1)).map(\.number) == [1])
        #expect(try await claim(lease(2)).isEmpty)
        #expect(try await nextDue() == lease(1).until)
        #expect(try await claim(lease(2), at: lease(1).until).map(\.number) == [1], "its lease is over")
        #expect(try await remove(1, lease(2)))
        #expect(try await nextDue() == nil)
        #expect(try await state().waiting == 0)
    }

    func checkRace() async throws {
        try await insert((1...20).map { notice($0) })
        let claimed = try await withThrowingTaskGroup { group in
            for number in UInt64(1)...8 {
                group.addTask { try await claim(lease(number), inAll: 5, perGroup: 5).map(\.number) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.sorted() == Array(1...20))
    }

    func checkLostLease() async throws {
        try await insert([notice(1)])
        _ = try await claim(lease(1))
        _ = try await claim(lease(2), at: lease(1).until)
        #expect(try await remove(1, lease(1)) == false)
        #expect(try await putOff(1, lease(1)) == false)
        #expect(try await remove(2, lease(2)) == false, "there is none")
        #expect(try await putOff(1, lease(2)))
        #expect(try await putOff(1, lease(2)) == false, "it was given back")
        #expect(try await remove(1, lease(2)) == false)
    }

    func checkPuttingOff() async throws {
        try await insert([notice(1)])
        _ = try await claim(lease(1))
        #expect(try await putOff(1, lease(1)))
        let expected = QueuedLogout(notice: notice(1), attempts: 1, failure: "HTTP 503")
        #expect(try await claim(lease(2), at: Self.now + .milliseconds(4999)).isEmpty)
        #expect(try await claim(lease(2), at: Self.now + .seconds(5)) == [expected])
    }

    func checkCounts() async throws {
        #expect(try await state() == NoticeQueueState(waiting: 0, oldest: nil))
        try await insert([notice(1, at: .seconds(-9)), notice(2), notice(3, of: "shop", at: .seconds(-20))])
        #expect(try await state() == NoticeQueueState(waiting: 3, oldest: Self.now - .seconds(20)))
        #expect(try await state(of: "bank") == NoticeQueueState(waiting: 2, oldest: Self.now - .seconds(9)))
        _ = try await claim(lease(1))
        #expect(try await putOff(1, lease(1)))
        #expect(
            try await state(of: "bank")
                == NoticeQueueState(waiting: 2, oldest: Self.now - .seconds(9), failure: "HTTP 503")
        )
        #expect(try await state(of: "nobody") == NoticeQueueState(waiting: 0, oldest: nil))
    }

    func checkListing() async throws {
        try await insert([notice(1), notice(2, at: .seconds(-9)), notice(3, of: "shop", at: .seconds(-4))])
        _ = try await claim(lease(1), inAll: 1)
        #expect(try await putOff(2, lease(1)))
        let waiting = try await waiting()
        let order = [3, 1, 2].map { notice($0).session.description }
        #expect(waiting.map(\.subject) == order && waiting.allSatisfy { $0.kind == .logout })
        #expect(waiting.map(\.attempts) == [0, 0, 1] && waiting.map(\.failure) == [nil, nil, "HTTP 503"])
        #expect(waiting.last?.dueAt == Self.now + .seconds(5))
        #expect(waiting.last?.queuedAt == Self.now - .seconds(9))
        #expect(try await self.waiting(for: "shop").map(\.subject) == [order[0]])
        #expect(try await self.waiting(limit: 2).map(\.subject) == Array(order.prefix(2)))
        #expect(try await self.waiting(for: "nobody").isEmpty)
        #expect(try await state(upTo: 2).waiting == 2)
        #expect(try await state().waiting == 3)
        for (index, last) in waiting.enumerated() {
            let position = NoticePosition(dueAt: last.dueAt, subject: last.subject)
            #expect(try await self.waiting(after: position) == Array(waiting.dropFirst(index + 1)))
            let gone = NoticePosition(dueAt: last.dueAt, subject: "")
            #expect(try await self.waiting(after: gone, limit: 1) == [last], "a notice that is gone has a place too")
        }
    }

    func checkExpediting() async throws {
        try await insert([notice(1), notice(2, of: "shop", at: .seconds(3)), notice(3, at: .seconds(30))])
        _ = try await claim(lease(1))
        #expect(try await expedite() == 2, "one is being delivered")
        #expect(try await claim(lease(2)).map(\.number) == [2, 3])
        #expect(try await expedite() == 0)
    }

    func checkUndoing() async throws {
        try await insert([notice(1)])
        let (store, lease, second) = (store, lease(1), notice(2))
        await #expect(throws: InjectedError.self) {
            try await unitOfWork.run { transaction in
                try store.insert([second], in: transaction)
                _ = try store.claim(
                    lease,
                    capacity: DeliveryCapacity(inAll: 9, perGroup: 9),
                    at: Self.now,
                    in: transaction
                )
                throw InjectedError()
            }
        }
        #expect(try await claim(lease).map(\.number) == [1])
    }

    private func notice(
        _ number: UInt64,
        of client: String = "bank",
        at time: Duration = .zero,
        algorithm: IdentityAlgorithm? = nil
    ) -> LogoutNotice {
        LogoutNotice(
            session: SessionID(UUIDBits(high: 0x5E55, low: number)),
            account: OperationSample.account,
            client: client,
            endpoint: "https://\(client).example.com/logout",
            algorithm: algorithm,
            createdAt: Self.now + time
        )
    }

    private func lease(_ number: UInt64) -> DeliveryLease {
        DeliveryLease(token: UUIDBits(high: 0x1EA5, low: number), until: Self.now + .seconds(60))
    }

    private func insert(_ notices: [LogoutNotice]) async throws {
        try await run { [store] in try store.insert(notices, in: $0) }
    }

    private func claim(
        _ lease: DeliveryLease,
        inAll: Int = 99,
        taken: [String: Int] = [:],
        perGroup: Int = 99,
        at now: Instant = OperationSample.start
    ) async throws -> [QueuedLogout] {
        let capacity = DeliveryCapacity(inAll: inAll, perGroup: perGroup, taken: taken)
        return try await run { [store] in try store.claim(lease, capacity: capacity, at: now, in: $0) }
    }

    private func nextDue() async throws -> Instant? { try await run { [store] in try store.nextDue(in: $0) } }

    private func waiting(
        for client: String? = nil,
        after position: NoticePosition? = nil,
        limit: Int = 99
    ) async throws -> [WaitingNotice] {
        try await run { [store] in try store.waiting(for: client, after: position, limit: limit, in: $0) }
    }

    private func expedite() async throws -> Int {
        try await run { [store] in try store.expedite(at: Self.now, in: $0) }
    }

    private func state(upTo bound: Int = 99) async throws -> NoticeQueueState {
        try await run { [store] in try store.state(upTo: bound, in: $0) }
    }

    private func state(of client: String) async throws -> NoticeQueueState {
        try await run { [store] in try store.state(of: client, in: $0) }
    }

    private func remove(_ number: UInt64, _ lease: DeliveryLease) async throws -> Bool {
        let session = notice(number).session
        return try await run { [store] in try store.remove(session, lease: lease, in: $0) }
    }

    private func putOff(_ number: UInt64, _ lease: DeliveryLease) async throws -> Bool {
        let session = notice(number).session
        return try await run { [store] in
            try store.putOff(session, to: Self.now + .seconds(5), failure: "HTTP 503", lease: lease, in: $0)
        }
    }
}

extension QueuedLogout {
    fileprivate var number: UInt64 { notice.session.bits.low }
}
