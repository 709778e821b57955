package import HTTPAPI
package import Kernel
package import Operations
package import TokenReading

/// What a request may cost.
package struct LimitSettings: Sendable, Equatable {
    package var bodyBytes = 65_536
    /// Whether the rate limiters are off, for benches.
    package var off = false
    package var rates = LimitRates()
    /// Of passkeys' ceremonies, from one address.
    package var passkeyRates = PasskeyLimits.Rates(
        signUps: RateLimit(burst: 5, every: .seconds(180)),
        signIns: RateLimit(burst: 10, every: .seconds(90)),
        requests: RateLimit(burst: 60, every: .seconds(1))
    )
    /// Passwords that are hashed at one time.
    package var passwordsAtOnce = 1
}

extension SettingRule where Value == Duration {
    /// A rate like `5/s`, as the time until one more is there.
    static var rate: Self {
        Self(expected: "a rate like 5/s, 1/m or 100/h", type: .rate("1/h to 1000000/s")) {
            text,
            _,
            _ throws(SettingError) in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let count = Int(parts[0]),
                let unit = rateUnits.first(where: { $0.name == parts[1] })
            else { throw .refusing(text, "is not a rate; write a number, a slash and s, m or h, like 5/s or 1/m") }
            guard (1...1_000_000).contains(count) else {
                throw .refusing(text, "is out of range; it takes 1 to 1000000")
            }
            return unit.time / count
        } show: { period in
            .text(rateText(period))
        }
    }

    private static var rateUnits: [(name: String, time: Duration)] {
        [("s", .seconds(1)), ("m", .seconds(60)), ("h", .seconds(3600))]
    }

    /// The rate in the first unit in which its number is a whole one.
    private static func rateText(_ period: Duration) -> String {
        for unit in rateUnits {
            let count = Int((unit.time / period).rounded())
            if count > 0, unit.time / count == period { return "\(count)/\(unit.name)" }
        }
        return "1/\(DurationText.format(period))"
    }
}

/// Where the signing keys are, and with which algorithm new ones are made.
package struct KeySettings: Sendable, Equatable {
    package var keyFolder: String
    /// The `alg` of new signing keys.
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
}
