internal import Kernel
internal import TokenReading

/// The keys in the cache and the decision for a `kid`, as a value without clock or network.
struct KeyCacheState {
    let policy: KeyCachePolicy
    private var held: Held?
    private var lastTry: Uptime?
    /// Whether the last completed fetch failed.
    private var isFailing = false

    private struct Held {
        let keys: PublishedKeys
        let fetchedAt: Uptime
        let freshUntil: Uptime
    }

    init(policy: KeyCachePolicy) { self.policy = policy }

    enum Step {
        /// The key is in the cache and fresh.
        case fresh(VerificationKey)
        /// The key is no longer fresh. It is used without waiting, because the last fetch failed.
        ///
        /// `isTime` tells whether to fetch again.
        case meanwhile(VerificationKey, isTime: Bool)
        /// The keys in the cache decide, because it is too early for another fetch.
        case answer
        /// There are no usable keys, and it is too early for another fetch.
        case unavailable
        /// The keys must be fetched first.
        case fetch
    }

    func step(for kid: String, at now: Uptime) -> Step {
        guard let held, let keys = self.keys(at: now) else { return mayTry(at: now) ? .fetch : .unavailable }
        if let key = keys[kid] {
            if now < held.freshUntil { return .fresh(key) }
            if isFailing { return .meanwhile(key, isTime: mayTry(at: now)) }
        }
        return mayTry(at: now) ? .fetch : .answer
    }

    /// Returns the keys that may be used; `nil` if there are none.
    func keys(at now: Uptime) -> PublishedKeys? {
        guard let held, now - held.fetchedAt < policy.staleUse else { return nil }
        return held.keys
    }

    mutating func began(at now: Uptime) { lastTry = now }

    /// Stores the result of a fetch.
    ///
    /// A document without a usable key counts as a failed fetch.
    mutating func ended(_ document: KeySetDocument?, at now: Uptime) {
        guard let document, let keys = PublishedKeys(document.bytes), keys.count > 0 else {
            isFailing = true
            return
        }
        isFailing = false
        held = Held(keys: keys, fetchedAt: now, freshUntil: now + policy.use(document.maxAge))
    }

    private func mayTry(at now: Uptime) -> Bool {
        guard let lastTry else { return true }
        // Without keys every token is refused, so the next fetch comes soon.
        guard keys(at: now) != nil else { return now - lastTry >= policy.emptyPause }
        guard let held, held.fetchedAt >= lastTry, now >= held.freshUntil else { return now - lastTry >= policy.pause }
        // The last fetch succeeded and its keys are no longer fresh, so that no pause is needed.
        return true
    }
}
