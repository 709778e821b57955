import Accounts
import Admin
package import Kernel
import Logging
package import Mail
import Outbound
import Settings

/// Mail: the queue, the mailers, the delivery worker, and the operators' commands.
package struct MailFeature: Sendable {
    package let worker: DeliveryWorker<MailDelivery>
    /// Writes the mails to account owners.
    let mailer: AccountMailer
    private let service: MailService
    private let composer: MailComposer
    private let queue: MailQueue
    private let environment: Environment
    private let unitOfWork: any UnitOfWork

    init(
        _ configured: ConfiguredServer,
        environment: Environment,
        logger: Logger,
        encryptor: any Encryptor,
        stores: Stores
    ) {
        let settings = configured.settings
        let from = settings.mail.from
        if let credentials = settings.mail.smtp?.credentials {
            let isWhole = !credentials.user.isEmpty && !credentials.password.expose().isEmpty
            precondition(isWhole, "the checks of the config have it write username and password, or neither")
        }
        let transport: any MailTransport =
            settings.mail.smtp.map { SMTPTransport($0) }
            ?? Outbox(folder: settings.mail.outbox, environment: environment)
        queue = MailQueue(
            environment: environment,
            store: stores.people.mails,
            encryptor: encryptor,
            capacity: settings.mail.maxQueued
        )
        worker = DeliveryWorker(
            MailDelivery(queue, unitOfWork: stores.unitOfWork, transport: transport, logger: logger),
            policy: .mail(leaseTime: settings.mail.smtp.map { $0.timeout * 2 + .seconds(60) } ?? .seconds(60)),
            environment: environment
        )
        composer = MailComposer(
            from: from,
            replyTo: settings.mail.replyTo,
            localization: configured.localization,
            accountPage: settings.accountPage,
            environment: environment
        )
        mailer = AccountMailer(composer: composer, queue: queue, environment: environment)
        service = MailService(worker: worker)
        self.environment = environment
        unitOfWork = stores.unitOfWork
    }
}

extension MailFeature: MailAdministration {
    /// The time limit of a flush or a test mail: the command itself waits for a minute.
    private static let patience: Duration = .seconds(40)

    package func list(_ states: Set<QueuedMail.State>, limit: Int) async throws -> [MailService.Summary] {
        try await service.list(states, limit: limit)
    }

    func queueState(upTo bound: Int) async throws -> (count: Int, oldest: Instant?) {
        try await service.queueState(upTo: bound)
    }

    package func flush() async throws -> MailService.Flushed { try await service.flush(within: Self.patience) }

    package var languages: [String] { composer.languages }

    package func test(to address: String, language: String) async throws -> QueuedMail? {
        guard let recipient = MailAddress(parsing: address) else { throw MailError.unmailableAddress }
        let message = composer.test(to: recipient, language: language)
        let end = environment.now() + .seconds(600)
        let id: MailID
        do {
            id = try await unitOfWork.run { [queue] transaction in
                try queue.enqueue(message, kind: .test, expiresAt: end, in: transaction)
            }
        } catch is MailQueueFullError {
            throw MailError.queueFull
        }
        await worker.deliverDue(until: environment.clock.now + Self.patience)
        return try await service.find(id)
    }
}
