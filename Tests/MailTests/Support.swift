import Kernel
import MemoryStore
import Synchronization

@testable import Mail

/// A transport that accepts the mails that its script accepts.
final class ScriptedTransport: MailTransport {
    private let state = Mutex(State())

    private struct State {
        var taken: [MailMessage] = []
        var tries = 0
        var failure: MailTransportError?
        var onTry: (@Sendable () async -> Void)?
    }

    var taken: [MailMessage] { state.withLock { $0.taken } }
    var tries: Int { state.withLock { $0.tries } }

    /// Every try fails so from now on; `nil` takes all.
    func fail(_ failure: MailTransportError?) { state.withLock { $0.failure = failure } }

    /// Runs at the beginning of each try.
    func onTry(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.onTry = body } }

    func deliver(_ message: MailMessage) async throws(MailTransportError) {
        await state.withLock({ $0.onTry })?()
        let failure = state.withLock { state in
            state.tries += 1
            if state.failure == nil { state.taken.append(message) }
            return state.failure
        }
        if let failure { throw failure }
    }
}

/// A queue, its worker and all that they need, in virtual time.
struct MailHarness: Sendable {
    let time = VirtualTime()
    let disk: MemoryDisk
    let storage: MemoryStorage
    let transport = ScriptedTransport()
    let queue: MailQueue
    let worker: DeliveryWorker<MailDelivery>
    let log = LogRecorder()

    init(
        capacity: Int = 100,
        schedule: RetrySchedule = .mail,
        leaseTime: Duration = .seconds(60),
        disk: MemoryDisk = MemoryDisk()
    ) {
        self.disk = disk
        storage = disk.open()
        let environment = time.environment()
        queue = MailQueue(
            environment: environment,
            store: storage.mail,
            encryptor: MirrorEncryptor(),
            capacity: capacity
        )
        let delivery = MailDelivery(queue, unitOfWork: storage.unitOfWork, transport: transport, logger: log.logger)
        worker = DeliveryWorker(
            delivery,
            policy: .mail(leaseTime: leaseTime, retries: schedule),
            environment: environment
        )
    }

    func send(
        _ text: String = "hello",
        to recipient: String = "person@example.com",
        kind: MailKind = .signInCode,
        expiresIn: Duration = .seconds(600)
    ) async throws {
        let message = MailMessage(recipient: recipient, bytes: Array(text.utf8))
        let end = time.wall + expiresIn
        try await storage.unitOfWork.run { [queue] transaction in
            _ = try queue.enqueue(message, kind: kind, expiresAt: end, in: transaction)
        }
    }

    /// Delivers what is due now.
    func deliver() async { await worker.deliverDue(until: time.now + .seconds(3600)) }

    var rows: [QueuedMail] {
        get async throws { try await storage.mail.list(Set(QueuedMail.State.allCases), limit: 1000) }
    }
}
