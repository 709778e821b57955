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

extension OperationService {
    /// The longest pause of a provider.
    package static let longestPause: Duration = .seconds(86_400)

    /// How long each provider that an operator has paused stays so.
    package var pausedProviders: [ProviderName: Duration] { providers.paused.left }

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
