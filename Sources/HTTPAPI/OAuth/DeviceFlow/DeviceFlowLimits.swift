import Kernel
import OAuth
import Operations

/// The limits of the device flow: how often devices ask and poll, and how many user codes a person tries.
///
/// The tables are in memory, have a fixed size, and are keyed by digests of this process.
package final class DeviceFlowLimits: Sendable {
    /// Requests for codes from one address.
    private static let requests = RateLimit(burst: 60, every: .seconds(5))
    /// Sign-ins that the device page begins, from one address.
    private static let signIns = RateLimit(burst: 100, every: .seconds(10))

    private let clock: any MonotonicClock
    private let key: KeyedHash
    private let requested = UseTable(stripes: 16, setsPerStripe: 64)
    private let polled = UseTable(stripes: 16)
    private let tried = UseTable(stripes: 16, setsPerStripe: 64)

    package init(environment: Environment) {
        clock = environment.clock
        key = KeyedHash(randomFrom: environment)
    }

    func admitRequest(from address: NetworkAddress?) throws(APIError) {
        try take(digest("request", of: address), from: requested, within: Self.requests, by: .deviceCodesPerAddress)
    }

    func admitSignIn(from address: NetworkAddress?) throws(APIError) {
        try take(digest("sign-in", of: address), from: requested, within: Self.signIns, by: .deviceCodesPerAddress)
    }

    /// Takes one try of a user code before the code is looked up (RFC 8628 §5.1).
    ///
    /// ``giveBackTry(by:from:)`` returns it, so that concurrent tries never look up more codes than the limit.
    func admitTry(by account: AccountID, from address: NetworkAddress?) throws(APIError) {
        try take(
            digest("account", account.bits.bytes),
            from: tried,
            within: DeviceFlowPolicy.triesPerAccount,
            by: .userCodes
        )
        try take(digest("address", of: address), from: tried, within: DeviceFlowPolicy.triesPerAddress, by: .userCodes)
    }

    /// Returns the try of a correct code, which was no guess.
    func giveBackTry(by account: AccountID, from address: NetworkAddress?) {
        tried.giveBack(digest("account", account.bits.bytes), DeviceFlowPolicy.triesPerAccount)
        tried.giveBack(digest("address", of: address), DeviceFlowPolicy.triesPerAddress)
    }

    /// Admits a poll of a device, or tells the device to slow down (RFC 8628 §3.5).
    ///
    /// The budget holds two polls and regains one in three quarters of an interval. A device that keeps its interval to
    /// within a fifth is never refused, nor is one that polls late and then in time. A refused poll takes nothing, so
    /// that no device is locked out. The key includes the client: another client with the same code cannot spend this
    /// budget.
    func admitPoll(of deviceCode: String, by client: OAuthClient, every interval: Duration) throws(OAuthError) {
        let pace = RateLimit(burst: 2, every: interval * 3 / 4)
        let key = digest("poll", Array(client.id.utf8) + [0] + Array(deviceCode.utf8))
        if let wait = polled.take(key, pace, at: clock.now) {
            throw OAuthError(
                .slowDown,
                "The device polls too fast. Add five seconds to its interval, for this and all later polls.",
                retryAfter: Int(max(1, wait.secondsRoundedUp))
            )
        }
    }

    private func take(
        _ key: UInt64,
        from table: UseTable,
        within limit: RateLimit,
        by name: FixedLimit
    ) throws(APIError) {
        if let wait = table.take(key, limit, at: clock.now) { throw .rateLimited(for: wait, by: name) }
    }

    private func digest(_ purpose: String, of address: NetworkAddress?) -> UInt64 {
        digest(purpose, address?.counted.bytes ?? [])
    }

    private func digest(_ purpose: String, _ bytes: [UInt8]) -> UInt64 {
        key.digest(bytes, purpose: purpose).prefixWord
    }
}
