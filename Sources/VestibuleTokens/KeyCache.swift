internal import Kernel
internal import TokenReading

/// The issuer's keys, fetched when they are needed, by one request at a time.
///
/// Callers wait for the fetch, unless the issuer is failing and the requested key is held. So a hanging issuer delays
/// only the first callers.
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

    /// Returns the key of that id; `nil` if the issuer does not publish it.
    ///
    /// - Throws: `keysUnavailable` if no keys are available.
    func key(_ kid: String) async throws(AccessTokenError) -> VerificationKey? {
        switch state.step(for: kid, at: uptime()) {
        case .fresh(let key): return key
        case .meanwhile(let key, let isTime):
            if isTime, fetch == nil { begin() }
            return key
        case .answer, .unavailable:
            // Another caller started this fetch, and its result may have the requested key.
            if let fetch { await fetch.value }
        case .fetch:
            if fetch == nil { begin() }
            if let fetch { await fetch.value }
        }
        guard let keys = state.keys(at: uptime()) else { throw AccessTokenError(.keysUnavailable) }
        return keys[kid]
    }

    /// Fetches the keys.
    ///
    /// The fetch belongs to no caller: a caller who cancels does not end it for the others.
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
