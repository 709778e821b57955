import Kernel
import OAuth
import Operations

/// The limits of the device flow: how often devices request codes and poll, and how many user codes a person tries.
///
/// Polls are counted by this daemon alone, in memory, so that a poll costs no statement. With several daemons behind a
/// load balancer, each sees a share of a device's polls, and so admits as many as it alone would.
final class DeviceFlowLimits: Sendable {
    private let clock: any MonotonicClock
    private let keys: LimitKeys
    /// Requests for codes from one address.
    private let requests: Limiter
    /// The sign-ins that the device page starts, from one address.
    private let signIns: Limiter
    private let triesPerAccount: Limiter
    private let triesPerAddress: Limiter
    private let polled = UseTable(stripes: 16)

    init(sharing: LimitSharing) {
        clock = sharing.clock
        keys = LimitKeys(sharing)
        let perAddress = FixedLimit.deviceCodesPerAddress
        requests = Limiter(perAddress, RateLimit(burst: 60, every: .seconds(5)), part: "requests", sharing: sharing)
        signIns = Limiter(perAddress, RateLimit(burst: 100, every: .seconds(10)), part: "sign-ins", sharing: sharing)
        triesPerAccount = Limiter(.userCodes, DeviceFlowPolicy.triesPerAccount, part: "account", sharing: sharing)
        triesPerAddress = Limiter(.userCodes, DeviceFlowPolicy.triesPerAddress, part: "address", sharing: sharing)
    }

    func admitRequest(from address: NetworkAddress?) async throws(APIError) {
        try await requests.take(keys.key(address))
    }

    func admitSignIn(from address: NetworkAddress?) async throws(APIError) {
        try await signIns.take(keys.key(address))
    }

    /// Counts an attempt to enter a user code, before the code is looked up (RFC 8628 §5.1).
    ///
    /// ``giveBackTry(by:from:)`` takes it back. So concurrent attempts never look up more codes than the limit allows.
    func admitTry(by account: AccountID, from address: NetworkAddress?) async throws(APIError) {
        try await triesPerAccount.take(keys.key(account))
        try await triesPerAddress.take(keys.key(address))
    }

    /// Takes back the attempt of a correct code, which was no guess.
    func giveBackTry(by account: AccountID, from address: NetworkAddress?) async {
        await triesPerAccount.giveBack(keys.key(account))
        await triesPerAddress.giveBack(keys.key(address))
    }

    /// Admits a poll of a device, or tells the device to slow down (RFC 8628 §3.5).
    ///
    /// The limit allows two polls at once, and a further one after each three quarters of an interval. It never refuses
    /// a device that keeps its interval to within a fifth, or one that polls late and then in time. A refused poll is
    /// not counted, so that no device is locked out. The key includes the client: another client with the same code
    /// cannot use up the limit.
    func admitPoll(of deviceCode: String, by client: OAuthClient, every interval: Duration) throws(OAuthError) {
        let pace = RateLimit(burst: 2, every: interval * 3 / 4)
        let key = keys.key(nil, "\(client.id)\0\(deviceCode)")
        if let wait = polled.take(key, pace, at: clock.now) {
            throw OAuthError(
                .slowDown,
                "The device polls too fast. Add five seconds to its interval, for this and all later polls.",
                retryAfter: Int(max(1, wait.secondsRoundedUp))
            )
        }
    }
}
