import CCurl
import Dispatch
package import Mail

/// Finds out whether a mail server takes connections, without a mail: connect, EHLO and TLS, then the farewell.
package enum SMTPProbe {
    /// Returns the failure; `nil` for a server that greets and encrypts.
    ///
    /// Nobody signs in.
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
        // For SMTP libcurl's connecting ends behind STARTTLS and the sign-in.
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
