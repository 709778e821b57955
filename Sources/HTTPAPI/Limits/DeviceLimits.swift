import Kernel
import Operations

/// Limits how many devices wait for an owner.
///
/// Limits how often callers ask for challenges, answer them wrongly, or present invalid card tokens.
///
/// Challenges and wrong answers count for the device and the address together: a caller who knows a device's id can't
/// use up its owner's share.
final class DeviceLimits: Sendable {
    /// The time for which a found device is remembered.
    private static let known: Duration = .seconds(24 * 3600)

    private let clock: any MonotonicClock
    private let keys: LimitKeys
    private let registrations: Limiter
    private let challenges: Limiter
    private let wrongAnswers: Limiter
    private let lookups: Limiter
    private let wrongCardTokens: Limiter
    private let found = UseTable(stripes: 16, setsPerStripe: 64)

    init(environment: Environment) {
        clock = environment.clock
        keys = LimitKeys(environment)
        // The registrations of one address: a hundred an hour.
        registrations = Limiter(.devicesPerAddress, RateLimit(burst: 100, every: .seconds(36)), clock: clock)
        challenges = Limiter(.challengesPerDevice, RateLimit(burst: 10, every: .seconds(6)), clock: clock)
        // Four wrong answers are free: the next one, the fifth, starts the pause.
        wrongAnswers = Limiter(
            .wrongAnswersPerDevice,
            RateLimit(burst: 4, every: .seconds(12)),
            pausing: .seconds(60),
            clock: clock
        )
        // The look-ups of one address, for devices not found of late: as many as for unknown operations.
        lookups = Limiter(
            .unknownDevicesPerAddress,
            RateLimit(burst: 200, every: .milliseconds(50)),
            clock: clock
        )
        // A shop's server may redeem for everybody, and sends invalid card tokens only by mistake.
        wrongCardTokens = Limiter(
            .wrongCardTokens,
            RateLimit(burst: 20, every: .seconds(3)),
            pausing: .seconds(60),
            clock: clock
        )
    }

    func admitRegistration(from address: NetworkAddress?) throws(APIError) { try registrations.take(keys.key(address)) }

    /// Lets a device's id be looked up in the store.
    ///
    /// An id that was found is let through, whatever its address has used up: no other caller behind that address can
    /// lock it out.
    func admitLookup(of device: String, from address: NetworkAddress?) throws(APIError) {
        guard !found.isMarked(keys.key(nil, device), at: clock.now) else { return }
        try lookups.take(keys.key(address))
    }

    /// Notes that the store has a device of that id which can sign in by a key.
    func noteFound(_ device: String) { found.mark(keys.key(nil, device), until: clock.now + Self.known) }

    func admitChallenge(of device: String, from address: NetworkAddress?) throws(APIError) {
        try challenges.take(keys.key(address, device))
    }

    func admitAnswer(of device: String, from address: NetworkAddress?) throws(APIError) {
        try wrongAnswers.check(keys.key(address, device))
    }

    /// Counts a wrong answer; after the fifth, answers are refused for a minute.
    func noteWrongAnswer(of device: String, from address: NetworkAddress?) {
        wrongAnswers.note(keys.key(address, device))
    }

    func admitRedemption(from address: NetworkAddress?) throws(APIError) {
        try wrongCardTokens.check(keys.key(address))
    }

    func noteWrongCardToken(from address: NetworkAddress?) throws(APIError) {
        try wrongCardTokens.take(keys.key(address))
    }
}
