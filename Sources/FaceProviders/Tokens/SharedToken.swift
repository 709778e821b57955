import Kernel
import Operations
import Synchronization

/// Where an adapter's access tokens come from.
protocol TokenSource: Sendable {
    /// Asks for one; a second time while the first is under way only if that one hangs.
    func obtain() async throws(ProviderFailure) -> IssuedToken
}

/// A token as it was issued.
struct IssuedToken: Sendable {
    let token: Secret
    /// How long it may be used.
    let freshFor: Duration
}

/// The access token in force.
///
/// It is kept for as long as it is fresh. Whoever needs a new one joins the request that is under way, if there is one:
/// all its waiters get its outcome, and the next caller after a failure tries anew. A waiter that is cancelled leaves at
/// once; the request goes on for the others, bounded by its own timeout.
///
/// Whoever comes while a request has hung for two seconds makes another: one that was lost in an outage must not hold up
/// those who come after the outage.
final class SharedToken: Sendable {
    /// An access token, told apart from its successors.
    struct Access: Sendable {
        fileprivate let serial: Int
        let token: Secret
    }

    private typealias Outcome = Result<Access, ProviderFailure>

    /// How long a request is waited for before somebody else makes another.
    static let patience: Duration = .seconds(2)

    private let source: any TokenSource
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    init(_ source: any TokenSource, clock: any MonotonicClock) {
        self.source = source
        self.clock = clock
    }

    /// A token that should be good: the held one or a new one.
    func current() async throws(ProviderFailure) -> Access {
        if let access = state.withLock({ $0.fresh(at: clock.now) }) { return access }
        let ticket = state.withLock { $0.nextTicket() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in join(continuation, ticket) }
        } onCancel: {
            let gone = state.withLock { $0.waiting.removeValue(forKey: ticket) }
            gone?.resume(returning: Self.givenUp)
        }
        return try outcome.get()
    }

    /// How many callers wait for the request that is under way.
    var waitingCount: Int { state.withLock(\.waiting.count) }

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

    /// Nothing was asked of the provider with a token that there is not.
    private static let givenUp = Outcome.failure(.unreached(cause: "the wait for a token was given up"))

    private func join(_ continuation: CheckedContinuation<Outcome, Never>, _ ticket: Int) {
        let (answer, isFirst) = state.withLock { state -> (Outcome?, Bool) in
            // The handler has run already if the task was cancelled before it came here.
            guard !Task.isCancelled else { return (Self.givenUp, false) }
            // The request may have ended since the caller looked.
            if let access = state.fresh(at: clock.now) { return (.success(access), false) }
            state.waiting[ticket] = continuation
            return (nil, state.beginsRequest(at: clock.now))
        }
        if let answer { continuation.resume(returning: answer) }
        if isFirst { Task { await ask() } }
    }

    private func ask() async {
        let issued: Result<IssuedToken, ProviderFailure>
        do throws(ProviderFailure) {
            issued = .success(try await source.obtain())
        } catch {
            issued = .failure(error)
        }
        let now = clock.now
        let (outcome, waiting) = state.withLock { state -> (Outcome, [CheckedContinuation<Outcome, Never>]) in
            let outcome = issued.map { state.hold($0, at: now) }
            state.underWay -= 1
            // A failure is nobody's while a later request may still be answered.
            if case .failure = outcome, state.underWay > 0 { return (outcome, []) }
            defer { state.waiting = [:] }
            return (outcome, state.waiting.values.map { $0 })
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    private struct State {
        var held: (access: Access, freshUntil: Uptime)?
        var underWay = 0
        private var askedLast = Uptime(nanoseconds: 0)
        var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
        private var issued = 0
        private var tickets = 0

        func fresh(at now: Uptime) -> Access? { held.flatMap { now < $0.freshUntil ? $0.access : nil } }

        /// Whether whoever comes now makes a request: there is none, or the last one hangs.
        mutating func beginsRequest(at now: Uptime) -> Bool {
            guard underWay == 0 || now - askedLast >= SharedToken.patience else { return false }
            underWay += 1
            askedLast = now
            return true
        }

        mutating func nextTicket() -> Int {
            tickets += 1
            return tickets
        }

        mutating func hold(_ token: IssuedToken, at now: Uptime) -> Access {
            issued += 1
            let access = Access(serial: issued, token: token.token)
            held = (access, now + token.freshFor)
            return access
        }
    }
}

extension ProviderFailure {
    /// No token, so that nothing was asked with it: what could have begun a scan was surely not sent.
    ///
    /// Whatever is wrong with our credentials says nothing about the person that a scan is for either.
    var withoutToken: ProviderFailure {
        switch self {
        case .unavailable(let cause), .unreached(let cause), .refused(let cause): .unreached(cause: cause)
        case .heldBack: self
        }
    }
}
