internal import Kernel
internal import TokenReading

/// What the cache holds and what it does for a `kid`: a pure value.
struct KeyCacheState {
    let policy: KeyCachePolicy
    private var held: Held?
    private var lastTry: Uptime?

    private struct Held {
        let keys: PublishedKeys
        let fetchedAt: Uptime
        let freshUntil: Uptime
    }

    init(policy: KeyCachePolicy) { self.policy = policy }

    enum Step {
        /// That key, without asking.
        case fresh(VerificationKey)
        /// That key, or none: it is not time to ask again, or asking brought nothing else.
        case answer(VerificationKey?)
        /// There are no keys that may be used, and the issuer was asked just now.
        case unavailable
        /// The issuer has to be asked first.
        case fetch
    }

    func step(for kid: String, at now: Uptime) -> Step {
        guard let held, now - held.fetchedAt < policy.staleUse else { return mayTry(at: now) ? .fetch : .unavailable }
        let key = held.keys[kid]
        if let key, now < held.freshUntil { return .fresh(key) }
        return mayTry(at: now) ? .fetch : .answer(key)
    }

    /// The answer once a fetch that was begun has ended, well or not.
    func answer(for kid: String, at now: Uptime) -> Step {
        guard let held, now - held.fetchedAt < policy.staleUse else { return .unavailable }
        return .answer(held.keys[kid])
    }

    mutating func began(at now: Uptime) { lastTry = now }

    /// Takes a document over; one that is no key set, or holds no key that could be used, is taken for a fault of the
    /// issuer.
    mutating func fetched(_ document: KeySetDocument, at now: Uptime) {
        guard let keys = PublishedKeys(document.bytes), keys.count > 0 else { return }
        held = Held(keys: keys, fetchedAt: now, freshUntil: now + policy.use(document.maxAge))
    }

    private func mayTry(at now: Uptime) -> Bool {
        guard let lastTry else { return true }
        guard let held, held.fetchedAt >= lastTry, now >= held.freshUntil else { return now - lastTry >= policy.pause }
        // The last try went well and what it brought is stale: that is no reason to wait.
        return true
    }
}
