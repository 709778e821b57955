package import Kernel
import Synchronization

/// The person behind each access token that was looked up lately, under the SHA-256 of the token.
///
/// An id is kept for as long as its token is good, and no longer than the operator says; of a token whose lifetime nobody
/// told us, for a minute. Whoever asks for a token that is being looked up waits for that one request, which ends in time
/// whoever goes away meanwhile. Only ids are kept: what says no is asked again.
package final class PersonDirectory: Sendable {
    /// For a token that we did not see issued.
    static let unknownLifetime: Duration = .seconds(60)

    /// What is kept and done at the most.
    package struct Limits: Sendable, Equatable {
        /// Tokens.
        package var entries = 100_000
        /// Requests at one time, to all upstreams together.
        package var lookups = 64
        /// Callers that wait for one of them.
        package var waiting = 4096

        package init() {}
    }

    private typealias Outcome = Result<String, PersonRefusal>
    private typealias Continuation = CheckedContinuation<Outcome, Never>

    private let gateway: any UpstreamGateway
    private let clock: any MonotonicClock
    private let limits: Limits
    private let state: Mutex<State>

    package init(_ gateway: any UpstreamGateway, clock: any MonotonicClock, limits: Limits = Limits()) {
        self.gateway = gateway
        self.clock = clock
        self.limits = limits
        state = Mutex(State(room: limits.entries))
    }

    /// How many callers wait for a lookup that is under way.
    package var waitingCount: Int { state.withLock(\.waitingCount) }

    /// Notes how long a token is good that has just been issued.
    func expect(_ token: Secret, at upstream: Upstream, for lifetime: Duration) {
        guard upstream.resource != nil else { return }
        let now = clock.now
        state.withLock { $0.keep(Entry(person: nil, until: now + lifetime), for: Key(token, upstream), at: now) }
    }

    /// The id of the person behind the token.
    func person(
        behind token: Secret,
        _ lookup: PersonLookup,
        at upstream: Upstream
    ) async throws(PersonRefusal) -> String {
        let key = Key(token, upstream)
        if let known = state.withLock({ $0.person(key, at: clock.now) }) { return known }
        let ticket = state.withLock { $0.nextTicket() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in join(continuation, ticket, key, token, lookup, upstream) }
        } onCancel: {
            let gone = state.withLock { $0.leave(ticket, key) }
            gone?.resume(returning: Self.givenUp)
        }
        return try outcome.get()
    }

    private static let givenUp = Outcome.failure(.unavailable(cause: "the wait was given up"))

    private func join(
        _ continuation: Continuation,
        _ ticket: Int,
        _ key: Key,
        _ token: Secret,
        _ lookup: PersonLookup,
        _ upstream: Upstream
    ) {
        let now = clock.now
        let place = state.withLock { state -> Place in
            // The handler has run already if the task was cancelled before it came here.
            guard !Task.isCancelled else { return .answered(Self.givenUp) }
            // The lookup may have ended since the caller looked.
            if let known = state.person(key, at: now) { return .answered(.success(known)) }
            return state.join(continuation, ticket, key, limits)
        }
        switch place {
        case .answered(let outcome): continuation.resume(returning: outcome)
        case .waits: return
        case .asks: Task { await ask(key, token, lookup, upstream) }
        }
    }

    private func ask(_ key: Key, _ token: Secret, _ lookup: PersonLookup, _ upstream: Upstream) async {
        let outcome: Outcome
        do throws(UpstreamFailure) {
            let answer = try await gateway.person(behind: token, lookup, at: upstream)
            outcome = Self.read(answer, lookup)
        } catch {
            switch error {
            case .unavailable(let cause): outcome = .failure(.unavailable(cause: cause))
            case .unusable(let cause): outcome = .failure(.unusable(cause: cause))
            }
        }
        let now = clock.now
        let waiting = state.withLock { $0.end(key, outcome, keptFor: lookup.keepsFor, at: now) }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    private enum Place {
        case answered(Outcome)
        case waits
        /// The caller is the first, and its request is to be sent.
        case asks
    }

    /// The token, and who has to know it: the same text may be a token of two.
    private struct Key: Hashable {
        let token: Digest256
        let upstream: String

        init(_ token: Secret, _ upstream: Upstream) {
            self.token = Digest256(sha256: token.expose())
            self.upstream = upstream.name
        }
    }

    private struct Entry {
        /// `nil`: nobody asked yet.
        let person: String?
        let until: Uptime
    }

    private struct State {
        private let room: Int
        private var entries: [Key: Entry] = [:]
        /// In the order in which they came, for the oldest goes first; a key stands here once.
        private var order: [Key] = []
        private var oldest = 0
        private var lookups: [Key: [Int: Continuation]] = [:]
        private var tickets = 0

        init(room: Int) { self.room = max(1, room) }

        var waitingCount: Int { lookups.values.reduce(0) { $0 + $1.count } }

        mutating func nextTicket() -> Int {
            tickets += 1
            return tickets
        }

        func person(_ key: Key, at now: Uptime) -> String? {
            entries[key].flatMap { now < $0.until ? $0.person : nil }
        }

        mutating func keep(_ entry: Entry, for key: Key, at now: Uptime) {
            guard entries.updateValue(entry, forKey: key) == nil else { return }
            if entries.count > room {
                entries[order[oldest]] = nil
                order[oldest] = key
                oldest = (oldest + 1) % room
            } else {
                order.append(key)
            }
        }

        mutating func join(_ continuation: Continuation, _ ticket: Int, _ key: Key, _ limits: Limits) -> Place {
            if let waiting = lookups[key] {
                guard waiting.count < limits.waiting else { return .answered(.failure(.crowded)) }
                lookups[key]?[ticket] = continuation
                return .waits
            }
            guard lookups.count < limits.lookups else { return .answered(.failure(.crowded)) }
            lookups[key] = [ticket: continuation]
            return .asks
        }

        mutating func leave(_ ticket: Int, _ key: Key) -> Continuation? { lookups[key]?.removeValue(forKey: ticket) }

        /// Those that wait for the outcome.
        mutating func end(
            _ key: Key,
            _ outcome: Outcome,
            keptFor longest: Duration,
            at now: Uptime
        ) -> [Continuation] {
            if case .success(let person) = outcome {
                let expiry = entries[key].map(\.until) ?? now + PersonDirectory.unknownLifetime
                let until = min(expiry <= now ? now + PersonDirectory.unknownLifetime : expiry, now + longest)
                keep(Entry(person: person, until: until), for: key, at: now)
            }
            return lookups.removeValue(forKey: key).map { Array($0.values) } ?? []
        }
    }
}
