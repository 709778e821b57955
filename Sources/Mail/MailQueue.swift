package import Kernel

/// Adds mails to the queue, in the sender's unit of work.
package struct MailQueue: Sendable {
    private let environment: Environment
    let store: any MailQueueStore
    private let encryptor: any Encryptor
    private let capacity: Int
    let signal = WorkSignal()
    let length = MailQueueLength()

    /// `capacity`: The number of undelivered mails that the queue may hold.
    package init(environment: Environment, store: any MailQueueStore, encryptor: any Encryptor, capacity: Int) {
        self.environment = environment
        self.store = store
        self.encryptor = encryptor
        self.capacity = capacity
    }

    /// Adds a mail to the queue.
    ///
    /// It is durable with the unit of work, and delivered soon after.
    ///
    /// - Throws: ``MailQueueFullError`` when the queue has no capacity left.
    @discardableResult
    package func enqueue(
        _ message: MailMessage,
        kind: MailKind,
        expiresAt: Instant,
        in transaction: borrowing Transaction
    ) throws -> MailID {
        let mail = try encrypted(message, kind: kind, expiresAt: expiresAt, in: transaction)
        try store.insert(mail, in: transaction)
        // The worker's next claim has to see this mail.
        transaction.whenDurable { [signal, length] in
            length.change(by: 1)
            signal.raise()
        }
        return mail.id
    }

    /// Does the work of ``enqueue(_:kind:expiresAt:in:)`` without adding or delivering the mail.
    ///
    /// - Throws: ``MailQueueFullError`` when the queue has no capacity left.
    package func rehearse(
        _ message: MailMessage,
        kind: MailKind,
        expiresAt: Instant,
        in transaction: borrowing Transaction
    ) throws {
        _ = try encrypted(message, kind: kind, expiresAt: expiresAt, in: transaction)
    }

    private func encrypted(
        _ message: MailMessage,
        kind: MailKind,
        expiresAt: Instant,
        in transaction: borrowing Transaction
    ) throws -> QueuedMail {
        let queued = try length.current ?? store.counts(in: transaction)[.queued] ?? 0
        guard queued < capacity else { throw MailQueueFullError() }
        let id: MailID = environment.newID()
        let now = environment.now()
        return QueuedMail(
            id: id,
            kind: kind,
            contents: QueuedMail.Contents(
                encryptionKey: encryptor.currentKey,
                recipient: try encryptor.encrypt(Array(message.recipient.utf8), as: .recipient(of: id)),
                message: try encryptor.encrypt(message.bytes, as: .message(of: id))
            ),
            createdAt: now,
            expiresAt: expiresAt,
            tries: QueuedMail.Tries(dueAt: now)
        )
    }

    func recipient(of mail: QueuedMail) -> String? {
        encryptor.decrypt(mail.contents.recipient, key: mail.contents.encryptionKey, as: .recipient(of: mail.id))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the decrypted mail; `nil` if its key is gone or its row was changed.
    func message(of mail: QueuedMail) -> MailMessage? {
        guard let recipient = recipient(of: mail), let encrypted = mail.contents.message,
            let bytes = encryptor.decrypt(encrypted, key: mail.contents.encryptionKey, as: .message(of: mail.id))
        else { return nil }
        return MailMessage(recipient: recipient, bytes: bytes)
    }
}

/// The queue already holds its maximum of undelivered mails.
package struct MailQueueFullError: Error, Equatable {}
