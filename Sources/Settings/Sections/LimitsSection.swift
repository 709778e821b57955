package import HTTPAPI
import Kernel
package import Operations

/// The bounds on the cost of a request.
package struct LimitSettings: Sendable, Equatable {
    package var bodyBytes = 65_536
    /// Whether rate limiting is off, for load tests.
    package var off = false
    package var rates = LimitRates()
    /// The rate limits of passkey ceremonies from one address.
    package var passkeyRates = PasskeyLimits.Rates(
        signUps: RateLimit(burst: 5, every: .seconds(180)),
        signIns: RateLimit(burst: 10, every: .seconds(90)),
        requests: RateLimit(burst: 60, every: .seconds(1))
    )
    /// The number of passwords that are hashed at one time.
    package var passwordsAtOnce = 1
}

extension SettingRule where Value == Duration {
    /// A rate like `5/s`, stored as the time until the next one is allowed.
    static var rate: Self {
        Self(expected: "a rate like 5/s, 1/m or 100/h", type: .rate("1/h to 1000000/s")) {
            text,
            _,
            _ throws(SettingError) in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let count = Int(parts[0]),
                let unit = rateUnits.first(where: { $0.name == parts[1] })
            else { throw .refusing(text, "is not a rate. Write a number, a slash and s, m or h, like 5/s or 1/m") }
            guard (1...1_000_000).contains(count) else {
                throw .refusing(text, "is out of range. It takes 1 to 1000000")
            }
            return unit.time / count
        } show: { period in
            .text(rateText(period))
        }
    }

    private static var rateUnits: [(name: String, time: Duration)] {
        [("s", .seconds(1)), ("m", .seconds(60)), ("h", .seconds(3600))]
    }

    /// Returns the rate in the first unit in which it is a whole number.
    private static func rateText(_ period: Duration) -> String {
        for unit in rateUnits {
            let count = Int((unit.time / period).rounded())
            if count > 0, unit.time / count == period { return "\(count)/\(unit.name)" }
        }
        return "1/\(DurationText.format(period))"
    }
}

extension SettingsSchema {
    static let limits = SettingSection<LimitSettings>([
        .value("bodyBytes", \.bodyBytes, as: .integer(1024...1_048_576), help: "The largest request body, in bytes."),
        .value(
            "off",
            \.off,
            as: .flag,
            help: "Turns the rate limiters off for benchmarks, in laptop mode on loopback only."
        ),
        .group(
            "initiatePerAddress",
            \.rates.logins.initiatePerAddress,
            keys: figures,
            help: "Starts of logins from one address, or from one IPv6 /64. The same holds below."
        ),
        .group(
            "initiatePerAccount",
            \.rates.logins.initiatePerAccount,
            keys: figures,
            help: "Starts for one e-mail address by devices that are not linked to it. Linked devices can always start."
        ),
        .group(
            "pollsPerOperation",
            \.rates.logins.pollsPerOperation,
            keys: figures,
            help: "Polls of one login by the client that started it, on each daemon. Faster polls get slow_down."
        ),
        .group(
            "strangersPerAddress",
            \.rates.logins.strangersPerAddress,
            keys: figures,
            help: "Requests from one address about unknown ids, or about logins of others."
        ),
        .group(
            "openingsPerAddress",
            \.rates.logins.openingsPerAddress,
            keys: figures,
            help: "Face scans asked for from one address."
        ),
        .group(
            "registrationsPerAddress",
            \.rates.accounts.registrationsPerAddress,
            keys: figures,
            help: "Accounts that people open from one address."
        ),
        .group(
            "passkeySignUpsPerAddress",
            \.passkeyRates.signUps,
            keys: figures,
            help: "Requests from one address for options to make a passkey, on the surface with the cookie."
        ),
        .group(
            "passkeySignInsPerAddress",
            \.passkeyRates.signIns,
            keys: figures,
            help: "The same for each of its other three requests of a ceremony."
        ),
        .group(
            "passkeyRequestsPerAddress",
            \.passkeyRates.requests,
            keys: figures,
            help: "All requests from one address about passkeys on the surface by challengeId."
        ),
        .group(
            "signInsPerAddress",
            \.rates.accounts.signInsPerAddress,
            keys: figures,
            help:
                "Sign-ins by a password or a code from one address, right or wrong. An account's own limit is fixed: after five wrong ones, delays from 30 s to 15 min, separate for each linked device."
        ),
        .group(
            "ownerViewsPerSession",
            \.rates.accounts.ownerViewsPerSession,
            keys: figures,
            help: "Requests of one session to list its account's operations, or to report that one was somebody else's."
        ),
        .group(
            "proofMailsPerAddress",
            \.rates.accounts.proofMailsPerAddress,
            keys: figures,
            help: "Mails with a link to prove an address that one address asks for."
        ),
        .group(
            "proofMailsPerMailbox",
            \.rates.accounts.proofMailsPerMailbox,
            keys: figures,
            help: "The same mails to one mailbox, for all requesters and accounts together."
        ),
        .group(
            "backchannelPerClient",
            \.rates.logins.backchannelPerClient,
            keys: figures,
            help: "Requests of one client at /oauth/bc-authorize, for all people together."
        ),
        .value(
            "passwordsAtOnce",
            \.passwordsAtOnce,
            as: .integer(1...64),
            help: "Passwords that are hashed at one time. Each takes a core for a tenth of a second, and 16 MiB."
        ),
        .value(
            "quietPeriod",
            \.rates.logins.quietPeriod,
            as: .duration(.seconds(60)...(.days(30))),
            help: "How long an address gets decoys for an account whose owner said \"This wasn't me\" to it."
        ),
    ])

    static let figures = SettingSection<RateLimit>([
        .value("burst", \.burst, as: .integer(1...1_000_000), help: "The size of a burst."),
        .value("rate", \.period, as: .rate, help: "The rate in the long run: a number per s, m or h."),
    ])
}
