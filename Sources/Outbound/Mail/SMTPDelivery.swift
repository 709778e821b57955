import CCurl
import Kernel
import Mail
import Synchronization

/// One delivery of a mail to a server, on a new connection: from the greeting to the final reply.
final class SMTPDelivery: Sendable {
    private let configuration: SMTPConfiguration
    private let message: MailMessage
    private let state = Mutex(State())

    private struct State {
        /// The number of the message's bytes that libcurl has taken.
        var taken = 0
        var isCancelled = false
    }

    init(_ configuration: SMTPConfiguration, _ message: MailMessage) {
        self.configuration = configuration
        self.message = message
    }

    /// Cancels the delivery, unless the whole mail is sent.
    ///
    /// Then only the server knows whether it has accepted the mail, so the delivery waits for its reply.
    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Delivers the mail.
    ///
    /// Blocks until the server has replied or the time is up.
    ///
    /// - Returns: The error; `nil` when the server accepted the mail.
    func perform() -> MailTransportError? {
        guard !isGivenUp else { return MailTransportError(.temporary, cause: "the daemon is stopping") }
        guard let handle = curl_easy_init() else {
            return MailTransportError(.temporary, cause: "libcurl has no memory")
        }
        defer { curl_easy_cleanup(handle) }
        let recipients = curl_slist_append(nil, message.recipient)
        defer { curl_slist_free_all(recipients) }
        let context = Unmanaged.passRetained(self)
        defer { context.release() }
        var setUp = CURLOptions(handle)
        setUp.apply(configuration)
        setUp.list(CURLOPT_MAIL_RCPT, recipients)
        setUp.size(CURLOPT_INFILESIZE_LARGE, message.bytes.count)
        setUp.number(CURLOPT_UPLOAD, 1)
        setUp.number(CURLOPT_NOPROGRESS, 0)
        setUp.note(vestibule_curl_set_reader(handle, Self.reader, context.toOpaque()))
        setUp.note(vestibule_curl_set_progress(handle, Self.progress, context.toOpaque()))
        guard setUp.fault == CURLE_OK, recipients != nil else {
            return MailTransportError(
                .configuration,
                cause: "libcurl refuses an option: \(SMTPOutcome.text(setUp.fault))"
            )
        }
        let code = curl_easy_perform(handle)
        return SMTPOutcome(
            code: code,
            reply: vestibule_curl_reply(handle),
            hasBodyBegun: state.withLock { $0.taken > 0 }
        ).failure
    }

    private var isGivenUp: Bool { state.withLock { $0.isCancelled && $0.taken < message.bytes.count } }

    /// Copies the next bytes for libcurl, which stuffs dots and ends the mail (RFC 5321 §4.5.2).
    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            let part = message.bytes[state.taken...].prefix(buffer.count)
            buffer.copyBytes(from: part)
            state.taken += part.count
            return part.count
        }
    }

    private static let reader: vestibule_curl_read = { buffer, size, count, context in
        guard let buffer, let context else { return 0 }
        let delivery = Unmanaged<SMTPDelivery>.fromOpaque(context).takeUnretainedValue()
        return delivery.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
    }

    /// Called about once a second, even when no data moves: any result but 0 ends the transfer.
    private static let progress: vestibule_curl_progress = { context, _, _, _, _ in
        guard let context else { return 0 }
        return Unmanaged<SMTPDelivery>.fromOpaque(context).takeUnretainedValue().isGivenUp ? 1 : 0
    }
}
