/// The state of the circuit breaker between the engine and a provider.
package enum ProviderCircuit: String, Sendable, CaseIterable {
    /// Calls go through.
    case closed
    /// The provider failed too often: no call reaches it for a while.
    case open
    /// The pause is over: one call tries the provider, and the others wait for its result.
    case halfOpen = "half_open"
}

extension FaceProvider {
    /// `nil`: a provider without a circuit breaker.
    package var circuit: ProviderCircuit? { nil }
}

extension OperationService {
    /// The circuit of each provider that has one.
    package var providerCircuits: [ProviderName: ProviderCircuit] { providers.byName.compactMapValues(\.circuit) }
}
