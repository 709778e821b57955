import Kernel
import Logging
import Synchronization

/// Logins that a poll has bound to its cookie since the store was last told.
///
/// A poll writes nothing. The watcher's beat does, all of them at once: a restart that comes before an operation's next
/// transition would else forget who it belongs to.
final class Bindings: Sendable {
    /// Until a store that could not be written is tried again.
    static let pause: Duration = .milliseconds(500)

    private struct State {
        var waiting: Set<OperationRowID> = []
        var isUnderWay = false
        var notBefore: Uptime?
    }

    private let state = Mutex(State())

    func add(_ operation: OperationRowID) { state.withLock { _ = $0.waiting.insert(operation) } }

    /// A transition has written it.
    func remove(_ operation: OperationRowID) { state.withLock { _ = $0.waiting.remove(operation) } }

    var hasSome: Bool { state.withLock { !$0.waiting.isEmpty && !$0.isUnderWay } }

    /// What is to be written now.
    ///
    /// Empty while that is done already, and for a while after a store that could not be written, but for the `isLast` time:
    /// nobody tries again after that. To be answered with ``done()`` or ``failed(_:at:)``.
    func take(at now: Uptime, isLast: Bool) -> Set<OperationRowID> {
        state.withLock { state in
            let isTime = isLast || state.notBefore.map { $0 <= now } ?? true
            guard !state.waiting.isEmpty, !state.isUnderWay, isTime else { return [] }
            state.isUnderWay = true
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    func done() {
        state.withLock {
            $0.isUnderWay = false
            $0.notBefore = nil
        }
    }

    func failed(_ operations: Set<OperationRowID>, at now: Uptime) {
        state.withLock {
            $0.isUnderWay = false
            $0.waiting.formUnion(operations)
            $0.notBefore = now + Self.pause
        }
    }
}

extension OperationService {
    /// Ties the operation to its binding cookie, at once for whoever asks here and within a beat for good.
    func bind(_ operation: Operation) {
        if cache.bind(operation.publicID) { bindings.add(operation.id) }
    }

    /// Writes down what polls have bound.
    func keepBindings(isLast: Bool) async {
        let operations = bindings.take(at: environment.clock.now, isLast: isLast)
        guard !operations.isEmpty else { return }
        do {
            try await unitOfWork.run { [store] in try store.bind(operations, in: $0) }
            bindings.done()
        } catch {
            bindings.failed(operations, at: environment.clock.now)
            logger.warning(
                "bindings could not be written and will be tried again",
                metadata: ["count": "\(operations.count)", "cause": "\(error)"]
            )
        }
    }
}
