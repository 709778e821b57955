import Kernel
import MemoryStore
import StoreContract
import Synchronization
import Testing

@testable import Mail

struct MailDeliveryWorkerTests {
    private static let outage = MailFailure(.temporary, reply: 451, cause: "not now")

    @Test(arguments: MailQueueStoreContract.allCases)
    func `the memory store keeps the contract`(_ promise: MailQueueStoreContract) async throws {
        let storage = MemoryDisk().open()
        try await promise.check(over: storage.mail, storage.unitOfWork)
    }

    @Test func `a mail is delivered once, and its row is gone`() async throws {
        let office = PostOffice()
        try await office.send("the mail")
        await office.deliver()
        await office.deliver()
        #expect(
            office.transport.taken == [MailMessage(recipient: "person@example.com", bytes: Array("the mail".utf8))]
        )
        #expect(try await office.rows.isEmpty)
        #expect(office.courier.counts[.signInCode, .delivered] == 1)
    }

    @Test func `a mail of a unit of work that fails is never sent`() async throws {
        struct Undone: Error {}
        let office = PostOffice()
        let end = office.time.wall + .seconds(60)
        await #expect(throws: Undone.self) {
            try await office.storage.unitOfWork.run { [queue = office.queue] transaction in
                let message = MailMessage(recipient: "person@example.com", bytes: [1])
                try queue.enqueue(message, kind: .notice, expiresAt: end, in: transaction)
                throw Undone()
            }
        }
        await office.deliver()
        #expect(office.transport.tries == 0)
    }

    @Test func `a failed mail is tried again later and later, never after its time, and then dropped and counted`()
        async throws
    {
        let office = PostOffice()
        try await office.send(expiresIn: .seconds(600))
        office.transport.fail(Self.outage)
        var tries: [Duration] = []
        let start = office.time.now
        while try await !office.rows.isEmpty {
            let before = office.transport.tries
            await office.deliver()
            if office.transport.tries > before { tries.append(office.time.now - start) }
            office.time.advance(by: .milliseconds(250))
        }
        let gaps = zip(tries.dropFirst(), tries).map { $0 - $1 }
        #expect(gaps.allSatisfy { $0 >= .milliseconds(500) })
        #expect(tries.count >= 5, "it was tried more than a few times in its ten minutes: \(tries)")
        #expect(tries.count <= 80, "but not all the time: \(tries)")
        #expect(try #require(tries.last) < .seconds(600))
        #expect(office.courier.counts[.signInCode, .expired] == 1)
        #expect(office.courier.counts[.signInCode, .retried] == tries.count)
        #expect(office.log.text.contains("a mail was dropped: its time is over"))
    }

    @Test func `the delays double up to a cap, with full jitter`() {
        let schedule = RetrySchedule(base: .seconds(2), cap: .seconds(60))
        let longest = (1...7).map { schedule.delay(after: $0, of: .notice, jitter: 1) }
        #expect(longest == [2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(schedule.delay(after: 4, of: .notice, jitter: 0.5) == .seconds(8))
        #expect(schedule.delay(after: 9, of: .notice, jitter: 0) == .milliseconds(500), "never at once")
        #expect(schedule.delay(after: .max, of: .notice, jitter: 1) == .seconds(60))
    }

    @Test func `no delay of a sign-in code is longer than half a minute; that of other mail grows on`() {
        let schedule = RetrySchedule()
        let ofCodes = [1, 4, 5, 9, .max].map { schedule.delay(after: $0, of: .signInCode, jitter: 1) }
        #expect(ofCodes == [2, 16, 30, 30, 30].map { .seconds($0) })
        #expect(schedule.delay(after: 9, of: .addressProof, jitter: 1) == .seconds(512))
        let short = RetrySchedule(base: .seconds(1), cap: .seconds(10))
        #expect(short.delay(after: 9, of: .signInCode, jitter: 1) == .seconds(10), "nor longer than any")
    }

    @Test func `after an outage of five minutes every code that is still good is delivered within half a minute`()
        async throws
    {
        let office = PostOffice()
        office.transport.fail(Self.outage)
        for number in 0..<20 { try await office.send("code \(number)", expiresIn: .seconds(600)) }
        for _ in 0..<600 {
            await office.deliver()
            office.time.advance(by: .milliseconds(500))
        }
        #expect(office.transport.taken.isEmpty)
        office.transport.fail(nil)
        for _ in 0..<61 {
            await office.deliver()
            office.time.advance(by: .milliseconds(500))
        }
        let texts = office.transport.taken.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(texts.sorted() == (0..<20).map { "code \($0)" }.sorted())
        #expect(office.courier.counts[.signInCode, .delivered] == 20)
        #expect(try await office.rows.isEmpty)
    }

    @Test func `a mail that was tried too often is dropped`() async throws {
        let office = PostOffice(schedule: RetrySchedule(base: .seconds(1), cap: .seconds(1), maxAttempts: 3))
        try await office.send(kind: .notice, expiresIn: .seconds(9_000))
        office.transport.fail(Self.outage)
        for _ in 0..<9 {
            await office.deliver()
            office.time.advance(by: .seconds(2))
        }
        #expect(office.transport.tries == 3)
        #expect(office.courier.counts[.notice, .expired] == 1)
        #expect(try await office.rows.isEmpty)
    }

    @Test func `after an outage every mail is delivered once`() async throws {
        let office = PostOffice()
        office.transport.fail(Self.outage)
        for number in 0..<40 { try await office.send("mail \(number)") }
        for _ in 0..<120 {
            await office.deliver()
            office.time.advance(by: .milliseconds(500))
        }
        #expect(office.transport.taken.isEmpty)
        office.transport.fail(nil)
        for _ in 0..<600 where try await !office.rows.isEmpty {
            await office.deliver()
            office.time.advance(by: .milliseconds(500))
        }
        let texts = office.transport.taken.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(texts.sorted() == (0..<40).map { "mail \($0)" }.sorted())
    }

    @Test func `a refused mail bounces: it is kept without what it says, listed, and never tried again`() async throws {
        let office = PostOffice()
        try await office.send("hidden words")
        office.transport.fail(MailFailure(.permanent, reply: 550, cause: "unknown"))
        await office.deliver()
        office.transport.fail(nil)
        office.time.advance(by: .seconds(900))
        await office.deliver()
        #expect(office.transport.tries == 1)
        let desk = MailService(courier: office.courier)
        let found = try #require(try await desk.list([.bounced], limit: 9).first)
        #expect(found.recipient == "person@example.com")
        #expect(found.mail.message == nil)
        #expect(found.mail.reply == 550)
        #expect(office.courier.counts[.signInCode, .bounced] == 1)
        #expect(office.courier.counts.queue[.bounced] == 1)
    }

    @Test func `a fault of the config is no fault of the mail: it is tried again, and logged as an error`() async throws
    {
        let office = PostOffice()
        try await office.send()
        office.transport.fail(MailFailure(.configuration, cause: "a certificate"))
        await office.deliver()
        #expect(office.log.text.contains("error a mail was not delivered and will be tried again"))
        #expect(office.courier.counts[.signInCode, .misconfigured] == 1)
        office.transport.fail(nil)
        office.time.advance(by: .seconds(9))
        await office.deliver()
        #expect(office.transport.taken.count == 1)
    }

    @Test func `attack: a row moved into another's place is not delivered`() async throws {
        let office = PostOffice()
        try await office.send("for one", to: "one@example.com")
        let (store, now) = (office.storage.mail, office.time.wall)
        let lease = MailLease(token: UUIDBits(high: 7, low: 7), until: now + .seconds(1))
        try await office.storage.unitOfWork.run { transaction in
            let mail = try #require(try store.claim(lease, limit: 1, at: now, in: transaction).first)
            let other = QueuedMail(
                id: MailID(UUIDBits(high: 1, low: 1)),
                kind: mail.kind,
                sealingKey: mail.sealingKey,
                recipient: mail.recipient,
                message: mail.message,
                createdAt: now,
                expiresAt: mail.expiresAt,
                dueAt: now
            )
            try store.insert(other, in: transaction)
            _ = try store.remove(mail.id, lease: lease, in: transaction)
        }
        await office.deliver()
        #expect(office.transport.tries == 0)
        #expect(office.courier.counts[.signInCode, .unreadable] == 1)
        #expect(try await office.rows.map(\.failure) == [.unreadable])
    }

    @Test func `attack: a queue that is full takes no more, and takes again when there is room`() async throws {
        let office = PostOffice(capacity: 3)
        office.transport.fail(Self.outage)
        for _ in 0..<3 { try await office.send() }
        await #expect(throws: MailQueueFull.self) { try await office.send() }
        office.transport.fail(nil)
        await office.deliver()
        try await office.send()
    }

    @Test func `nothing of a mail reaches the log`() async throws {
        let office = PostOffice()
        for kind in MailFailure.Kind.allCases {
            office.transport.fail(MailFailure(kind, reply: 550, cause: "a cause"))
            try await office.send("the secret 123456", to: "person@example.com")
            await office.deliver()
        }
        #expect(office.log.text.contains("a mail bounced"))
        for secret in ["person", "example.com", "secret", "123456"] { #expect(!office.log.text.contains(secret)) }
    }

    @Test func `a delivered mail whose row could not be deleted at once is not sent again`() async throws {
        let office = PostOffice()
        try await office.send()
        office.transport.onTry { [disk = office.disk] in disk.failNextUnit(.beforeCommit) }
        async let delivered: Void = office.deliver()
        while office.time.sleeperCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
        office.time.advance(by: .seconds(1))
        await delivered
        #expect(office.transport.taken.count == 1)
        #expect(try await office.rows.isEmpty)
    }

    @Test func `a mail whose courier died comes back when its lease is over`() async throws {
        let office = PostOffice()
        try await office.send()
        let (store, now) = (office.storage.mail, office.time.wall)
        let lease = MailLease(token: UUIDBits(high: 7, low: 7), until: now + .seconds(60))
        _ = try await office.storage.unitOfWork.run { try store.claim(lease, limit: 9, at: now, in: $0).count }
        await office.deliver()
        office.time.advance(by: .seconds(59))
        await office.deliver()
        #expect(office.transport.tries == 0)
        office.time.advance(by: .seconds(1))
        await office.deliver()
        #expect(office.transport.taken.count == 1)
    }

    @Test(.timeLimit(.minutes(10)))
    func `the loop delivers what comes in, never more at once than it may, and ends when it is cancelled`() async throws
    {
        // Virtual time runs far faster than the loop: nothing may be over by it.
        let office = PostOffice(leaseTime: .seconds(90_000_000))
        let crowd = Crowd()
        office.transport.onTry {
            crowd.enter()
            for _ in 0..<50 { await Task.yield() }
            crowd.leave()
        }
        let loop = Task { await office.courier.run() }
        for number in 0..<30 { try await office.send("\(number)", expiresIn: .seconds(90_000_000)) }
        while office.transport.taken.count < 30 {
            office.time.advance(by: .milliseconds(100))
            try await Task.sleep(for: .milliseconds(1))
        }
        loop.cancel()
        await loop.value
        #expect((1...MailDeliveryWorker.concurrency).contains(crowd.most))
        #expect(Set(office.transport.taken.map(\.bytes)).count == 30)
    }

    @Test func `a flush tries what waits for its next try`() async throws {
        let office = PostOffice(schedule: RetrySchedule(base: .seconds(500), cap: .seconds(500)))
        office.transport.fail(Self.outage)
        for _ in 0..<6 { try await office.send() }
        await office.deliver()
        office.transport.fail(nil)
        let flushed = try await MailService(courier: office.courier).flush(within: .seconds(60))
        #expect(flushed == MailService.Flushed(due: 6, queued: 0, bounced: 0))
        #expect(office.transport.taken.count == 6)
    }
}

/// How many are inside at one time.
private final class Crowd: Sendable {
    private let state = Mutex((now: 0, most: 0))

    var most: Int { state.withLock { $0.most } }

    func enter() { state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
    func leave() { state.withLock { $0.now -= 1 } }
}
