import Kernel
import Operations

/// Limits how many devices are registered without an owner.
///
/// Limits also how often callers request challenges, answer them wrongly, or present invalid card tokens.
///
/// Challenges and wrong answers are counted by device and address together: a caller who knows a device's id cannot use
/// up its owner's limit.
final class DeviceLimits: Sendable {
    /// The time for which a device that was found is remembered.
    private static let known: Duration = .seconds(24 * 3600)

    private let clock: any MonotonicClock
    private let keys: LimitKeys
    private let registrations: Limiter
    private let challenges: Limiter
    private let wrongAnswers: Limiter
    private let lookups: Limiter
    private let wrongCardTokens: Limiter
    private let found = UseTable(stripes: 16, setsPerStripe: 64)

    init(sharing: LimitSharing) {
        clock = sharing.clock
        keys = LimitKeys(sharing)
        // For each address: a hundred registrations an hour.
        registrations = Limiter(.devicesPerAddress, RateLimit(burst: 100, every: .seconds(36)), sharing: sharing)
        challenges = Limiter(.challengesPerDevice, RateLimit(burst: 10, every: .seconds(6)), sharing: sharing)
        // Four wrong answers are allowed: the fifth starts the pause.
        wrongAnswers = Limiter(
            .wrongAnswersPerDevice,
            RateLimit(burst: 4, every: .seconds(12)),
            pausing: .seconds(60),
            sharing: sharing
        )
        // For each address: as many look-ups of devices that were not found recently as of unknown operations.
        lookups = Limiter(
            .unknownDevicesPerAddress,
            RateLimit(burst: 200, every: .milliseconds(50)),
            sharing: sharing
        )
        // One server of a shop may redeem for all its customers, and sends invalid card tokens only by mistake.
        wrongCardTokens = Limiter(
            .wrongCardTokens,
            RateLimit(burst: 20, every: .seconds(3)),
            pausing: .seconds(60),
            sharing: sharing
        )
    }

    func admitRegistration(from address: NetworkAddress?) async throws(APIError) {
        try await registrations.take(keys.key(address))
    }

    /// Admits a look-up of the device's id in the database.
    ///
    /// An id that this daemon found before is always admitted, so that no other caller with the same address can lock it out.
    func admitLookup(of device: String, from address: NetworkAddress?) async throws(APIError) {
        guard !found.isMarked(keys.key(nil, device), at: clock.now) else { return }
        try await lookups.take(keys.key(address))
    }

    /// Remembers that the device with this id exists and can sign in by a key.
    func noteFound(_ device: String) { found.mark(keys.key(nil, device), until: clock.now + Self.known) }

    func admitChallenge(of device: String, from address: NetworkAddress?) async throws(APIError) {
        try await challenges.take(keys.key(address, device))
    }

    func admitAnswer(of device: String, from address: NetworkAddress?) async throws(APIError) {
        try await wrongAnswers.check(keys.key(address, device))
    }

    /// Counts a wrong answer; after the fifth, answers are refused for a minute.
    func noteWrongAnswer(of device: String, from address: NetworkAddress?) async throws(APIError) {
        try await wrongAnswers.note(keys.key(address, device))
    }

    func admitRedemption(from address: NetworkAddress?) async throws(APIError) {
        try await wrongCardTokens.check(keys.key(address))
    }

    func noteWrongCardToken(from address: NetworkAddress?) async throws(APIError) {
        try await wrongCardTokens.take(keys.key(address))
    }
}
