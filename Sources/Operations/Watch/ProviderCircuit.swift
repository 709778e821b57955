/// What stands between the engine and a provider that fails: a switch, as in a fuse box.
package enum ProviderCircuit: String, Sendable, CaseIterable {
    /// Calls go through.
    case closed
    /// The provider failed too often: no call reaches it for a while.
    case open
    /// The while is over: one call may find out how it does, and the others wait for that.
    case halfOpen = "half_open"
}

extension FaceProvider {
    /// None, for a provider that nothing guards.
    package var circuit: ProviderCircuit? { nil }
}

extension OperationService {
    /// The circuit of each provider that has one.
    package var providerCircuits: [ProviderName: ProviderCircuit] { providers.compactMapValues(\.circuit) }
}
