import Kernel
import MemoryStore
import StoreContract
import Synchronization
import Testing

@testable import Mail

struct MailDeliveryTests {
    private static let outage = MailTransportError(.temporary, reply: 451, cause: "not now")

    @Test(arguments: MailQueueStoreContract.allCases)
    func `the memory store keeps the contract`(_ promise: MailQueueStoreContract) async throws {
        let storage = MemoryDisk().open()
        try await promise.check(over: storage.mail, purge: MemoryExpiringRows.mails.purge, storage.unitOfWork)
    }

    // T-222
    @Test func `a mail is delivered once, and its row is gone`() async throws {
        let feature = MailHarness()
        try await feature.send("the mail")
        await feature.deliver()
        await feature.deliver()
        #expect(
            feature.transport.taken == [MailMessage(recipient: "person@example.com", bytes: Array("the mail".utf8))]
        )
        #expect(try await feature.rows.isEmpty)
        #expect(feature.worker.queue.counts[.signInCode, .delivered] == 1)
    }

    @Test func `a mail of a unit of work that fails is never sent`() async throws {
        struct RolledBackError: Error {}
        let feature = MailHarness()
        let end = feature.time.wall + .seconds(60)
        await #expect(throws: RolledBackError.self) {
            try await feature.storage.unitOfWork.run { [queue = feature.queue] transaction in
                let message = MailMessage(recipient: "person@example.com", bytes: [1])
                try queue.enqueue(message, kind: .notice, expiresAt: end, in: transaction)
                throw RolledBackError()
            }
        }
        await feature.deliver()
        #expect(feature.transport.tries == 0)
    }

    @Test func `a failed mail is tried again later and later, never after its time, and then dropped and counted`()
        async throws
    {
        let feature = MailHarness()
        try await feature.send(expiresIn: .seconds(600))
        feature.transport.fail(Self.outage)
        var tries: [Duration] = []
        let start = feature.time.now
        while try await !feature.rows.isEmpty {
            let before = feature.transport.tries
            await feature.deliver()
            if feature.transport.tries > before { tries.append(feature.time.now - start) }
            feature.time.advance(by: .milliseconds(250))
        }
        let gaps = zip(tries.dropFirst(), tries).map { $0 - $1 }
        #expect(gaps.allSatisfy { $0 >= .milliseconds(500) })
        #expect(tries.count >= 5, "it was tried more than a few times in its ten minutes: \(tries)")
        #expect(tries.count <= 80, "but not all the time: \(tries)")
        #expect(try #require(tries.last) < .seconds(600))
        #expect(feature.worker.queue.counts[.signInCode, .expired] == 1)
        #expect(feature.worker.queue.counts[.signInCode, .retried] == tries.count)
        #expect(
            feature.log.text.contains("a mail was dropped, because it was not delivered in time: check the mail server")
        )
    }

    @Test func `the delays double up to a cap, with full jitter`() {
        let schedule = RetrySchedule(base: .seconds(2), cap: .seconds(60))
        let longest = (1...7).map { schedule.delay(after: $0, jitter: 1) }
        #expect(longest == [2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(schedule.delay(after: 4, jitter: 0.5) == .seconds(8))
        #expect(schedule.delay(after: 9, jitter: 0) == .milliseconds(500), "never at once")
        #expect(schedule.delay(after: .max, jitter: 1) == .seconds(60))
    }

    @Test func `no delay of a sign-in code is longer than half a minute; that of other mail grows on`() {
        let schedule = RetrySchedule.mail
        let code = MailKind.signInCode.longestDelay
        let ofCodes = [1, 4, 5, 9, .max].map { schedule.delay(after: $0, jitter: 1, atMost: code) }
        #expect(ofCodes == [2, 16, 30, 30, 30].map { .seconds($0) })
        #expect(schedule.delay(after: 9, jitter: 1, atMost: MailKind.addressProof.longestDelay) == .seconds(512))
        let short = RetrySchedule(base: .seconds(1), cap: .seconds(10))
        #expect(short.delay(after: 9, jitter: 1, atMost: code) == .seconds(10), "nor longer than any")
    }

    @Test func `after an outage of five minutes every code that is still good is delivered within half a minute`()
        async throws
    {
        let feature = MailHarness()
        feature.transport.fail(Self.outage)
        for number in 0..<20 { try await feature.send("code \(number)", expiresIn: .seconds(600)) }
        for _ in 0..<600 {
            await feature.deliver()
            feature.time.advance(by: .milliseconds(500))
        }
        #expect(feature.transport.taken.isEmpty)
        feature.transport.fail(nil)
        for _ in 0..<61 {
            await feature.deliver()
            feature.time.advance(by: .milliseconds(500))
        }
        let texts = feature.transport.taken.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(texts.sorted() == (0..<20).map { "code \($0)" }.sorted())
        #expect(feature.worker.queue.counts[.signInCode, .delivered] == 20)
        #expect(try await feature.rows.isEmpty)
    }

    @Test func `a mail that was tried too often is dropped`() async throws {
        let feature = MailHarness(schedule: RetrySchedule(base: .seconds(1), cap: .seconds(1), maxAttempts: 3))
        try await feature.send(kind: .notice, expiresIn: .seconds(9_000))
        feature.transport.fail(Self.outage)
        for _ in 0..<9 {
            await feature.deliver()
            feature.time.advance(by: .seconds(2))
        }
        #expect(feature.transport.tries == 3)
        #expect(feature.worker.queue.counts[.notice, .expired] == 1)
        #expect(try await feature.rows.isEmpty)
    }

    @Test func `after an outage every mail is delivered once`() async throws {
        let feature = MailHarness()
        feature.transport.fail(Self.outage)
        for number in 0..<40 { try await feature.send("mail \(number)") }
        for _ in 0..<120 {
            await feature.deliver()
            feature.time.advance(by: .milliseconds(500))
        }
        #expect(feature.transport.taken.isEmpty)
        feature.transport.fail(nil)
        for _ in 0..<600 where try await !feature.rows.isEmpty {
            await feature.deliver()
            feature.time.advance(by: .milliseconds(500))
        }
        let texts = feature.transport.taken.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(texts.sorted() == (0..<40).map { "mail \($0)" }.sorted())
    }

    // T-222
    @Test func `a refused mail bounces: it is kept without what it says, listed, and never tried again`() async throws {
        let feature = MailHarness()
        try await feature.send("hidden words")
        feature.transport.fail(MailTransportError(.permanent, reply: 550, cause: "unknown"))
        await feature.deliver()
        feature.transport.fail(nil)
        feature.time.advance(by: .seconds(900))
        await feature.deliver()
        #expect(feature.transport.tries == 1)
        let service = MailService(worker: feature.worker)
        let found = try #require(try await service.list([.bounced], limit: 9).first)
        #expect(found.recipient == "person@example.com")
        #expect(found.mail.contents.message == nil)
        #expect(found.mail.tries.reply == 550)
        #expect(feature.worker.queue.counts[.signInCode, .bounced] == 1)
        #expect(feature.worker.queue.counts.queue[.bounced] == 1)
    }

    @Test func `an error in the config does not count against the mail: it is tried again, and logged as an error`()
        async throws
    {
        let feature = MailHarness()
        try await feature.send()
        feature.transport.fail(MailTransportError(.configuration, cause: "a certificate"))
        await feature.deliver()
        #expect(feature.log.text.contains("error a mail was not delivered: it is tried again"))
        #expect(feature.worker.queue.counts[.signInCode, .misconfigured] == 1)
        feature.transport.fail(nil)
        feature.time.advance(by: .seconds(9))
        await feature.deliver()
        #expect(feature.transport.taken.count == 1)
    }

    // T-222
    @Test func `attack: a row moved into another's place is not delivered`() async throws {
        let feature = MailHarness()
        try await feature.send("for one", to: "one@example.com")
        let (store, now) = (feature.storage.mail, feature.time.wall)
        let lease = DeliveryLease(token: UUIDBits(high: 7, low: 7), until: now + .seconds(1))
        try await feature.storage.unitOfWork.run { transaction in
            let mail = try #require(try store.claim(lease, limit: 1, at: now, in: transaction).first)
            let other = QueuedMail(
                id: MailID(UUIDBits(high: 1, low: 1)),
                kind: mail.kind,
                contents: mail.contents,
                createdAt: now,
                expiresAt: mail.expiresAt,
                tries: QueuedMail.Tries(dueAt: now)
            )
            try store.insert(other, in: transaction)
            _ = try store.remove(mail.id, lease: lease, in: transaction)
        }
        await feature.deliver()
        #expect(feature.transport.tries == 0)
        #expect(feature.worker.queue.counts[.signInCode, .unreadable] == 1)
        #expect(try await feature.rows.map(\.tries.failure) == [.unreadable])
    }

    // T-251
    @Test func `attack: a full mail queue refuses mail, and accepts it again once one was delivered`() async throws {
        let feature = MailHarness(capacity: 3)
        feature.transport.fail(Self.outage)
        for _ in 0..<3 { try await feature.send() }
        await #expect(throws: MailQueueFullError.self) { try await feature.send() }
        feature.transport.fail(nil)
        await feature.deliver()
        try await feature.send()
    }

    // T-251
    @Test func `a mail whose unit fails or runs again takes one place in the queue or none`() async throws {
        let feature = MailHarness(capacity: 6)
        await feature.deliver()
        for _ in 0..<10 {
            feature.disk.failNextUnit(.beforeCommit)
            await #expect(throws: StoreError.self) { try await feature.send() }
        }
        for _ in 0..<6 { try await feature.send() }
        await #expect(throws: MailQueueFullError.self) { try await feature.send() }
        feature.transport.fail(MailTransportError(.permanent, reply: 550, cause: "refused"))
        await feature.deliver()
        try await feature.send()
    }

    @Test func `a mail wakes its worker once it is durable, and one of a failing unit does not`() async throws {
        let feature = MailHarness()
        feature.disk.failNextUnit(.beforeCommit)
        await #expect(throws: StoreError.self) { try await feature.send() }
        #expect(!feature.worker.queue.signal.take())
        try await feature.send()
        #expect(feature.worker.queue.signal.take())
    }

    // T-217
    @Test func `nothing of a mail reaches the log`() async throws {
        let feature = MailHarness()
        for kind in MailTransportError.Kind.allCases {
            feature.transport.fail(MailTransportError(kind, reply: 550, cause: "a cause"))
            try await feature.send("the secret 123456", to: "person@example.com")
            await feature.deliver()
        }
        #expect(feature.log.text.contains("a mail bounced: `vestibule mail list` shows why"))
        for secret in ["person", "example.com", "secret", "123456"] { #expect(!feature.log.text.contains(secret)) }
    }

    @Test func `a delivered mail whose row could not be deleted at once is not sent again`() async throws {
        let feature = MailHarness()
        try await feature.send()
        feature.transport.onTry { [disk = feature.disk] in disk.failNextUnit(.beforeCommit) }
        async let delivered: Void = feature.deliver()
        while feature.time.sleeperCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
        feature.time.advance(by: .seconds(1))
        await delivered
        #expect(feature.transport.taken.count == 1)
        #expect(try await feature.rows.isEmpty)
    }

    @Test func `a mail whose worker died comes back when its lease is over`() async throws {
        let feature = MailHarness()
        try await feature.send()
        let (store, now) = (feature.storage.mail, feature.time.wall)
        let lease = DeliveryLease(token: UUIDBits(high: 7, low: 7), until: now + .seconds(60))
        _ = try await feature.storage.unitOfWork.run { try store.claim(lease, limit: 9, at: now, in: $0).count }
        await feature.deliver()
        feature.time.advance(by: .seconds(59))
        await feature.deliver()
        #expect(feature.transport.tries == 0)
        feature.time.advance(by: .seconds(1))
        await feature.deliver()
        #expect(feature.transport.taken.count == 1)
    }

    // T-251
    @Test(.timeLimit(.minutes(10)))
    func `the loop delivers what comes in, never more at once than it may, and ends when it is cancelled`() async throws
    {
        // Virtual time runs far faster than the loop: nothing may be over by it.
        let feature = MailHarness(leaseTime: .seconds(90_000_000))
        let crowd = Crowd()
        feature.transport.onTry {
            crowd.enter()
            for _ in 0..<50 { await Task.yield() }
            crowd.leave()
        }
        let loop = Task { await feature.worker.run() }
        for number in 0..<30 { try await feature.send("\(number)", expiresIn: .seconds(90_000_000)) }
        while feature.transport.taken.count < 30 {
            feature.time.advance(by: .milliseconds(100))
            try await Task.sleep(for: .milliseconds(1))
        }
        loop.cancel()
        await loop.value
        #expect((1...DeliveryPolicy.mail(leaseTime: .zero).concurrency).contains(crowd.most))
        #expect(Set(feature.transport.taken.map(\.bytes)).count == 30)
    }

    @Test func `a flush tries what waits for its next try`() async throws {
        let feature = MailHarness(schedule: RetrySchedule(base: .seconds(500), cap: .seconds(500)))
        feature.transport.fail(Self.outage)
        for _ in 0..<6 { try await feature.send() }
        await feature.deliver()
        feature.transport.fail(nil)
        let flushed = try await MailService(worker: feature.worker).flush(within: .seconds(60))
        #expect(flushed == MailService.Flushed(due: 6, queued: 0, bounced: 0))
        #expect(feature.transport.taken.count == 6)
    }
}

/// How many are inside at one time.
private final class Crowd: Sendable {
    private let state = Mutex((now: 0, most: 0))

    var most: Int { state.withLock { $0.most } }

    func enter() { state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
    func leave() { state.withLock { $0.now -= 1 } }
}
