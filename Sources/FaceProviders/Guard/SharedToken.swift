import Kernel
import Operations
import Synchronization

/// The source of an adapter's access tokens.
protocol TokenSource: Sendable {
    /// Requests a token. A second request begins while the first is in progress only if the first one hangs.
    func obtain() async throws(ProviderError) -> IssuedToken
}

/// A token as it was issued.
struct IssuedToken: Sendable {
    let token: Secret
    /// The time for which the token may be used.
    let freshFor: Duration
}

/// The current access token, shared by all calls of an adapter.
///
/// It is kept for as long as it is fresh. A caller that needs a new token joins the request in progress, if there is
/// one. All callers that wait get its outcome, and the next caller after a failure tries again. A caller that is
/// cancelled leaves at once. The request continues for the other callers, bounded by its own timeout.
///
/// A caller that arrives when a request has hung for two seconds makes a second one. A request lost in an outage must
/// not delay the callers after the outage.
final class SharedToken: Sendable {
    /// An access token with a serial number, which tells it from later ones.
    struct Access: Sendable {
        fileprivate let serial: Int
        let token: Secret
    }

    /// The time for which a request is awaited before a second one is made.
    static let patience: Duration = .seconds(2)

    private let source: any TokenSource
    private let clock: any MonotonicClock
    private let requests: SingleFlight<Only, Access, ProviderError>
    private let state = Mutex(State())

    init(_ source: any TokenSource, clock: any MonotonicClock) {
        self.source = source
        self.clock = clock
        requests = SingleFlight(patience: .init(Self.patience, on: clock))
    }

    /// Returns a token that should be valid: the kept one or a new one.
    func current() async throws(ProviderError) -> Access {
        let outcome = await requests.run(Only(), known: fresh) { [self] () async throws(ProviderError) -> Access in
            let request = state.withLock { $0.nextRequest() }
            let issued = try await source.obtain()
            return state.withLock { $0.hold(issued, of: request, at: clock.now) }
        }
        switch outcome {
        case .returned(let access): return access
        case .failed(let failure): throw failure
        // Without a token no request was sent to the provider.
        case .refused, .left: throw .unreached(cause: "the wait for a token was cancelled")
        }
    }

    /// The number of callers that wait for the request in progress.
    var waitingCount: Int { requests.waitingCount }

    /// Drops a token that the provider did not accept.
    ///
    /// - Returns: `false`, without any change, if the token was already replaced.
    @discardableResult func discard(_ access: Access) -> Bool {
        state.withLock { state in
            guard state.held?.access.serial == access.serial else { return false }
            state.held = nil
            return true
        }
    }

    private func fresh() -> Access? {
        state.withLock { state in state.held.flatMap { clock.now < $0.freshUntil ? $0.access : nil } }
    }

    /// The key of the shared request: there is one token, so one key.
    private struct Only: Hashable {}

    private struct State {
        var held: (access: Access, freshUntil: Uptime)?
        private var requests = 0
        /// The number of the newest request that returned a token.
        private var answered = 0

        mutating func nextRequest() -> Int {
            requests += 1
            return requests
        }

        /// Keeps the token, unless a later request has returned one.
        mutating func hold(_ token: IssuedToken, of request: Int, at now: Uptime) -> Access {
            let access = Access(serial: request, token: token.token)
            guard request > answered else { return access }
            answered = request
            held = (access, now + token.freshFor)
            return access
        }
    }
}

extension ProviderError {
    /// The error of a call that got no token: the request that could start a scan was not sent.
    ///
    /// This server's wrong credentials say nothing about the person whose face is scanned.
    var withoutToken: ProviderError {
        switch self {
        case .unavailable(let cause), .unreached(let cause), .refused(let cause): .unreached(cause: cause)
        case .heldBack: self
        }
    }
}
