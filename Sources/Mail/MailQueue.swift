package import Kernel

/// Takes mails in, within the sender's unit of work.
package struct MailQueue: Sendable {
    private let environment: Environment
    let store: any MailQueueStore
    private let encryptor: any Encryptor
    private let capacity: Int
    let signal: WorkSignal

    /// `capacity`: The number of mails that may wait at one time.
    package init(environment: Environment, store: any MailQueueStore, encryptor: any Encryptor, capacity: Int) {
        self.environment = environment
        self.store = store
        self.encryptor = encryptor
        self.capacity = capacity
        signal = WorkSignal()
    }

    /// Puts a mail in the queue: durable with the unit of work, and delivered soon after it.
    ///
    /// - Throws: ``MailQueueFullError``.
    @discardableResult
    package func enqueue(
        _ message: MailMessage,
        kind: MailKind,
        expiresAt: Instant,
        in transaction: borrowing Transaction
    ) throws -> MailID {
        let mail = try encrypted(message, kind: kind, expiresAt: expiresAt, in: transaction)
        try store.insert(mail, in: transaction)
        // Units are durable in the order in which they were begun: the worker's next claim is behind this one.
        signal.raise()
        return mail.id
    }

    /// Does all of ``enqueue(_:kind:expiresAt:in:)`` except the row and the delivery.
    ///
    /// - Throws: ``MailQueueFullError``.
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
        guard try store.counts(in: transaction)[.queued] ?? 0 < capacity else { throw MailQueueFullError() }
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

    /// Returns the mail as it was queued; `nil` if its key is gone or it was changed.
    func message(of mail: QueuedMail) -> MailMessage? {
        guard let recipient = recipient(of: mail), let encrypted = mail.contents.message,
            let bytes = encryptor.decrypt(encrypted, key: mail.contents.encryptionKey, as: .message(of: mail.id))
        else { return nil }
        return MailMessage(recipient: recipient, bytes: bytes)
    }
}

/// The queue has its maximum of undelivered mails.
package struct MailQueueFullError: Error, Equatable {}
