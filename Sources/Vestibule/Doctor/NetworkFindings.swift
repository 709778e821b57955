import Kernel
import Outbound

/// Interprets readings from the network.
enum NetworkFindings {
    /// `addresses`: `nil` if there was no answer in time.
    static func dns(_ host: String, addresses: [String]?) -> Finding {
        guard let addresses else {
            return .error(
                "dns",
                "no name server answered for \(host) in time",
                remedy: "Check that this machine reaches its name servers (/etc/resolv.conf)."
            )
        }
        guard !addresses.isEmpty else {
            return .error(
                "dns",
                "the name servers have no address for \(host)",
                remedy: "Add an A or AAAA record for it, or correct publicURL."
            )
        }
        return .ok("dns", "\(host) is \(addresses.joined(separator: ", "))")
    }

    /// `subject`: the URL or file that the certificate was read from.
    static func certificate(_ subject: String, _ dates: CertificateDates?, now: Instant) -> Finding {
        guard let dates else { return .notChecked("certificate", "no certificate could be read from \(subject)") }
        if now < dates.notBefore {
            return .error(
                "certificate",
                "the certificate of \(subject) is not yet valid: it begins at \(dates.notBefore.internetDate)",
                remedy: "Check this machine's clock, or use the certificate that is valid now."
            )
        }
        let days = (dates.notAfter - now).components.seconds / 86_400
        guard now < dates.notAfter else {
            return .error(
                "certificate",
                "the certificate of \(subject) expired at \(dates.notAfter.internetDate)",
                remedy: "Renew it, and send the program that serves it a SIGHUP or restart it."
            )
        }
        guard days >= fewDays else {
            return .warning(
                "certificate",
                "the certificate of \(subject) has \(days) days left",
                remedy: "Renew it, and find out why the automatic renewal failed."
            )
        }
        return .ok("certificate", "the certificate of \(subject) has \(days) days left")
    }

    /// The days left below which an automatic renewal is late: certificates of 90 days are renewed with 30 days left.
    static let fewDays = 14

    /// `sharesKeys`: whether both key sets have a key in common; `nil` if one of them can't be read.
    static func publicURL(_ url: String, _ readiness: Readiness, sharesKeys: Bool?) -> Finding {
        switch readiness {
        case .unreachable(let reason):
            return .error(
                "publicURL",
                "\(url) does not answer this machine: \(reason)",
                remedy: "Check the proxy's log and this machine's route to it. Browsers use the same route."
            )
        case .notReady(let reason):
            return .warning(
                "publicURL",
                "\(url) is not ready: \(reason)",
                remedy: "See the finding of the check daemon."
            )
        case .ready:
            guard sharesKeys != false else {
                return .error(
                    "publicURL",
                    "\(url) leads to another server, which does not publish this daemon's signing keys",
                    remedy: "Correct publicURL, its DNS record, or the proxy's target."
                )
            }
            let daemon = sharesKeys == true ? "this daemon" : "a daemon (whether it is this one is unknown)"
            return .ok("publicURL", "\(url) leads to \(daemon) and is ready")
        }
    }

    static func daemon(_ url: String, _ readiness: Readiness) -> Finding {
        switch readiness {
        case .unreachable(let reason):
            .error(
                "daemon",
                "\(url) does not answer: \(reason)",
                remedy: "Start it: `vestibule serve`. If it runs, name its config with --config."
            )
        case .notReady(let reason):
            .error("daemon", "it is not ready: \(reason)", remedy: "See its log for the first error.")
        case .ready(let degraded) where !degraded.isEmpty:
            .warning(
                "daemon",
                "it is ready, and reports these providers as degraded: \(degraded.joined(separator: ", "))",
                remedy: "See the provider's status page, and `vestibule operations list`."
            )
        case .ready: .ok("daemon", "it is ready")
        }
    }

    /// The path from the public URL to the daemon.
    struct Route: Equatable {
        let publicIsTLS: Bool
        let publicPort: Int
        let isTLS: Bool
        let port: Int
        let trustedProxies: [String]

        /// Whether browsers may be connected to the daemon directly.
        var isDirect: Bool { publicIsTLS == isTLS && publicPort == port }
    }

    static func proxy(_ route: Route) -> Finding {
        guard route.trustedProxies.isEmpty else {
            return .notChecked(
                "proxy",
                "whether \(route.trustedProxies.joined(separator: ", ")) sets X-Forwarded-For, which no answer shows",
                remedy:
                    "For nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for. X-Forwarded-Proto is not "
                    + "needed: publicURL has the scheme."
            )
        }
        if route.isDirect {
            return .ok("proxy", "a proxy is not needed: publicURL has the port and the scheme of the daemon")
        }
        return .warning(
            "proxy",
            "publicURL has port \(route.publicPort) and the daemon listens at \(route.port), but listen.trustedProxies is empty",
            remedy:
                "If a proxy is between them, name it there: otherwise the limits count all its clients as one address. Port "
                + "forwarding needs no entry."
        )
    }

    /// `difference`: how far this machine's clock is ahead; `nil` if no server sent its time.
    static func clock(_ difference: Duration?, against server: String?) -> Finding {
        guard let difference, let server else {
            return .notChecked(
                "clock",
                "no server on another machine sent its time",
                remedy: "Check `timedatectl`: tokens and passkeys need the right time."
            )
        }
        let seconds = difference.components.seconds
        let (size, side) = (abs(seconds), seconds > 0 ? "ahead of" : "behind")
        let remedy = "Turn on time synchronisation (`timedatectl set-ntp true`)."
        if size >= wrongClock { return .error("clock", "it is \(size) s \(side) \(server)'s", remedy: remedy) }
        if size >= oddClock { return .warning("clock", "it is \(size) s \(side) \(server)'s", remedy: remedy) }
        return .ok("clock", "it agrees with \(server)'s within \(max(1, size)) s")
    }

    /// Other servers usually tolerate a minute's difference in tokens, and a Date header is in whole seconds.
    private static let wrongClock: Int64 = 60
    private static let oddClock: Int64 = 5
}
