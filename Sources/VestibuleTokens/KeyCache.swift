internal import Kernel
internal import TokenReading

/// The issuer's keys: fetched when they are needed, by one request at a time.
///
/// Callers wait for it, but not while the issuer fails and the key that they name is held: an issuer that hangs holds up
/// nobody then but those who came first.
actor KeyCache {
    private let source: any KeySetSource
    private let uptime: @Sendable () -> Uptime
    private var state: KeyCacheState
    private var underWay: Task<Void, Never>?

    init(source: any KeySetSource, policy: KeyCachePolicy, uptime: @escaping @Sendable () -> Uptime) {
        self.source = source
        self.uptime = uptime
        state = KeyCacheState(policy: policy)
    }

    /// The key of that name; `nil` if the issuer publishes none.
    ///
    /// - Throws: `keysUnavailable` when no keys can be had.
    func key(_ kid: String) async throws(AccessTokenError) -> VerificationKey? {
        switch state.step(for: kid, at: uptime()) {
        case .fresh(let key): return key
        case .meanwhile(let key, let isTime):
            if isTime, underWay == nil { begin() }
            return key
        case .answer, .unavailable:
            // Begun by another: what it brings may be just what is asked for.
            if let underWay { await underWay.value }
        case .fetch:
            if underWay == nil { begin() }
            if let underWay { await underWay.value }
        }
        guard let keys = state.keys(at: uptime()) else { throw AccessTokenError(.keysUnavailable) }
        return keys[kid]
    }

    /// Asks the issuer.
    ///
    /// The fetch is nobody's own: a caller who gives up does not end it for the others.
    private func begin() {
        state.began(at: uptime())
        underWay = Task { [source] in
            let document = try? await source.fetch()
            self.end(document)
        }
    }

    private func end(_ document: KeySetDocument?) {
        underWay = nil
        state.ended(document, at: uptime())
    }
}
