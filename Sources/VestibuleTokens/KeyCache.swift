internal import Kernel
internal import TokenReading

/// The issuer's keys, which are fetched when they are needed, by one request at a time.
///
/// Callers wait for the fetch, unless the last fetch failed and the cache has the requested key. So an issuer that does
/// not answer delays only the first callers.
actor KeyCache {
    private let source: any KeySetSource
    private let uptime: @Sendable () -> Uptime
    private var state: KeyCacheState
    private var fetch: Task<Void, Never>?

    init(source: any KeySetSource, policy: KeyCachePolicy, uptime: @escaping @Sendable () -> Uptime) {
        self.source = source
        self.uptime = uptime
        state = KeyCacheState(policy: policy)
    }

    /// Returns the key with that id; `nil` if the issuer does not publish it.
    ///
    /// - Throws: `keysUnavailable` if no keys are available.
    func key(_ kid: String) async throws(AccessTokenError) -> VerificationKey? {
        switch state.step(for: kid, at: uptime()) {
        case .fresh(let key): return key
        case .meanwhile(let key, let isTime):
            if isTime, fetch == nil { begin() }
            return key
        case .answer, .unavailable:
            // Another caller started this fetch. Its result may contain the requested key.
            if let fetch { await fetch.value }
        case .fetch:
            if fetch == nil { begin() }
            if let fetch { await fetch.value }
        }
        guard let keys = state.keys(at: uptime()) else { throw AccessTokenError(.keysUnavailable) }
        return keys[kid]
    }

    /// Starts a fetch of the keys.
    ///
    /// It runs in its own task, so that a cancelled caller does not end it for the others.
    private func begin() {
        state.began(at: uptime())
        fetch = Task { [source] in
            let document = try? await source.fetch()
            self.end(document)
        }
    }

    private func end(_ document: KeySetDocument?) {
        fetch = nil
        state.ended(document, at: uptime())
    }
}
