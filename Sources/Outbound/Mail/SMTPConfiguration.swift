package import Kernel

/// Which mail server takes the mail, and how it is spoken to.
package struct SMTPConfiguration: Sendable, Equatable {
    package var host: String
    /// 0: the port that `security` has by custom.
    package var port: Int
    package var security: Security
    /// `nil` sends without signing in.
    package var credentials: Credentials?
    /// Certificates (PEM) that are trusted instead of the system's.
    package var caFile: String?
    package var connectTimeout: Duration
    /// The timeout of a delivery as a whole.
    ///
    /// The farewell to a server that has stopped answering takes as long once more.
    package var timeout: Duration
    /// The envelope's sender, to which bounces go; its domain is what we greet with.
    package var sender: MailAddress

    /// The encryption of the connection; an unencrypted one is not offered.
    package enum Security: String, Sendable, CaseIterable {
        /// TLS from the first byte (RFC 8314 §3.3).
        case implicit
        /// TLS by the command of that name, without which nothing is sent (RFC 3207).
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

    /// libcurl's form: the path is the name that we greet with.
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
