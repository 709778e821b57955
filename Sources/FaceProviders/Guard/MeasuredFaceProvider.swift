package import CoreMetrics
package import Kernel
package import Operations

/// A provider whose calls are measured: the duration of each, and whether it was answered.
///
/// It wraps an adapter, so that neither the adapters nor the engine measure anything.
package struct MeasuredFaceProvider: FaceProvider {
    private let provider: any FaceProvider
    private let clock: any MonotonicClock
    private let begins: Outcomes
    private let checks: Outcomes
    private let cancels: Outcomes

    package var name: ProviderName { provider.name }

    package var checkConcurrency: Int { provider.checkConcurrency }

    package var cancelsScans: Bool { provider.cancelsScans }

    package var enrolsFaces: Bool { provider.enrolsFaces }

    package var returnsToUs: Bool { provider.returnsToUs }

    package init(_ provider: any FaceProvider, clock: any MonotonicClock, factory: any MetricsFactory) {
        self.provider = provider
        self.clock = clock
        begins = Outcomes("begin", of: provider.name, factory)
        checks = Outcomes("check", of: provider.name, factory)
        cancels = Outcomes("cancel", of: provider.name, factory)
    }

    package var circuit: ProviderCircuit? { provider.circuit }

    package func begin(_ request: ScanRequest) async throws(ProviderError) -> StartedScan {
        let start = clock.now
        do throws(ProviderError) {
            let scan = try await provider.begin(request)
            begins.note(nil, clock.now - start)
            return scan
        } catch {
            begins.note(error, clock.now - start)
            throw error
        }
    }

    package func check(_ reference: ProviderReference) async throws(ProviderError) -> ScanStatus {
        try await check(reference, as: .usual)
    }

    package func check(_ reference: ProviderReference, as turn: CheckTurn) async throws(ProviderError) -> ScanStatus {
        let start = clock.now
        do throws(ProviderError) {
            let status = try await provider.check(reference, as: turn)
            checks.note(status, clock.now - start)
            return status
        } catch {
            checks.note(error, clock.now - start)
            throw error
        }
    }

    package func cancel(_ reference: ProviderReference) async throws(ProviderError) {
        let start = clock.now
        do throws(ProviderError) {
            try await provider.cancel(reference)
            cancels.note(nil, clock.now - start)
        } catch {
            cancels.note(error, clock.now - start)
            throw error
        }
    }

    /// The timers of one call, by its outcome.
    private struct Outcomes: Sendable {
        private let answered: CoreMetrics.Timer
        private let unavailable: CoreMetrics.Timer
        private let heldBack: CoreMetrics.Timer
        private let refused: CoreMetrics.Timer
        private let unreadable: CoreMetrics.Timer

        init(_ call: String, of provider: ProviderName, _ factory: any MetricsFactory) {
            let timer = { (outcome: String) in
                CoreMetrics.Timer(
                    label: "vestibule_provider_request_seconds",
                    dimensions: [("provider", provider.text), ("call", call), ("outcome", outcome)],
                    factory: factory
                )
            }
            answered = timer("answered")
            unavailable = timer("unavailable")
            heldBack = timer("held_back")
            refused = timer("refused")
            unreadable = timer("unreadable")
        }

        /// Records an answer: a status that says nothing about its scan counts as unreadable.
        func note(_ status: ScanStatus, _ took: Duration) {
            switch status {
            case .nonsense, .unrecognised: unreadable.recordNanoseconds(took.wholeNanoseconds)
            case .pending, .approved, .rejected, .expired, .canceled, .broken, .unknownReference: note(nil, took)
            }
        }

        func note(_ failure: ProviderError?, _ took: Duration) {
            let timer =
                switch failure {
                case nil: answered
                case .unavailable, .unreached: unavailable
                case .heldBack: heldBack
                case .refused: refused
                }
            timer.recordNanoseconds(took.wholeNanoseconds)
        }
    }
}
