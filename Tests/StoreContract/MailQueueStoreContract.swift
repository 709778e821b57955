package import Kernel
package import Mail
import Testing

/// The contract of every store of the mail queue, one case a promise.
package enum MailQueueStoreContract: String, StorePromise {
    case comesBackAsWritten = "a mail comes back as it was written"
    case claimsWhatIsDue = "what is due is claimed, the longest due first, and no more than may be"
    case claimsOnce = "a claimed mail is nobody else's until its lease ends"
    case claimsInARace = "of many claims at once each mail goes to one"
    case settlesUnderLease = "who lost the lease changes nothing"
    case putsOff = "a mail that is put off is due then, with its failure and one attempt more"
    case bounces = "a bounced mail is kept without what it says, and is never claimed"
    case expedites = "all queued mails are made due except those in progress"
    case undoes = "what a failing unit put in the queue or claimed was never there"
    case purges = "bounced mails are purged by their end, in batches; queued ones never"

    /// Checks this promise over an empty store.
    package func check(
        over store: some MailQueueStore,
        purge: @escaping Purge,
        _ unitOfWork: some UnitOfWork
    ) async throws {
        let subject = MailQueueUnderTest(store: store, purging: purge, unitOfWork: unitOfWork)
        switch self {
        case .comesBackAsWritten: try await subject.checkWriting()
        case .claimsWhatIsDue: try await subject.checkDue()
        case .claimsOnce: try await subject.checkLease()
        case .claimsInARace: try await subject.checkRace()
        case .settlesUnderLease: try await subject.checkLostLease()
        case .putsOff: try await subject.checkPuttingOff()
        case .bounces: try await subject.checkBouncing()
        case .expedites: try await subject.checkExpediting()
        case .undoes: try await subject.checkUndoing()
        case .purges: try await subject.checkPurging()
        }
    }
}

private struct MailQueueUnderTest<Store: MailQueueStore, Work: UnitOfWork> {
    let store: Store
    let purging: Purge
    let unitOfWork: Work

    private static var now: Instant { OperationSample.start }

    func checkWriting() async throws {
        let queued = mail(1)
        var bounced = mail(2, createdIn: .seconds(1))
        (bounced.state, bounced.contents.message, bounced.endedAt) = (.bounced, nil, Self.now)
        (bounced.tries.attempts, bounced.tries.failure, bounced.tries.reply) = (3, .permanent, 550)
        #expect(try await oldest() == nil)
        try await insert([queued, bounced])
        #expect(try await oldest() == queued.createdAt)
        #expect(try await length(upTo: 9) == 1)
        #expect(try await length(upTo: 0) == 0)
        #expect(try await store.list([.queued, .bounced], limit: 9) == [bounced, queued])
        #expect(try await store.list([.queued], limit: 9) == [queued])
        #expect(try await store.list([.queued, .bounced], limit: 1) == [bounced])
        #expect(try await store.list([], limit: 9).isEmpty)
        #expect(try await store.find(queued.id) == queued)
        #expect(try await store.find(mail(3).id) == nil)
        #expect(try await counts() == [.queued: 1, .bounced: 1])
        await #expect(throws: (any Error).self) { try await insert([queued]) }
    }

    func checkDue() async throws {
        try await insert([
            mail(1, dueIn: .seconds(-1)), mail(2, dueIn: .seconds(-3)), mail(3, dueIn: .milliseconds(1)),
            mail(4, dueIn: .zero), mail(5, dueIn: .seconds(-2)),
        ])
        #expect(try await claim(lease(1), limit: 2).map(\.number) == [2, 5])
        #expect(try await claim(lease(2)).map(\.number) == [1, 4])
        #expect(try await nextDue() == Self.now + .milliseconds(1))
        #expect(try await claim(lease(3)).isEmpty)
    }

    func checkLease() async throws {
        try await insert([mail(1)])
        #expect(try await nextDue() == Self.now)
        #expect(try await claim(lease(1)) == [mail(1)], "as it was before")
        #expect(try await claim(lease(2)).isEmpty)
        #expect(try await nextDue() == lease(1).until)
        #expect(try await claim(lease(2), at: lease(1).until).map(\.number) == [1], "its lease is over")
        #expect(try await remove(1, lease(2)))
        #expect(try await nextDue() == nil)
        #expect(try await counts().values.reduce(0, +) == 0)
    }

