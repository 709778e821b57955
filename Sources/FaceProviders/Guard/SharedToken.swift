import Kernel
import Operations
import Synchronization

/// The source of an adapter's access tokens.
protocol TokenSource: Sendable {
    /// Requests a token; a second request begins while the first is in progress only if that one hangs.
    func obtain() async throws(ProviderError) -> IssuedToken
}

/// A token as it was issued.
struct IssuedToken: Sendable {
    let token: Secret
    /// How long it may be used.
    let freshFor: Duration
}

/// The access token in force.
///
/// It is kept for as long as it is fresh. A caller that needs a new one joins the request in progress, if there is one.
/// All its waiters get its outcome, and the next caller after a failure tries again. A waiter that is cancelled leaves
/// at once; the request continues for the others, bounded by its own timeout.
///
/// A caller that comes while a request has hung for two seconds makes a second one. A request lost in an outage must
/// not hold up the callers after the outage.
final class SharedToken: Sendable {
    /// An access token, distinct from its successors.
    struct Access: Sendable {
        fileprivate let serial: Int
        let token: Secret
    }

    /// How long a request is waited for before a second one is made.
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

    /// Returns a token that should be good: the held one or a new one.
    func current() async throws(ProviderError) -> Access {
        let outcome = await requests.run(Only(), known: fresh) { [self] () async throws(ProviderError) -> Access in
            let request = state.withLock { $0.nextRequest() }
            let issued = try await source.obtain()
            return state.withLock { $0.hold(issued, of: request, at: clock.now) }
        }
        switch outcome {
        case .returned(let access): return access
        case .failed(let failure): throw failure
        // No request was sent to the provider, since there was no token for it.
        case .refused, .left: throw .unreached(cause: "the wait for a token was cancelled")
        }
    }

    /// The number of callers that wait for the request in progress.
    var waitingCount: Int { requests.waitingCount }

    /// Drops a token that the provider did not accept.
    ///
    /// Returns `false`, and does nothing, if another has taken its place already.
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

    /// There is one token, so one key.
    private struct Only: Hashable {}

    private struct State {
        var held: (access: Access, freshUntil: Uptime)?
        private var requests = 0
        /// The newest request that returned a token.
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
    /// The error of a call without a token, so that nothing was sent that could have begun a scan.
    ///
    /// Wrong credentials of this server say nothing about the person that a scan is for either.
    var withoutToken: ProviderError {
        switch self {
        case .unavailable(let cause), .unreached(let cause), .refused(let cause): .unreached(cause: cause)
        case .heldBack: self
        }
    }
}
