import FaceProviders
import Kernel
import Operations
import Synchronization

/// Answers at once, or holds its callers until the test lets them go.
final class HandedProvider: FaceProvider {
    static let scan = StartedScan(reference: ProviderReference("scan-1"), page: Secret("page"))

    let name = ProviderName("handed")
    let checkConcurrency: Int
    let returnsToUs: Bool
    let cancelsScans = true
    private let state = Mutex(State())

    private struct State {
        var answer: Result<ScanStatus, ProviderError> = .success(.approved)
        var whenCancelled = ProviderError.unavailable(cause: "cancelled")
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
        var calls = 0
        var inside = 0
        var most = 0
    }

    init(checkConcurrency: Int, returnsToUs: Bool) {
        self.checkConcurrency = checkConcurrency
        self.returnsToUs = returnsToUs
    }

    var calls: Int { state.withLock(\.calls) }
    var mostAtOnce: Int { state.withLock(\.most) }
    var heldCount: Int { state.withLock(\.held.count) }

    func answer(with result: Result<ScanStatus, ProviderError>) { state.withLock { $0.answer = result } }
    func fall(silent failure: ProviderError) { state.withLock { $0.whenCancelled = failure } }
    func hold() { state.withLock { $0.isHolding = true } }

    func letGo() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held
        }
        for one in held { one.resume() }
    }

    func begin(_ request: ScanRequest) async throws(ProviderError) -> StartedScan {
        _ = try await answer()
        return Self.scan
    }

    func check(_ reference: ProviderReference) async throws(ProviderError) -> ScanStatus { try await answer() }

    func cancel(_ reference: ProviderReference) async throws(ProviderError) { _ = try await answer() }

    private func answer() async throws(ProviderError) -> ScanStatus {
        state.withLock { state in
            state.calls += 1
            state.inside += 1
            state.most = max(state.most, state.inside)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    guard state.isHolding, !Task.isCancelled else { return true }
                    state.held.append(continuation)
                    return false
                }
                if isFree { continuation.resume() }
            }
        } onCancel: {
            letGo()
        }
        let answer = state.withLock { state in
            state.inside -= 1
            return state.answer
        }
        if Task.isCancelled { throw state.withLock(\.whenCancelled) }
        return try answer.get()
    }
}
