package import Kernel

/// The mail server that mail is delivered to, and how it is reached.
package struct SMTPConfiguration: Sendable, Equatable {
    package var host: String
    /// The port, or 0 for the usual port of `security`.
    package var port: Int
    package var security: Security
    /// The credentials; `nil`: mail is sent without authentication.
    package var credentials: Credentials?
    /// A file of certificates (PEM) that are trusted instead of the system's.
    package var caFile: String?
    package var connectTimeout: Duration
    /// The timeout of a delivery as a whole.
    ///
    /// After it, QUIT to a server that has stopped answering can take as long again.
    package var timeout: Duration
    /// The envelope's sender, to which bounces go, and whose domain is the name in EHLO.
    package var sender: MailAddress

    /// The encryption of the connection, which is required.
    package enum Security: String, Sendable, CaseIterable {
        /// TLS from the first byte (RFC 8314 §3.3).
        case implicit
        /// TLS by the command STARTTLS (RFC 3207). Without TLS nothing is sent.
        case starttls
    }

    /// The credentials for `AUTH PLAIN` or `AUTH LOGIN`.
    package struct Credentials: Sendable, Equatable {
        package var user: String
        package var password: Secret

        package init(user: String, password: Secret) {
            self.user = user
            self.password = password
        }
    }

    package init(
        host: String,
        port: Int,
        security: Security,
        credentials: Credentials?,
        caFile: String?,
        connectTimeout: Duration,
        timeout: Duration,
        sender: MailAddress
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.credentials = credentials
        self.caFile = caFile
        self.connectTimeout = connectTimeout
        self.timeout = timeout
        self.sender = sender
    }

    /// The URL that libcurl expects, whose path is the name in EHLO.
    var url: String {
        let scheme =
            switch security {
            case .implicit: "smtps"
            case .starttls: "smtp"
            }
        let customary =
            switch security {
            case .implicit: 465
            case .starttls: 587
            }
        let port = port == 0 ? customary : port
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(host):\(port)/\(PercentEncoding.component(sender.domain))"
    }
}
