package import Accounts
package import Kernel
package import Mail

/// Writes the mails to account owners, and puts them in the queue.
package struct AccountMailer: CodeMailer {
    /// The time for which delivery of a notice is tried.
    private static let noticeLifetime: Duration = .seconds(2 * 86_400)

    private let composer: MailComposer
    private let queue: MailQueue
    private let environment: Environment

    package init(composer: MailComposer, queue: MailQueue, environment: Environment) {
        self.composer = composer
        self.queue = queue
        self.environment = environment
    }

    package func enqueue(_ mail: AccountMail, in transaction: borrowing Transaction) throws {
        let (message, kind, end) = (try write(mail), mail.content.kind, expiry(of: mail.content))
        do { try queue.enqueue(message, kind: kind, expiresAt: end, in: transaction) } catch is MailQueueFullError {
            throw MailError.queueFull
        }
    }

    package func rehearse(_ mail: AccountMail, in transaction: borrowing Transaction) throws {
        let (message, kind, end) = (try write(mail), mail.content.kind, expiry(of: mail.content))
        do { try queue.rehearse(message, kind: kind, expiresAt: end, in: transaction) } catch is MailQueueFullError {
            throw MailError.queueFull
        }
    }

    private func write(_ mail: AccountMail) throws -> MailMessage {
        guard let recipient = MailAddress(mail.to.text, name: nil) else { throw MailError.unmailableAddress }
        let texts = composer.texts(tagged: mail.requester.language, for: mail.client)
        return composer.compose(texts.letter(mail, now: environment.now()), to: recipient)
    }

    private func expiry(of content: AccountMail.Content) -> Instant {
        switch content {
        case .signInCode(_, _, let end), .addressProof(_, _, let end): end
        case .notice, .addressProvenInApp: environment.now() + Self.noticeLifetime
        }
    }
}

extension AccountMail.Content {
    fileprivate var kind: MailKind {
        switch self {
        case .signInCode: .signInCode
        case .addressProof: .addressProof
        case .notice, .addressProvenInApp: .notice
        }
    }
}
