import Crypto
import Hummingbird
package import Kernel
import Operations

/// What bounds how many devices wait for an owner, and how often anybody asks for challenges or answers them wrongly.
///
/// Challenges and wrong answers count for the device and the address together: who knows a device's id can't use up what
/// its owner has.
package final class DeviceLimits: Sendable {
    /// A hundred an hour.
    private static let registrations = RateLimit(burst: 100, every: .seconds(36))
    private static let challenges = RateLimit(burst: 10, every: .seconds(6))
    /// So many wrong answers, then a pause.
    private static let wrongAnswers = RateLimit(burst: 5, every: .seconds(12))
    private static let pause: Duration = .seconds(60)

    private let clock: any MonotonicClock
    private let key: HMAC<SHA256>
    private let registered = UseTable(stripes: 16, setsPerStripe: 64)
    private let challenged = UseTable(stripes: 16, setsPerStripe: 64)
    private let wrong = UseTable(stripes: 16, setsPerStripe: 64)
    private let stopped = UseTable(stripes: 16, setsPerStripe: 64)

    package init(facts: Facts) {
        clock = facts.clock
        key = HMAC(key: SymmetricKey(data: facts.randomBytes(32)))
    }

    func admitRegistration(from address: NetworkAddress?) throws(Problem) {
        try take(registered, digest(address), Self.registrations)
    }

    func admitChallenge(of device: String, from address: NetworkAddress?) throws(Problem) {
        try take(challenged, digest(address, device), Self.challenges)
    }

    func admitAnswer(of device: String, from address: NetworkAddress?) throws(Problem) {
        guard !stopped.isMarked(digest(address, device), at: clock.now) else { throw Self.tooMany(Self.pause) }
    }

    func noteWrongAnswer(of device: String, from address: NetworkAddress?) throws(Problem) {
        let (key, now) = (digest(address, device), clock.now)
        guard let wait = wrong.take(key, Self.wrongAnswers, at: now) else { return }
        stopped.mark(key, until: now + Self.pause)
        throw Self.tooMany(max(wait, Self.pause))
    }

    private func take(_ table: UseTable, _ key: UInt64, _ limit: RateLimit) throws(Problem) {
        if let wait = table.take(key, limit, at: clock.now) { throw Self.tooMany(wait) }
    }

    private func digest(_ address: NetworkAddress?, _ device: String = "") -> UInt64 {
        var mac = key
        mac.update(data: address?.counted.bytes ?? [])
        mac.update(data: [0])
        mac.update(data: Array(device.utf8))
        return mac.finalize().withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }

    private static func tooMany(_ wait: Duration) -> Problem {
        .rateLimited(retryAfter: Int(max(1, wait.secondsRoundedUp)))
    }
}
