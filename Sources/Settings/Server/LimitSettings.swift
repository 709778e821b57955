package import Kernel

/// What a request may cost.
package struct LimitSettings: Sendable, Equatable {
    package var bodyBytes = 65_536
    /// Whether the rate limiters are off, for benches.
    package var off = false
    /// Starts of logins from one address.
    package var initiatePerAddress = LimitFigures(burst: 300, rate: Rate(5, per: .second))
    /// Starts for one account, by devices that are not linked to it.
    package var initiatePerAccount = LimitFigures(burst: 15, rate: Rate(1, per: .minute))
    /// Polls of one login by its rightful caller.
    package var pollsPerOperation = LimitFigures(burst: 20, rate: Rate(5, per: .second))
    /// Requests from one address about logins that are none or another's.
    package var strangersPerAddress = LimitFigures(burst: 200, rate: Rate(20, per: .second))
    /// Scans asked for from one address.
    package var openingsPerAddress = LimitFigures(burst: 300, rate: Rate(5, per: .second))
    /// Accounts opened from one address.
    package var registrationsPerAddress = LimitFigures(burst: 100, rate: Rate(100, per: .hour))
    /// Options to make a passkey, of the surface with the cookie, from one address.
    package var passkeySignUpsPerAddress = LimitFigures(burst: 5, rate: Rate(20, per: .hour))
    /// The same for its other three requests of a ceremony, each for itself.
    package var passkeySignInsPerAddress = LimitFigures(burst: 10, rate: Rate(40, per: .hour))
    /// All requests about passkeys of the surface by challengeId, from one address.
    package var passkeyRequestsPerAddress = LimitFigures(burst: 60, rate: Rate(1, per: .second))
    /// Sign-ins by a password or a code from one address.
    package var signInsPerAddress = LimitFigures(burst: 300, rate: Rate(2, per: .second))
    /// Requests of one session for the owner's view.
    package var ownerViewsPerSession = LimitFigures(burst: 60, rate: Rate(1, per: .second))
    /// Mails with a link to prove an address, asked for from one address.
    package var proofMailsPerAddress = LimitFigures(burst: 100, rate: Rate(100, per: .hour))
    /// The same to one mailbox.
    package var proofMailsPerMailbox = LimitFigures(burst: 5, rate: Rate(5, per: .hour))
    /// Backchannel requests of one client.
    package var backchannelPerClient = LimitFigures(burst: 120, rate: Rate(600, per: .minute))
    /// Passwords that are hashed at one time.
    package var passwordsAtOnce = 1
    /// How long an initiator is kept quiet of whom a person said "This wasn't me".
    package var quietPeriod: Duration = .seconds(15 * 60)
}

/// So many at once, and so many in the long run.
package struct LimitFigures: Sendable, Equatable {
    package var burst: Int
    package var rate: Rate
}

/// So many in a time, written like `5/s`.
package struct Rate: Sendable, Equatable {
    package let count: Int
    package let unit: Unit

    package init(_ count: Int, per unit: Unit) {
        self.count = count
        self.unit = unit
    }

    /// The times that a rate is written in.
    package enum Unit: String, Sendable, CaseIterable {
        case second = "s"
        case minute = "m"
        case hour = "h"

        var duration: Duration {
            switch self {
            case .second: .seconds(1)
            case .minute: .seconds(60)
            case .hour: .seconds(3600)
            }
        }
    }

    /// Until one more is there.
    package var period: Duration { unit.duration / count }
    package var text: String { "\(count)/\(unit.rawValue)" }
}

extension SettingRule where Value == Rate {
    /// A rate like `5/s`.
    static var rate: Self {
        Self(expected: "a rate like 5/s, 1/m or 100/h", type: .rate("1/h to 1000000/s")) {
            text,
            _,
            _ throws(SettingComplaint) in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let count = Int(parts[0]), let unit = Rate.Unit(rawValue: String(parts[1])) else {
                throw .refusing(text, "is not a rate; write a number, a slash and s, m or h, like 5/s or 1/m")
            }
            guard (1...1_000_000).contains(count) else {
                throw .refusing(text, "is out of range; it takes 1 to 1000000")
            }
            return Rate(count, per: unit)
        } show: {
            .text($0.text)
        }
    }
}

/// Where the signing keys are, and with which algorithm new ones are made.
package struct KeySettings: Sendable, Equatable {
    package var keyFolder: String
    package var signingAlgorithm: SigningAlgorithm = .es256
    /// How long a key signs; zero leaves rotation to the operator.
    package var rotateEvery: Duration = .days(90)
    /// How long a key is in the key set before it signs.
    package var publishBeforeSigning: Duration = .days(1)
    /// Seals the key folder and rows; `nil` leaves the folder as it is, and derives a key for rows from it.
    package var sealingKey: Secret?
    /// Open what they sealed, and seal nothing more.
    package var earlierSealingKeys: [Secret] = []

    package init(dataFolder: String) { keyFolder = dataFolder + "/keys" }

    /// The `alg` of new signing keys (RFC 7518 §3.1, RFC 8037 §3.1).
    package enum SigningAlgorithm: String, Sendable, CaseIterable {
        case es256, eddsa, rs256
    }
}
