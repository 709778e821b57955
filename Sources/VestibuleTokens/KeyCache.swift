internal import Kernel
internal import TokenReading

/// The issuer's keys: fetched when they are needed, by one request at a time that all callers wait for.
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
        let step = state.step(for: kid, at: uptime())
        if case .fresh(let key) = step { return key }
        if let underWay {
            // Begun by another: what it brings may be just what is asked for.
            await underWay.value
        } else if case .fetch = step {
            await fetch()
        }
        switch state.answer(for: kid, at: uptime()) {
        case .fresh(let key): return key
        case .answer(let key): return key
        case .unavailable, .fetch: throw AccessTokenError(.keysUnavailable)
        }
    }

    /// Asks the issuer.
    ///
    /// The fetch is nobody's own: a caller who gives up does not end it for the others.
    private func fetch() async {
        state.began(at: uptime())
        let task = Task { [source] in
            guard let document = try? await source.fetch() else { return }
            self.take(document)
        }
        underWay = task
        await task.value
        underWay = nil
    }

    private func take(_ document: KeySetDocument) { state.fetched(document, at: uptime()) }
}
