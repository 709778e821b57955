import Kernel
package import Operations
import Synchronization

/// A provider that does what the test says, and remembers what it was asked.
package final class ScriptedFaceProvider: FaceProvider {
    /// A call to a scripted provider.
    package enum Call: Sendable, Equatable {
        case begin(ScanRequest)
        case check(ProviderReference)
        case cancel(ProviderReference)
    }

    package let name: ProviderName
    package let checkConcurrency: Int
    package let returnsToUs: Bool
    package let cancelsScans: Bool
    package let enrolsFaces: Bool
    private let onCall: @Sendable (Call) async -> Void
    private let state = Mutex(State())

    /// `onCall`: runs while a call is in progress, before its answer is chosen; it may suspend.
    package init(
        name: ProviderName = ProviderName("scripted"),
        checkConcurrency: Int = 64,
        returnsToUs: Bool = false,
        cancelsScans: Bool = true,
        enrolsFaces: Bool = true,
        onCall: @escaping @Sendable (Call) async -> Void = { _ in }
    ) {
        self.name = name
        self.checkConcurrency = checkConcurrency
        self.returnsToUs = returnsToUs
        self.cancelsScans = cancelsScans
        self.enrolsFaces = enrolsFaces
        self.onCall = onCall
    }

    /// Every call so far, in order.
    package var calls: [Call] { state.withLock(\.calls) }

    /// How each check was made, in order.
    package var turns: [CheckTurn] { state.withLock(\.turns) }

    /// How many scans it was asked to begin.
    package var beginCount: Int {
        calls.count {
            switch $0 {
            case .begin: true
            case .check, .cancel: false
            }
        }
    }

    /// How many checks it was asked for.
    package var checkCount: Int { calls.count - beginCount - canceled.count }

    /// The scans that it was asked to end, in order.
    package var canceled: [ProviderReference] {
        calls.compactMap {
            switch $0 {
            case .cancel(let reference): reference
            case .begin, .check: nil
            }
        }
    }

    /// The reference of the newest scan that it has begun.
    package var newest: ProviderReference? { state.withLock(\.begun.last) }

    /// Sets the answer to checks of that scan; it is `pending(userInProvider)` until then.
    package func answer(_ reference: ProviderReference, _ status: ScanStatus) {
        state.withLock { $0.answers[reference] = status }
    }

    /// From now on every call fails like that; `nil` makes it whole again.
    package func fail(with failure: ProviderError?) { state.withLock { $0.failure = failure } }

    /// From now on every scan that begins has that name; `nil` gives each its own again.
    package func name(scans reference: ProviderReference?) { state.withLock { $0.fixedName = reference } }

    /// The state of its circuit; none until a test sets it.
    package var circuit: ProviderCircuit? { state.withLock(\.circuit) }
    package func switchCircuit(to circuit: ProviderCircuit?) { state.withLock { $0.circuit = circuit } }

    package func begin(_ request: ScanRequest) async throws(ProviderError) -> StartedScan {
        state.withLock { $0.calls.append(.begin(request)) }
        await onCall(.begin(request))
        let (failure, reference) = state.withLock { state -> (ProviderError?, ProviderReference) in
            let reference = state.fixedName ?? ProviderReference("scan-\(state.begun.count + 1)")
            guard state.failure == nil else { return (state.failure, reference) }
            state.begun.append(reference)
            return (nil, reference)
        }
        if let failure { throw failure }
        return StartedScan(reference: reference, page: Secret("https://provider.example.com/\(reference.text)"))
    }

    package func check(_ reference: ProviderReference) async throws(ProviderError) -> ScanStatus {
        state.withLock { $0.calls.append(.check(reference)) }
        await onCall(.check(reference))
        let (failure, answer) = state.withLock { ($0.failure, $0.answers[reference]) }
        if let failure { throw failure }
        return answer ?? .pending(.userInProvider)
    }

    package func check(_ reference: ProviderReference, as turn: CheckTurn) async throws(ProviderError) -> ScanStatus {
        state.withLock { $0.turns.append(turn) }
        return try await check(reference)
    }

    package func cancel(_ reference: ProviderReference) async throws(ProviderError) {
        state.withLock { $0.calls.append(.cancel(reference)) }
        await onCall(.cancel(reference))
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private struct State {
        var turns: [CheckTurn] = []
        var calls: [Call] = []
        var begun: [ProviderReference] = []
        var answers: [ProviderReference: ScanStatus] = [:]
        var failure: ProviderError?
        var fixedName: ProviderReference?
        var circuit: ProviderCircuit?
    }
}
