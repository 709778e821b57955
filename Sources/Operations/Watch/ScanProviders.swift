import Crypto
package import Kernel

/// The providers that scan faces, with the state in memory about them and their scans.
package struct ScanProviders: Sendable {
    let byName: [ProviderName: any FaceProvider]
    /// The provider that logins begin with.
    let login: ProviderName
    /// The providers that scan instead while the login provider can't be called, in order of preference.
    let failover: [ProviderName]
    /// The secrets in return URLs, known only to the provider and to the browser that it sends back.
    package let returns: ReturnSecrets
    let health: ProviderHealth
    let unreadable: UnreadableAnswers
    let scansBeingStarted = SingleEntry<Digest256>()
    let orphanedScans = OrphanedScans()

    /// Creates the providers, with empty state.
    ///
    /// `returns`: The secrets in return URLs; `nil` for secrets that are valid in this process only.
    package init(
        _ providers: [any FaceProvider],
        login: ProviderName,
        failover: [ProviderName] = [],
        returns: ReturnSecrets? = nil,
        clock: any MonotonicClock
    ) {
        byName = Dictionary(providers.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.login = login
        self.failover = failover
        self.returns = returns ?? ReturnSecrets(key: SymmetricKey(size: .bits256))
        health = ProviderHealth(providers: providers.map(\.name), clock: clock)
        unreadable = UnreadableAnswers(clock: clock)
    }

    subscript(name: ProviderName) -> (any FaceProvider)? { byName[name] }

    var paused: PausedProviders { health.paused }
}

extension OperationService {
    /// Whether each provider is healthy, for readiness and hints.
    package var providerHealth: [ProviderName: Bool] { providers.health.snapshot }

    /// Notes a call that got no usable answer.
    func noteUnreachable(_ provider: ProviderName) {
        let isCutOff = providers[provider]?.circuit == .open
        if providers.health.note(provider, reachable: false, isCutOff: isCutOff) { cache.recallStreams() }
    }

    /// Notes a call that was answered.
    func noteReachable(_ provider: ProviderName) {
        if providers.health.note(provider, reachable: true) { cache.recallStreams() }
    }

    /// Notes a call that was held back: a provider whose circuit is open counts as unreachable.
    func noteHeldBack(_ provider: ProviderName) {
        guard providers[provider]?.circuit == .open, !providers.health.isDegraded(provider) else { return }
        noteUnreachable(provider)
    }
}
