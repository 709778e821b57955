import Kernel
import Synchronization

/// The sources of requests that started collected operations, for an owner who disowns one later.
///
/// They are in memory and limited in number, and the oldest are dropped first. Only operations with an accepted face
/// are noted, so that starts alone displace no source.
final class Initiators: Sendable {
    private static let capacity = 10_000

    private let sources = Mutex(BoundedMap<OperationRowID, RequestSource>(capacity: Initiators.capacity))

    func note(_ source: RequestSource, of operation: OperationRowID) {
        sources.withLock { _ = $0.set(source, for: operation) }
    }

    func source(of operation: OperationRowID) -> RequestSource? { sources.withLock { $0[operation] } }
}

extension OperationCache {
    /// Returns the source of the request that started the operation; `nil` if it is no longer in memory.
    func source(of publicID: Digest256) -> RequestSource? { shard(publicID).entries.withLock { $0[publicID]?.source } }
}

extension OperationService {
    /// Gives decoys to the initiator of a disowned operation, for a while.
    ///
    /// That is for requests from the same address with the same client for that account, but never for a linked device.
    /// The addresses are in memory, so a restart forgets them.
    package func quiet(initiatorOf operation: Operation) {
        guard hush(initiatorOf: operation) else {
            // Another daemon may know it.
            return ports.feed.announce(.disowned(operation: operation.id.bits))
        }
    }

    /// Quiets the initiator of an operation on every daemon, if this one knows it.
    private func hush(initiatorOf operation: Operation) -> Bool {
        guard let account = operation.request.account else { return true }
        let source = cache.source(of: operation.credentials.publicID) ?? admission.initiators.source(of: operation.id)
        guard let source else { return false }
        let key = limits.hush(source, client: operation.request.policy.clientID, account: account)
        if let key, let period = limits.rates?.logins.quietPeriod {
            admission.quieted.note(key, until: environment.clock.now + period)
            ports.feed.announce(.quieted(key: key, milliseconds: period.wholeMilliseconds))
        }
        return true
    }

    /// Quiets the initiator of an operation that was disowned on another daemon, if this one knows it.
    func quietInitiator(ofDisowned row: OperationRowID) async {
        guard let operation = try? await ports.store.find(row: row), operation.state.isTerminal else { return }
        _ = hush(initiatorOf: operation)
    }

    /// Notes the initiator of a collected operation, because its owner may disown it long after it has left the cache.
    func rememberInitiator(of operation: Operation) {
        switch operation.state {
        case .redeemed, .closed:
            if let source = cache.source(of: operation.credentials.publicID) {
                admission.initiators.note(source, of: operation.id)
            }
        case .created, .opened, .pending, .approved, .failed: break
        }
    }

    /// Whether the start must become a decoy because its initiator was disowned; takes equally long for every address.
    func isQuiet(_ command: BeginOperation, _ subject: LoginSubject?) -> Bool {
        guard let source = command.source else { return false }
        return limits.isQuiet(source, client: command.policy.clientID, account: subject?.account ?? Self.nobody)
    }
}
