import CCurl
import Mail

/// The outcome of a delivery, as libcurl reports it.
struct SMTPOutcome {
    let code: CURLcode
    /// The server's last reply code, or 0 if it never replied.
    let reply: Int
    /// Whether libcurl began to send the mail's content.
    let hasBodyBegun: Bool

    /// The error, or `nil` when the server accepted the mail.
    var failure: MailTransportError? {
        guard code != CURLE_OK else { return nil }
        return MailTransportError(kind, reply: reply == 0 ? nil : reply, cause: cause)
    }

    /// Replies about authentication or encryption, not about the mail (RFC 4954 §6, RFC 3207 §4).
    private static let repliesToUs = [530, 534, 535, 538]

    private var kind: MailTransportError.Kind {
        if (400..<500).contains(reply) { return .temporary }
        if Self.isConfiguration(code) || Self.repliesToUs.contains(reply) { return .configuration }
        guard (500..<600).contains(reply) else { return .temporary }
        // A greeting that refuses every client (554, RFC 5321 §3.1) is not about this mail.
        return code == CURLE_WEIRD_SERVER_REPLY && !hasBodyBegun ? .configuration : .permanent
    }

    private static func isConfiguration(_ code: CURLcode) -> Bool {
        switch code {
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_USE_SSL_FAILED,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_LOGIN_DENIED,
            CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_NOT_BUILT_IN,
            // The server refused EHLO and HELO, which name this host and no mail (RFC 5321 §4.1.1.1).
            CURLE_REMOTE_ACCESS_DENIED:
            true
        default: false
        }
    }

    /// libcurl's text for the kind of error, with the reply code.
    ///
    /// The server's text is left out: it may repeat addresses.
    private var cause: String {
        let text = Self.text(code)
        return reply == 0 ? text : "\(text) (the server's last reply was \(reply))"
    }

    static func text(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }
}
