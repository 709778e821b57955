import Kernel
import Logging
import Synchronization

/// Starts whose write reported an error, so that their callers were refused although they may be durable.
final class UncertainCommits: Sendable {
    /// Bounds the memory during an outage: for more starts, the whole table is searched once.
    private static let capacity = 10_000
    private let rows = Mutex<[Digest256: OperationRowID]>([:])

    /// Remembers a start; returns `false` if there are too many.
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
    /// The pause before a start is looked up again, equal to that after any other failed check.
    private static let settleAgainAfter: Duration = .milliseconds(500)

    /// The id, on the schedule, of the check that searches the whole table.
    ///
    /// No operation has it, because no known input has this SHA-256.
    private static var sweep: Digest256 { .zero }

    /// Returns the error of a start's write, and plans a check at the deadline whether the start is durable.
    ///
    /// Otherwise nothing would end a durable operation. Nothing else can happen to it before, because its ids were not
    /// given out.
    func noteFailedStart(
        _ failure: StoreError,
        of publicID: Digest256,
        _ row: OperationRowID,
        deadline: Instant
    ) -> StoreError {
        if case .unavailable = failure { noteUncertainStart(publicID, row, deadline: deadline) }
        return failure
    }

    /// The same for the operation that was to be written.
    func noteFailedStart(_ failure: StoreError, of operation: Operation) -> StoreError {
        noteFailedStart(
            failure,
            of: operation.credentials.publicID,
            operation.id,
            deadline: operation.validity.deadline
        )
    }

    private func noteUncertainStart(_ publicID: Digest256, _ row: OperationRowID, deadline: Instant) {
        let due = clock.uptime(of: deadline)
        guard watch.uncertainCommits.note(publicID, row) else { return watch.schedule.planIfNone(Self.sweep, at: due) }
        watch.schedule.plan(publicID, at: due)
    }

    /// Looks up an uncertain start, and puts a durable one in the cache, to be ended like any other.
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

    /// Puts every live stored operation that is missing in the cache: uncertain starts beyond the capacity.
    private func adoptStrays() async {
        do {
            _ = try await readBack { cache.card($0.credentials.publicID) == nil }
        } catch {
            reports.logger.warning(
                "the database could not be searched for open operations: it is searched again later",
                metadata: ["cause": "\(error)"]
            )
            watch.schedule.planIfNone(Self.sweep, at: environment.clock.now + Self.settleAgainAfter)
        }
    }
}
