import Accounts
import Kernel
package import Mail

/// Port: what the command line may ask of the mail queue.
package protocol MailAdministration: Sendable {
    /// The newest first.
    func list(_ states: Set<QueuedMail.State>, limit: Int) async throws -> [MailDesk.Summary]
    /// Tries every queued mail now.
    func flush() async throws -> MailDesk.Flushed
    /// The tags of the languages that mail is written in, like `fr`.
    var languages: [String] { get }
    /// Sends a mail that says that mail arrives, and tries it; `nil` once it is delivered.
    ///
    /// - Throws: `MailRefusal`.
    func test(to address: String, language: String) async throws -> QueuedMail?
}

extension AdminReply {
    /// A mail of the queue as operators see it: whom it goes to, never what it says.
    package struct MailView: Codable, Sendable, Equatable {
        package let id: String
        package let kind: String
        /// `queued` or `bounced`.
        package let state: String
        /// `nil` when the key that sealed it is gone.
        package let to: String?
        /// Milliseconds since 1970.
        package let createdAt: Int64
        package let expiresAt: Int64
        /// When it is tried next, or was claimed until.
        package let dueAt: Int64
        /// How often it was tried in vain.
        package let attempts: Int
        /// Why it was not delivered the last time: `temporary`, `permanent`, `configuration` or `unreadable`.
        package let failure: String?
        /// The mail server's reply code then.
        package let reply: Int?
        package let endedAt: Int64?
    }

    /// What a flush came to.
    package struct MailFlushView: Codable, Sendable, Equatable {
        package let due: Int
        package let queued: Int
        package let bounced: Int
    }

    /// What became of a test.
    package struct MailTestView: Codable, Sendable, Equatable {
        package let isDelivered: Bool
        package let failure: String?
        package let reply: Int?
    }
}

extension AdminReply.MailView {
    init(_ summary: MailDesk.Summary) {
        let mail = summary.mail
        self.init(
            id: mail.id.description,
            kind: mail.kind.rawValue,
            state: mail.state.rawValue,
            to: summary.recipient,
            createdAt: mail.createdAt.milliseconds,
            expiresAt: mail.expiresAt.milliseconds,
            dueAt: mail.dueAt.milliseconds,
            attempts: mail.attempts,
            failure: mail.failure?.rawValue,
            reply: mail.reply,
            endedAt: mail.endedAt?.milliseconds
        )
    }
}

extension Administration {
    /// The queue, of these states; of all where none is named.
    func listMail(states: [String], limit: Int) async throws -> AdminReply {
        var chosen: Set<QueuedMail.State> = []
        for name in states {
            guard let state = QueuedMail.State(rawValue: name) else {
                let known = QueuedMail.State.allCases.map(\.rawValue).joined(separator: ", ")
                return .fault(code: "unknown_state", message: "There is no state \(name); there are \(known).")
            }
            chosen.insert(state)
        }
        if chosen.isEmpty { chosen = Set(QueuedMail.State.allCases) }
        return .mails(try await mail.list(chosen, limit: limit).map { .init($0) })
    }

    func flushMail() async throws -> AdminReply {
        let flushed = try await mail.flush()
        return .mailFlushed(.init(due: flushed.due, queued: flushed.queued, bounced: flushed.bounced))
    }

    func testMail(to address: String, language: String) async throws -> AdminReply {
        // Of a tag like fr-CA the language (RFC 5646 §2.2.1); in another one people get English, and a test would not show it.
        guard mail.languages.contains(language.prefix { $0 != "-" }.lowercased()) else {
            let known = mail.languages.joined(separator: ", ")
            return .fault(
                code: "unknown_language",
                message: "No mail is written in \(language); --language takes one of \(known)."
            )
        }
        do {
            let left = try await mail.test(to: address, language: language)
            return .mailTested(
                .init(isDelivered: left == nil, failure: left?.failure?.rawValue, reply: left?.reply)
            )
        } catch let refusal as MailRefusal {
            switch refusal {
            case .queueFull:
                return .fault(
                    code: "mail_queue_full",
                    message: "The mail queue is full; `mail list` shows what is in it."
                )
            case .unmailableAddress:
                return .fault(
                    code: "unmailable_address",
                    message: "No mail can go to that address; write one like person@example.com."
                )
            }
        }
    }
}
