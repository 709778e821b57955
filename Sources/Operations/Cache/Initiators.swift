import Kernel
import Synchronization

/// The sources of operations that were collected, for when their owner disowns one later.
///
/// It is in memory and bounded; the oldest entries go first. Only operations with an accepted face are noted, so that
/// starts alone drive no entry out.
final class Initiators: Sendable {
    private static let capacity = 10_000

    private let sources = Mutex(BoundedMap<OperationRowID, RequestSource>(capacity: Initiators.capacity))

    func note(_ source: RequestSource, of operation: OperationRowID) {
        sources.withLock { _ = $0.set(source, for: operation) }
    }

    func source(of operation: OperationRowID) -> RequestSource? { sources.withLock { $0[operation] } }
}

extension OperationCache {
    /// Where the operation was started from; `nil` where that is unknown, since it is kept in memory only.
    func source(of publicID: Digest256) -> RequestSource? { shard(publicID).entries.withLock { $0[publicID]?.source } }
}

extension OperationService {
    /// Keeps the initiator of a disowned login quiet.
    ///
    /// Its address gets decoys for that account from the same client, for a while, but never a linked device. The
    /// address is in memory, so that after a restart no initiator is kept quiet for an earlier start.
    package func quiet(initiatorOf operation: Operation) {
        guard let account = operation.request.account,
            let source = cache.source(of: operation.credentials.publicID)
                ?? admission.initiators.source(of: operation.id)
        else { return }
        limits.hush(source, client: operation.request.policy.clientID, account: account)
    }

    /// Notes the initiator of a collected operation: it may be disowned long after it has left the cache.
    func rememberInitiator(of operation: Operation) {
        switch operation.state {
        case .redeemed, .closed:
            if let source = cache.source(of: operation.credentials.publicID) {
                admission.initiators.note(source, of: operation.id)
            }
        case .created, .opened, .pending, .approved, .failed: break
        }
    }

    /// Whether that start is to be a decoy because its initiator is to be quiet; takes as long for every address.
    func isQuiet(_ command: BeginOperation, _ subject: LoginSubject?) -> Bool {
        guard let source = command.source else { return false }
        return limits.isQuiet(source, client: command.policy.clientID, account: subject?.account ?? Self.nobody)
    }
}
