import Kernel
import Logging
import Synchronization

/// Starts whose write reported an error: their caller was refused, and yet they may be durable.
final class UncertainCommits: Sendable {
    /// Bounds the memory that an outage takes; for starts beyond it the whole store is searched once.
    private static let capacity = 10_000
    private let rows = Mutex<[Digest256: OperationRowID]>([:])

    /// Remembers a start; `false` if there are too many.
    func note(_ publicID: Digest256, _ row: OperationRowID) -> Bool {
        rows.withLock { rows in
            guard rows.count < Self.capacity else { return false }
            rows[publicID] = row
            return true
        }
    }

    func row(_ publicID: Digest256) -> OperationRowID? { rows.withLock { $0[publicID] } }
    func forget(_ publicID: Digest256) { rows.withLock { _ = $0.removeValue(forKey: publicID) } }
}

extension OperationService {
    /// The pause before the store is asked again about a start, as after any other check that failed.
    private static let settleAgainAfter: Duration = .milliseconds(500)

    /// The id on the schedule of the check that searches the whole store; no operation has it, since no known input has
    /// this SHA-256.
    private static var sweep: Digest256 { .zero }

    /// Returns the error of a start's write, after planning a check, at the deadline, of whether it is durable after all.
    ///
    /// An operation that is not followed would never end. Its ids were not given out, so that nothing can happen to it
    /// before.
    func noteFailedStart(
        _ failure: StoreError,
        of publicID: Digest256,
        _ row: OperationRowID,
        deadline: Instant
    ) -> StoreError {
        if case .unavailable = failure { noteUncertainStart(publicID, row, deadline: deadline) }
        return failure
    }

    private func noteUncertainStart(_ publicID: Digest256, _ row: OperationRowID, deadline: Instant) {
        let due = clock.uptime(of: deadline)
        guard watch.uncertainCommits.note(publicID, row) else { return watch.schedule.planIfNone(Self.sweep, at: due) }
        watch.schedule.plan(publicID, at: due)
    }

    /// Puts an uncertain start in the cache if it is in the store, to be ended like any other; forgets it if it is not.
    func settle(_ publicID: Digest256) async {
        if publicID == Self.sweep { return await adoptStrays() }
        guard let row = watch.uncertainCommits.row(publicID) else { return }
        do {
            let stored = try await ports.store.find(row: row)
            watch.uncertainCommits.forget(publicID)
            guard let stored else { return }
            cache.put(stored)
            follow(stored)
        } catch {
            reports.logger.warning(
                "an operation whose start reported an error could not be looked up: it is looked up again later",
                metadata: ["operation": "\(row)", "cause": "\(error)"]
            )
            watch.schedule.plan(publicID, at: environment.clock.now + Self.settleAgainAfter)
        }
    }

    /// Puts every live operation of the store in the cache that is not there: uncertain starts beyond the capacity.
    private func adoptStrays() async {
        do { _ = try await adopt { cache.card($0.credentials.publicID) == nil } } catch {
            reports.logger.warning(
                "the database could not be searched for open operations: it is searched again later",
                metadata: ["cause": "\(error)"]
            )
            watch.schedule.planIfNone(Self.sweep, at: environment.clock.now + Self.settleAgainAfter)
        }
    }
}
