import CCurl
import Dispatch
package import Mail

/// Checks whether a mail server accepts connections, without sending a mail: connect, EHLO, TLS and QUIT.
package enum SMTPProbe {
    /// Returns the error, or `nil` for a server that greets and encrypts, without sending credentials.
    package static func failure(of configuration: SMTPConfiguration) async -> MailTransportError? {
        _ = SMTPTransport.library
        var anonymous = configuration
        anonymous.credentials = nil
        let lane = DispatchQueue(label: "vestibule.smtp.probe")
        return await withCheckedContinuation { continuation in
            lane.async { [anonymous] in continuation.resume(returning: perform(anonymous)) }
        }
    }

    /// Blocks for at most the configuration's timeouts.
    private static func perform(_ configuration: SMTPConfiguration) -> MailTransportError? {
        guard let handle = curl_easy_init() else {
            return MailTransportError(.temporary, cause: "libcurl has no memory")
        }
        defer { curl_easy_cleanup(handle) }
        var setUp = CURLOptions(handle)
        setUp.apply(configuration)
        // For SMTP libcurl counts STARTTLS and authentication as part of connecting.
        setUp.number(CURLOPT_CONNECT_ONLY, 1)
        guard setUp.fault == CURLE_OK else {
            return MailTransportError(
                .configuration,
                cause: "libcurl refuses an option: \(SMTPOutcome.text(setUp.fault))"
            )
        }
        let code = curl_easy_perform(handle)
        return SMTPOutcome(code: code, reply: vestibule_curl_reply(handle), hasBodyBegun: false).failure
    }
}
