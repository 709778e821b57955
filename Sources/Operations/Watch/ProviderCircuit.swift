/// The state of the circuit breaker between the engine and a provider.
package enum ProviderCircuit: String, Sendable, CaseIterable {
    /// Calls reach the provider.
    case closed
    /// The provider failed too often, and no call reaches it until a pause has passed.
    case open
    /// The pause has passed: one call tries the provider, and other calls wait for its result.
    case halfOpen = "half_open"
}

extension FaceProvider {
    /// `nil`: a provider without a circuit breaker.
    package var circuit: ProviderCircuit? { nil }
}

extension OperationService {
    /// The circuit breaker's state for each provider that has one.
    package var providerCircuits: [ProviderName: ProviderCircuit] { providers.byName.compactMapValues(\.circuit) }
}
