import Kernel
import Synchronization

/// The providers that an operator has paused: no scan is begun there, and scans in progress are followed.
///
/// A pause is in memory, and has an end: a restart ends it too, so that none is forgotten for ever.
final class PausedProviders: Sendable {
    private let clock: any MonotonicClock
    private let ends = Mutex<[ProviderName: Uptime]>([:])

    init(clock: any MonotonicClock) { self.clock = clock }

    /// Pauses a provider for a time; zero ends its pause.
    func set(_ provider: ProviderName, for time: Duration) {
        let end = clock.now + time
        ends.withLock { $0[provider] = time > .zero ? end : nil }
    }

    /// Returns how long each provider is still paused.
    var left: [ProviderName: Duration] {
        let now = clock.now
        return ends.withLock { $0.filter { $0.value > now }.mapValues { $0 - now } }
    }

    func isPaused(_ provider: ProviderName) -> Bool {
        ends.withLock { ends in ends[provider].map { clock.now < $0 } ?? false }
    }
}

/// The providers that scan while no scan begins at another.
package struct ProviderTakeover: Sendable, Equatable {
    /// Whether the other provider is one of `faceLogin.failover` itself.
    package let isStandby: Bool
    /// The providers that are not paused, the first choice first.
    package let providers: [ProviderName]
}

extension OperationService {
    /// The longest pause of a provider.
    package static let longestPause: Duration = .seconds(86_400)

    /// How long each provider that an operator has paused stays so.
    package var pausedProviders: [ProviderName: Duration] { providers.paused.left }

    /// Returns which providers scan while no scan begins at one; `nil` for an unknown provider.
    package func takeover(from provider: ProviderName) -> ProviderTakeover? {
        guard providers[provider] != nil else { return nil }
        let place = providers.failover.firstIndex(of: provider)
        let further = providers.failover[(place.map { $0 + 1 } ?? 0)...]
        return ProviderTakeover(
            isStandby: place != nil,
            providers: further.filter { providers[$0] != nil && !providers.paused.isPaused($0) }
        )
    }

    /// Begins no scan at a provider for a time, on every daemon; zero ends the pause.
    ///
    /// Logins go to the providers of `faceLogin.failover`, as while its circuit is open.
    ///
    /// - Returns: `false` for an unknown provider.
    package func pause(_ provider: ProviderName, for time: Duration) -> Bool {
        guard providers[provider] != nil else { return false }
        let time = min(max(time, .zero), Self.longestPause)
        providers.paused.set(provider, for: time)
        ports.feed.announce(.paused(provider: provider.text, milliseconds: time.wholeMilliseconds))
        return true
    }

    /// Takes a pause that another daemon announced.
    func takePause(of provider: String, for time: Duration) {
        providers.paused.set(ProviderName(provider), for: min(time, Self.longestPause))
    }

    /// Tells the other daemons again which providers are paused, because one of them may have missed it.
    func repeatPauses() {
        for (provider, left) in providers.paused.left {
            ports.feed.announce(.paused(provider: provider.text, milliseconds: left.wholeMilliseconds))
        }
    }
}