    func checkRace() async throws {
        try await insert((1...20).map { mail($0) })
        let claimed = try await withThrowingTaskGroup { group in
            for number in UInt64(1)...8 { group.addTask { try await claim(lease(number), limit: 5).map(\.number) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.sorted() == Array(1...20))
    }

    func checkLostLease() async throws {
        try await insert([mail(1)])
        _ = try await claim(lease(1))
        _ = try await claim(lease(2), at: lease(1).until)
        #expect(try await remove(1, lease(1)) == false)
        #expect(try await putOff(1, lease(1)) == false)
        #expect(try await bounce(1, lease(1)) == false)
        #expect(try await remove(2, lease(2)) == false, "there is none")
        #expect(try await store.list([.queued], limit: 9).map(\.attempts) == [0])
        #expect(try await putOff(1, lease(2)))
        #expect(try await putOff(1, lease(2)) == false, "it was given back")
    }

    func checkPuttingOff() async throws {
        try await insert([mail(1)])
        _ = try await claim(lease(1))
        #expect(try await putOff(1, lease(1)))
        var expected = mail(1)
        (expected.tries.dueAt, expected.tries.attempts) = (Self.now + .seconds(5), 1)
        (expected.tries.failure, expected.tries.reply) = (.temporary, 451)
        #expect(try await store.list([.queued], limit: 9) == [expected])
        #expect(try await claim(lease(2), at: Self.now + .milliseconds(4999)).isEmpty)
        #expect(try await claim(lease(2), at: Self.now + .seconds(5)) == [expected])
    }

    func checkBouncing() async throws {
        try await insert([mail(1)])
        _ = try await claim(lease(1))
        #expect(try await bounce(1, lease(1)))
        var expected = mail(1)
        (expected.state, expected.contents.message, expected.endedAt) = (.bounced, nil, Self.now)
        (expected.tries.attempts, expected.tries.failure, expected.tries.reply) = (1, .permanent, nil)
        var kept = try #require(try await store.list([.bounced], limit: 9).first)
        kept.tries.dueAt = expected.tries.dueAt
        #expect(kept == expected)
        #expect(try await claim(lease(2), at: Self.now + .seconds(900_000)).isEmpty)
        #expect(try await nextDue() == nil)
        #expect(try await expedite() == 0)
        #expect(try await counts()[.bounced] == 1)
    }

    func checkExpediting() async throws {
        try await insert([mail(1, dueIn: .seconds(500)), mail(2, dueIn: .seconds(-1)), mail(3, dueIn: .seconds(-9))])
        #expect(try await claim(lease(1), limit: 1).map(\.number) == [3])
        #expect(try await expedite() == 2)
        #expect(try await claim(lease(2)).map(\.number) == [2, 1])
    }

    func checkUndoing() async throws {
        try await insert([mail(1)])
        let (store, lease, second) = (store, lease(1), mail(2))
        await #expect(throws: InjectedError.self) {
            try await unitOfWork.run { transaction in
                try store.insert(second, in: transaction)
                _ = try store.claim(lease, limit: 9, at: Self.now, in: transaction)
                throw InjectedError()
            }
        }
        #expect(try await claim(lease).map(\.number) == [1])
    }

    func checkPurging() async throws {
        let old = (1...5).map { number in
            var old = mail(UInt64(number))
            (old.state, old.contents.message, old.tries.failure) = (.bounced, nil, .permanent)
            old.endedAt = Self.now - .seconds(6 - number)
            return old
        }
        try await insert(old + [mail(9)])
        #expect(try await purge(before: Self.now - .seconds(2), limit: 2) == 2)
        #expect(try await purge(before: Self.now - .seconds(2), limit: 2) == 1)
        #expect(try await store.list([.bounced], limit: 9).map(\.number).sorted() == [4, 5])
        #expect(try await purge(before: Self.now + .seconds(900_000), limit: 9) == 2)
        #expect(try await counts() == [.queued: 1])
    }

    private func mail(_ number: UInt64, dueIn: Duration = .zero, createdIn: Duration = .zero) -> QueuedMail {
        QueuedMail(
            id: MailID(UUIDBits(high: 0x3A, low: number)),
            kind: .signInCode,
            contents: QueuedMail.Contents(
                encryptionKey: "key",
                recipient: [1, 0, 255],
                message: [0, 13, 10, UInt8(number)]
            ),
            createdAt: Self.now + createdIn,
            expiresAt: Self.now + .seconds(600),
            tries: QueuedMail.Tries(dueAt: Self.now + dueIn)
        )
    }

    private func lease(_ number: UInt64) -> DeliveryLease {
        DeliveryLease(token: UUIDBits(high: 1, low: number), until: Self.now + .seconds(60 * Int64(number)))
    }

    private func insert(_ mails: [QueuedMail]) async throws {
        let store = store
        try await unitOfWork.run { transaction in for mail in mails { try store.insert(mail, in: transaction) } }
    }

    private func claim(_ lease: DeliveryLease, limit: Int = 99, at now: Instant = Self.now) async throws -> [QueuedMail]
    {
        let store = store
        return try await unitOfWork.run { try store.claim(lease, limit: limit, at: now, in: $0) }
    }

    private func nextDue() async throws -> Instant? {
        let store = store
        return try await unitOfWork.run { try store.nextDue(in: $0) }
    }

    private func oldest() async throws -> Instant? {
        let store = store
        return try await unitOfWork.run { try store.oldest(in: $0) }
    }

    private func length(upTo bound: Int) async throws -> Int {
        let store = store
        return try await unitOfWork.run { try store.queued(upTo: bound, in: $0) }
    }

    private func counts() async throws -> [QueuedMail.State: Int] {
        let store = store
        return try await unitOfWork.run { try store.counts(in: $0) }
    }

    private func expedite() async throws -> Int {
        let store = store
        return try await unitOfWork.run { try store.expedite(at: Self.now, in: $0) }
    }

    private func remove(_ number: UInt64, _ lease: DeliveryLease) async throws -> Bool {
        let store = store
        return try await unitOfWork.run { try store.remove(Self.id(number), lease: lease, in: $0) }
    }

    private func putOff(_ number: UInt64, _ lease: DeliveryLease) async throws -> Bool {
        let store = store
        return try await unitOfWork.run { transaction in
            try store.putOff(
                Self.id(number),
                to: Self.now + .seconds(5),
                failure: .temporary,
                reply: 451,
                lease: lease,
                in: transaction
            )
        }
    }

    private func bounce(_ number: UInt64, _ lease: DeliveryLease) async throws -> Bool {
        let store = store
        return try await unitOfWork.run { transaction in
            try store.bounce(
                Self.id(number),
                at: Self.now,
                failure: .permanent,
                reply: nil,
                lease: lease,
                in: transaction
            )
        }
    }

    private func purge(before instant: Instant, limit: Int) async throws -> Int {
        try await unitOfWork.run { [purging] in try purging(instant, limit, $0) }
    }

    private static func id(_ number: UInt64) -> MailID { MailID(UUIDBits(high: 0x3A, low: number)) }
}

extension QueuedMail {
    fileprivate var number: UInt64 { id.bits.low }
}
