import Crypto
package import Kernel

/// The providers that scan faces, with what memory holds of them and of their scans.
package struct ScanProviders: Sendable {
    let byName: [ProviderName: any FaceProvider]
    /// The provider of logins.
    let login: ProviderName
    /// The providers of scans while the login's own provider can't be asked, in this order.
    let failover: [ProviderName]
    /// The secrets that only the provider and the browser that it sends back know.
    package let returns: ReturnSecrets
    let health: ProviderHealth
    let unreadable: UnreadableAnswers
    let scansBeingStarted = SingleEntry<Digest256>()
    let orphanedScans = OrphanedScans()

    /// Creates the providers, with an empty memory.
    ///
    /// `returns`: The secrets of return addresses; without them, new ones that are valid for this process alone.
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
}

extension OperationService {
    /// Whether each provider answered lately, for readiness and hints.
    package var providerHealth: [ProviderName: Bool] { providers.health.snapshot }

    /// Notes a call without a usable answer.
    func noteUnreachable(_ provider: ProviderName) {
        let isCutOff = providers[provider]?.circuit == .open
        if providers.health.note(provider, reachable: false, isCutOff: isCutOff) { cache.recallStreams() }
    }

    /// Notes a call that was answered.
    func noteReachable(_ provider: ProviderName) {
        if providers.health.note(provider, reachable: true) { cache.recallStreams() }
    }

    /// Notes a call that was not made: a provider whose circuit is open counts as unreachable.
    func noteHeldBack(_ provider: ProviderName) {
        guard providers[provider]?.circuit == .open, !providers.health.isDegraded(provider) else { return }
        noteUnreachable(provider)
    }
}
