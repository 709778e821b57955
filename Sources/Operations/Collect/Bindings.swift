import Kernel
import Logging
import Synchronization

/// Operations that polls have bound to their cookies, and whose binding is not in the database yet.
///
/// A poll writes nothing. The watcher's tick writes all bindings at once, so that a restart does not lose the binding
/// of an operation, and tells other daemons of them.
final class Bindings: Sendable {
    /// The time between a failed write and the next attempt.
    static let pause: Duration = .milliseconds(500)

    private struct State {
        /// The hashed public id of each.
        var waiting: [OperationRowID: Digest256] = [:]
        var isInProgress = false
        var notBefore: Uptime?
    }

    private let state = Mutex(State())

    func add(_ operation: Operation) {
        state.withLock { $0.waiting[operation.id] = operation.credentials.publicID }
    }

    /// Forgets a binding that a transition has written.
    func remove(_ operation: OperationRowID) { state.withLock { $0.waiting[operation] = nil } }

    var hasSome: Bool { state.withLock { !$0.waiting.isEmpty && !$0.isInProgress } }

    /// Takes the bindings that have to be written now.
    ///
    /// There are none while a write is in progress, and for ``pause`` after a failed write. The pause does not apply
    /// to the last call, because no other attempt follows. The caller then calls ``done()`` or ``failed(_:at:)``.
    func take(at now: Uptime, isLast: Bool) -> [OperationRowID: Digest256] {
        state.withLock { state in
            let isTime = isLast || state.notBefore.map { $0 <= now } ?? true
            guard !state.waiting.isEmpty, !state.isInProgress, isTime else { return [:] }
            state.isInProgress = true
            defer { state.waiting = [:] }
            return state.waiting
        }
    }

    func done() {
        state.withLock {
            $0.isInProgress = false
            $0.notBefore = nil
        }
    }

    func failed(_ operations: [OperationRowID: Digest256], at now: Uptime) {
        state.withLock {
            $0.isInProgress = false
            $0.waiting.merge(operations) { $1 }
            $0.notBefore = now + Self.pause
        }
    }
}

extension OperationService {
    /// Binds the operation to its cookie: at once in memory, and within a tick in the database and at other daemons.
    func bind(_ operation: Operation) {
        if cache.bind(operation.credentials.publicID) { watch.bindings.add(operation) }
    }

    /// Writes the bindings that polls made to the database, and then announces them: a daemon that has read one of the
    /// operations before it was bound would show its progress to whoever has the id alone.
    func keepBindings(isLast: Bool) async {
        let operations = watch.bindings.take(at: environment.clock.now, isLast: isLast)
        guard !operations.isEmpty else { return }
        do {
            try await ports.unitOfWork.run { [store = ports.store] in try store.bind(Set(operations.keys), in: $0) }
            watch.bindings.done()
            for publicID in operations.values { ports.feed.announce(.bound(publicID: publicID)) }
        } catch {
            watch.bindings.failed(operations, at: environment.clock.now)
            reports.logger.warning(
                "browser bindings of logins could not be written: they are written again later",
                metadata: ["count": "\(operations.count)", "cause": "\(error)"]
            )
        }
    }
}
