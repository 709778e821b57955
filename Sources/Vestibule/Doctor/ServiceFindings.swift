import Kernel
import Mail
import Outbound

/// Interprets readings of the services that the daemon uses.
enum ServiceFindings {
    /// Interprets the answer to a plain request: which status a working server returns is unknown.
    static func provider(_ name: String, at url: String, _ answer: Result<Int, OutboundError>) -> Finding {
        switch answer {
        case .success(let status) where status >= 500:
            .warning(
                "provider \(name)",
                "\(url) answers with HTTP \(status)",
                remedy:
                    "See the provider's status page, or begin a real scan with `vestibule provider test \(name) --live`."
            )
        case .success(let status):
            .ok("provider \(name)", "\(url) answers (HTTP \(status)), but its credentials were not tested")
        case .failure(.redirected(let status)):
            .ok("provider \(name)", "\(url) answers (HTTP \(status)), but its credentials were not tested")
        case .failure(let error):
            .error(
                "provider \(name)",
                "\(url): \(error)",
                remedy:
                    "Check that this machine can connect to it: firewall, proxy, DNS. Until then face logins fail."
            )
        }
    }

    /// `failure`: `nil` for a server that answers and encrypts.
    static func mail(_ server: String, _ failure: MailTransportError?) -> Finding {
        guard let failure else {
            return .ok(
                "mail",
                "\(server) answers and encrypts, but its credentials were not tested (`vestibule mail test` sends a mail)"
            )
        }
        switch failure.kind {
        case .temporary:
            return .error(
                "mail",
                "\(server): \(failure.cause)",
                remedy: "Check that this machine can connect to it. Until then mail waits in the queue."
            )
        case .configuration, .permanent, .unreadable:
            return .error(
                "mail",
                "\(server): \(failure.cause)",
                remedy: "Check mail.smtp.host, port, tls and caFile: its certificate must have that name."
            )
        }
    }

    static func metrics(_ url: String, _ answer: Result<Int, OutboundError>) -> Finding {
        switch answer {
        case .success(200): return .ok("metrics", "\(url) answers")
        case .success(let status):
            return .error(
                "metrics",
                "\(url) answers with HTTP \(status)",
                remedy: "Check whether another program has that port: `ss -ltnp`."
            )
        case .failure(let error):
            return .error(
                "metrics",
                "\(url): \(error)",
                remedy: "Restart the daemon if metrics.enabled was set after its start."
            )
        }
    }

    /// Returns the findings about undelivered mail.
    ///
    /// `ages`: the time for which each mail has waited.
    ///
    /// `bounced`: the number of mails that were permanently refused.
    static func mailQueue(ages: [Duration], bounced: Int) -> [Finding] {
        var findings: [Finding] = []
        if let oldest = ages.max(), oldest >= .seconds(600) {
            findings.append(
                .warning(
                    "mail queue",
                    "\(ages.count) mails wait, the oldest for \(text(oldest))",
                    remedy:
                        "`vestibule mail list --state queued` shows the reason. After the repair run `vestibule mail flush`."
                )
            )
        } else {
            findings.append(
                .ok("mail queue", ages.isEmpty ? "it is empty" : "\(ages.count) mails wait, but not for long")
            )
        }
        if bounced > 0 {
            findings.append(
                .warning(
                    "mail queue",
                    "\(bounced) mails bounced",
                    remedy: "`vestibule mail list --state bounced` shows them, and the server's reply."
                )
            )
        }
        return findings
    }

    /// Returns the finding about open operations.
    ///
    /// `overdue`: the number of operations that are past their deadline by more than a minute.
    static func operations(open: Int, overdue: Int) -> Finding {
        guard overdue > 0 else {
            return .ok("operations", open == 0 ? "no operation is open" : "\(open) open, none overdue")
        }
        return .error(
            "operations",
            "\(overdue) of \(open) open operations are past their deadline",
            remedy:
                "The daemon should have ended them: see its log for the reason. `vestibule operations show ROW` shows details."
        )
    }

    /// The findings about queues that could not be read.
    static func queuesUnknown(_ reason: String) -> [Finding] {
        ["mail queue", "operations"].map { .notChecked($0, reason) }
    }

    static func text(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
