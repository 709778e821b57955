import Hummingbird
import Kernel
import Operations

/// Limits how many devices wait for an owner.
///
/// Limits how often callers ask for challenges, answer them wrongly, or present invalid card tokens.
///
/// Challenges and wrong answers count for the device and the address together: a caller who knows a device's id can't
/// use up its owner's share.
package final class DeviceLimits: Sendable {
    /// The registrations of one address: a hundred an hour.
    private static let registrations = RateLimit(burst: 100, every: .seconds(36))
    private static let challenges = RateLimit(burst: 10, every: .seconds(6))
    /// The wrong answers that are free: the next one, the fifth, starts the pause.
    private static let wrongAnswers = RateLimit(burst: 4, every: .seconds(12))
    private static let pause: Duration = .seconds(60)
    /// The look-ups of one address, for devices not found of late: as many as for unknown operations.
    private static let lookups = RateLimit(burst: 200, every: .milliseconds(50))
    /// The wrong card tokens of one address: a shop's server may redeem for everybody, and sends invalid ones only by
    /// mistake.
    private static let wrongCardTokens = RateLimit(burst: 20, every: .seconds(3))
    /// The time for which a found device is remembered.
    private static let known: Duration = .seconds(24 * 3600)

    private let clock: any MonotonicClock
    private let key: KeyedHash
    private let registered = UseTable(stripes: 16, setsPerStripe: 64)
    private let challenged = UseTable(stripes: 16, setsPerStripe: 64)
    private let wrong = UseTable(stripes: 16, setsPerStripe: 64)
    private let stopped = UseTable(stripes: 16, setsPerStripe: 64)
    private let lookedUp = UseTable(stripes: 16, setsPerStripe: 64)
    private let found = UseTable(stripes: 16, setsPerStripe: 64)
    private let redeemedWrong = UseTable(stripes: 16, setsPerStripe: 64)
    private let stoppedRedeeming = UseTable(stripes: 16, setsPerStripe: 64)

    package init(environment: Environment) {
        clock = environment.clock
        key = KeyedHash(randomFrom: environment)
    }

    func admitRegistration(from address: NetworkAddress?) throws(APIError) {
        try take(Self.registrations, named: .devicesPerAddress, from: registered, for: digest(address))
    }

    /// Lets a device's id be looked up in the store.
    ///
    /// An id that was found is let through, whatever its address has used up: no other caller behind that address can
    /// lock it out.
    func admitLookup(of device: String, from address: NetworkAddress?) throws(APIError) {
        guard !found.isMarked(digest(nil, device), at: clock.now) else { return }
        try take(Self.lookups, named: .unknownDevicesPerAddress, from: lookedUp, for: digest(address))
    }

    /// Notes that the store has a device of that id which can sign in by a key.
    func noteFound(_ device: String) { found.mark(digest(nil, device), until: clock.now + Self.known) }

    func admitChallenge(of device: String, from address: NetworkAddress?) throws(APIError) {
        try take(Self.challenges, named: .challengesPerDevice, from: challenged, for: digest(address, device))
    }

    func admitAnswer(of device: String, from address: NetworkAddress?) throws(APIError) {
        guard !stopped.isMarked(digest(address, device), at: clock.now) else {
            throw .rateLimited(for: Self.pause, by: .wrongAnswersPerDevice)
        }
    }

    /// Counts a wrong answer; after the fifth, answers are refused for a minute.
    func noteWrongAnswer(of device: String, from address: NetworkAddress?) {
        let (key, now) = (digest(address, device), clock.now)
        guard wrong.take(key, Self.wrongAnswers, at: now) != nil else { return }
        stopped.mark(key, until: now + Self.pause)
    }

    func admitRedemption(from address: NetworkAddress?) throws(APIError) {
        guard !stoppedRedeeming.isMarked(digest(address), at: clock.now) else {
            throw .rateLimited(for: Self.pause, by: .wrongCardTokens)
        }
    }

    func noteWrongCardToken(from address: NetworkAddress?) throws(APIError) {
        let (key, now) = (digest(address), clock.now)
        guard let wait = redeemedWrong.take(key, Self.wrongCardTokens, at: now) else { return }
        stoppedRedeeming.mark(key, until: now + Self.pause)
        throw .rateLimited(for: max(wait, Self.pause), by: .wrongCardTokens)
    }

    private func take(
        _ limit: RateLimit,
        named name: FixedLimit,
        from table: UseTable,
        for key: UInt64
    ) throws(APIError) {
        if let wait = table.take(key, limit, at: clock.now) { throw .rateLimited(for: wait, by: name) }
    }

    private func digest(_ address: NetworkAddress?, _ device: String = "") -> UInt64 {
        key.digest(address?.counted.bytes ?? [], [0], Array(device.utf8)).prefixWord
    }
}
