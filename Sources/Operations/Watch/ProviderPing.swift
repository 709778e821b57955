import Kernel

/// The answer of a provider to a question about a scan that does not exist.
package struct ProviderPing: Sendable, Equatable {
    package let outcome: ProviderExchange.Outcome
    /// The result, as the log words it.
    package let detail: String
    package let time: Duration
}

extension OperationService {
    /// Asks a provider about a scan that does not exist, for an operator who wants to know if it answers.
    ///
    /// Begins no scan and costs nothing at the provider. The answer counts for the circuit, like any other.
    ///
    /// - Returns: `nil` for an unknown provider.
    package func ping(_ name: ProviderName) async -> ProviderPing? {
        guard let provider = providers[name] else { return nil }
        let start = environment.clock.now
        var (outcome, detail) = (ProviderExchange.Outcome.answered, "the provider answered")
        do throws(ProviderError) {
            let status = try await provider.check(ProviderReference(environment.newUUID().description))
            if status == .nonsense { (outcome, detail) = (.unreadable, "the answer is not one of such a service") }
        } catch {
            switch error {
            case .unavailable(let cause), .unreached(let cause): (outcome, detail) = (.silent, cause)
            case .heldBack(let cause): (outcome, detail) = (.heldBack, cause)
            case .refused(let cause): (outcome, detail) = (.refused, cause)
            }
        }
        return ProviderPing(outcome: outcome, detail: detail, time: environment.clock.now - start)
    }
}
