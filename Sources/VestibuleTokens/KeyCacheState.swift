internal import Kernel
internal import TokenReading

/// What the cache holds and what it does for a `kid`: a pure value.
struct KeyCacheState {
    let policy: KeyCachePolicy
    private var held: Held?
    private var lastTry: Uptime?
    /// Whether the last fetch that has ended brought nothing.
    private var isFailing = false

    private struct Held {
        let keys: PublishedKeys
        let fetchedAt: Uptime
        let freshUntil: Uptime
    }

    init(policy: KeyCachePolicy) { self.policy = policy }

    enum Step {
        /// That key, without asking.
        case fresh(VerificationKey)
        /// That key, which is no longer fresh, without a wait: the issuer failed the last time. `isTime`: to ask it again.
        case meanwhile(VerificationKey, isTime: Bool)
        /// What is held: it is not time to ask again.
        case answer
        /// There are no keys that may be used, and the issuer was asked just now.
        case unavailable
        /// The issuer has to be asked first.
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

    /// The keys that may be used; `nil` if there are none.
    func keys(at now: Uptime) -> PublishedKeys? {
        guard let held, now - held.fetchedAt < policy.staleUse else { return nil }
        return held.keys
    }

    mutating func began(at now: Uptime) { lastTry = now }

    /// Takes over what a fetch brought; one that is no key set, or holds no key that could be used, is taken for a fault of
    /// the issuer.
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
        // Without a key everybody is turned away: the issuer is asked soon again.
        guard keys(at: now) != nil else { return now - lastTry >= policy.emptyPause }
        guard let held, held.fetchedAt >= lastTry, now >= held.freshUntil else { return now - lastTry >= policy.pause }
        // The last try went well and what it brought is stale: that is no reason to wait.
        return true
    }
}
