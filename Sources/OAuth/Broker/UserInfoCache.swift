import CodeFlow
package import Kernel
import Synchronization

/// Caches the person's id of access tokens, by the SHA-256 of the token.
///
/// An id is cached while its token is valid, and no longer than the operator allows. If the token's lifetime is
/// unknown, the id is cached for a minute. Callers with the same token share one lookup, which continues even if all
/// callers leave. Refusals are not cached.
package final class UserInfoCache: Sendable {
    /// The time for which an id is cached if its token was not issued through this server.
    static let unknownLifetime: Duration = .seconds(60)

    /// The limits of the cache and its lookups.
    package struct Limits: Sendable, Equatable {
        /// The most cached tokens.
        package var entries = 100_000
        /// The most lookups at one time, at all upstreams together.
        package var lookups = 64
        /// The most callers that wait for one lookup.
        package var waiting = 4096

        package init() {}
    }

    private let gateway: any UpstreamGateway
    private let clock: any MonotonicClock
    private let lookups: SingleFlight<Key, String, PersonError>
    private let entries: Mutex<BoundedMap<Key, Entry>>

    package init(_ gateway: any UpstreamGateway, clock: any MonotonicClock, limits: Limits = Limits()) {
        self.gateway = gateway
        self.clock = clock
        lookups = SingleFlight(limits: .init(keys: limits.lookups, waiting: limits.waiting))
        entries = Mutex(BoundedMap(capacity: limits.entries))
    }

    /// The number of callers that wait for a lookup in progress.
    package var waitingCount: Int { lookups.waitingCount }

    /// Records the lifetime of a newly issued token.
    func expect(_ token: Secret, at upstream: Upstream, for lifetime: Duration) {
        guard upstream.resource != nil else { return }
        let until = clock.now + lifetime
        entries.withLock { _ = $0.set(Entry(person: nil, until: until), for: Key(token, upstream)) }
    }

    /// Returns the id of the token's person, from the cache or by a lookup.
    func person(
        behind token: Secret,
        by lookup: PersonLookup,
        at upstream: Upstream
    ) async throws(PersonError) -> String {
        let key = Key(token, upstream)
        let outcome = await lookups.run(key, known: { known(key) }) { [self] () async throws(PersonError) -> String in
            let person = try await ask(about: token, by: lookup, at: upstream)
            keep(person, for: key, longest: lookup.keepsFor)
            return person
        }
        switch outcome {
        case .returned(let person): return person
        case .failed(let refusal): throw refusal
        case .refused: throw .crowded
        case .left: throw .unavailable(cause: "the wait was given up")
        }
    }

    private func known(_ key: Key) -> String? {
        let entry = entries.withLock { $0[key] }
        return entry.flatMap { clock.now < $0.until ? $0.person : nil }
    }

    private func ask(
        about token: Secret,
        by lookup: PersonLookup,
        at upstream: Upstream
    ) async throws(PersonError) -> String {
        let answer: UpstreamAnswer
        do throws(ExchangeError) {
            answer = try await gateway.person(behind: token, by: lookup, at: upstream)
        } catch {
            switch error {
            case .unavailable(let cause): throw .unavailable(cause: cause)
            case .unusable(let cause): throw .unusable(cause: cause)
            }
        }
        return try Self.read(answer, lookup).get()
    }

    private func keep(_ person: String, for key: Key, longest: Duration) {
        let now = clock.now
        entries.withLock { entries in
            let unknown = now + Self.unknownLifetime
            let expiry = entries[key].map(\.until) ?? unknown
            entries.set(Entry(person: person, until: min(expiry <= now ? unknown : expiry, now + longest)), for: key)
        }
    }

    /// A token and its upstream, because two upstreams may issue the same token.
    private struct Key: Hashable {
        let token: Digest256
        let upstream: String

        init(_ token: Secret, _ upstream: Upstream) {
            self.token = Digest256(sha256: token.expose())
            self.upstream = upstream.name
        }
    }

    private struct Entry {
        /// The person's id; `nil` before the first lookup.
        let person: String?
        let until: Uptime
    }
}
