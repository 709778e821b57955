import Accounts
import Foundation
import Kernel
import Logging
import Mail
import MailServer
import MemoryStore
import Testing

@testable import Outbound

/// The way of a code from the port to a real server: composed, queued, delivered.
///
/// One after the other: a server is a process that a small machine starts slowly.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct DeliveryTests {
    private let folder: MailFolder
    private let time = VirtualTime()
    private let storage = MemoryDisk().open()

    init() throws { folder = try MailFolder() }

    private func feature(
        _ server: MailServer
    ) async throws -> (mailer: AccountMailer, worker: DeliveryWorker<MailDelivery>) {
        let environment = time.environment()
        let sender = try #require(MailAddress(parsing: "Vestibule <no-reply@sender.example.com>"))
        let queue = MailQueue(
            environment: environment,
            store: storage.mail,
            encryptor: MirrorEncryptor(),
            capacity: 100
        )
        let delivery = MailDelivery(
            queue,
            unitOfWork: storage.unitOfWork,
            transport: SMTPTransport(
                SMTPConfiguration(
                    host: "localhost",
                    port: server.port,
                    security: .starttls,
                    credentials: nil,
                    caFile: try await folder.certificate().certificate,
                    connectTimeout: .seconds(30),
                    timeout: .seconds(60),
                    sender: sender
                )
            ),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let worker = DeliveryWorker(delivery, policy: .mail(leaseTime: .seconds(90)), environment: environment)
        let composer = MailComposer(from: sender, replyTo: nil, environment: environment)
        return (AccountMailer(composer: composer, queue: queue, environment: environment), worker)
    }

    private func send(_ mailer: AccountMailer, code: Int, to recipient: String) async throws {
        let mail = AccountMail(
            to: try #require(EmailAddress(recipient)),
            requester: "sv",
            service: "Example",
            content: .signInCode(Secret("\(code)"), link: nil, expiresAt: time.wall + .seconds(600))
        )
        try await storage.unitOfWork.run { try mailer.enqueue(mail, in: $0) }
    }

    /// Lets time pass until nothing waits any more; returns how much.
    private func run(_ worker: DeliveryWorker<MailDelivery>, for limit: Duration) async throws {
        let end = time.now + limit
        while time.now < end, try await !storage.mail.list([.queued], limit: 1).isEmpty {
            await worker.deliverDue(until: time.now + .seconds(3600))
            time.advance(by: .milliseconds(500))
        }
    }

    @Test func `while the server is down for 60 s no code is lost, and all are delivered once when it is back`()
        async throws
    {
        let server = try await MailServer(.starttls, in: folder)
        let (mailer, worker) = try await feature(server)
        server.stop()
        for number in 0..<20 { try await send(mailer, code: 100_000 + number, to: "person\(number)@example.com") }
        try await run(worker, for: .seconds(60))
        #expect(try server.taken.isEmpty)
        #expect(worker.queue.counts[.signInCode, .retried] >= 20)
        try await server.start()
        try await run(worker, for: .seconds(530))
        let taken = try server.taken
        #expect(taken.map { $0.to[0] }.sorted() == (0..<20).map { "person\($0)@example.com" }.sorted())
        for mail in taken {
            let number = try #require(mail.to[0].dropFirst("person".count).split(separator: "@").first)
            let code = 100_000 + (try #require(Int(number)))
            #expect(mail.text.digitRuns.filter { $0.count == 6 } == ["\(code)", "\(code)"])
        }
        #expect(worker.queue.counts[.signInCode, .delivered] == 20)
        #expect(worker.queue.counts[.signInCode, .expired] == 0)
    }

    @Test func `4xx is tried again, and 5xx bounces and is reported, beside others that arrive`() async throws {
        let server = try await MailServer(.starttls, in: folder)
        let (mailer, worker) = try await feature(server)
        for name in ["temporary-3", "bounced", "person", "rejected"] {
            try await send(mailer, code: 402_913, to: "\(name)@example.com")
        }
        try await run(worker, for: .seconds(590))
        #expect(try server.taken.map { $0.to[0] }.sorted() == ["person@example.com", "temporary-3@example.com"])
        let bounced = try await MailService(worker: worker).list([.bounced], limit: 9)
        #expect(
            bounced.map(\.recipient).compactMap(\.self).sorted() == ["bounced@example.com", "rejected@example.com"]
        )
        #expect(bounced.map(\.mail.tries.reply).compactMap(\.self).sorted() == [550, 554])
        #expect(worker.queue.counts[.signInCode, .bounced] == 2)
        #expect(worker.queue.counts[.signInCode, .retried] == 3)
    }

    @Test func `an address that no mail can go to, and a full queue, are the caller's to know`() async throws {
        let server = try await MailServer(.starttls, in: folder)
        let (mailer, _) = try await feature(server)
        // Valid as a name to sign in with, and not allowed in an SMTP command as it is.
        await #expect(throws: MailError.unmailableAddress) {
            try await send(mailer, code: 402_913, to: "person@exa_mple.com")
        }
        for _ in 0..<100 { try await send(mailer, code: 402_913, to: "person@example.com") }
        await #expect(throws: MailError.queueFull) {
            try await send(mailer, code: 402_913, to: "person@example.com")
        }
    }
}
