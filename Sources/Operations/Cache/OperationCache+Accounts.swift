package import Kernel
import Synchronization

/// The live operations of an account.
///
/// Account owners ask for them, so an index finds them without a scan of the cache.
extension OperationCache {
    /// Returns the account's operations that have not ended, in no particular order.
    package func live(of account: AccountID) -> [Operation] {
        accounts.operations(of: account).flatMap { cards(word: $0) }.map(\.operation)
            .filter { $0.request.account == account && !$0.state.isTerminal }
    }

    /// The number of operations in the index by account.
    package var accountIndexCount: Int { accounts.count }
}

/// The index by account.
///
/// It changes under the lock of the operation's shard, so that it follows the versions in their order.
///
/// Each live operation has an entry, so entries are small. The key is half of the account's id, and readers compare the
/// whole id.
final class AccountIndex: Sendable {
    private final class Shard: Sendable {
        let entries = Mutex(WordIndex())
    }

    private let shards: [Shard]

    init(shardCount: Int) { shards = (0..<shardCount).map { _ in Shard() } }

    var count: Int { shards.reduce(0) { $0 + $1.entries.withLock(\.count) } }

    /// Returns the first words of the public ids of the account's operations, and perhaps of other accounts'.
    func operations(of account: AccountID) -> [UInt64] {
        let key = account.indexKey
        return shard(key).entries.withLock { $0.values(of: key) }
    }

    /// Moves an operation's entry from one version to the next; `nil` means that the operation is not in the cache.
    func move(from old: Operation?, to new: Operation?) {
        let (before, after) = (old?.liveAccount, new?.liveAccount)
        guard before != after else { return }
        if let key = before?.indexKey, let id = old?.credentials.publicID {
            shard(key).entries.withLock { $0.remove(id.prefixWord, from: key) }
        }
        if let key = after?.indexKey, let id = new?.credentials.publicID {
            shard(key).entries.withLock { $0.add(id.prefixWord, to: key) }
        }
    }

    private func shard(_ key: UInt64) -> Shard { shards[Int(truncatingIfNeeded: key % UInt64(shards.count))] }
}

extension AccountID {
    /// The random half of an id that this codebase makes (RFC 9562 §5.7).
    fileprivate var indexKey: UInt64 { bits.low }
}

extension Operation {
    /// The account of an operation until it ends; `nil` for a decoy.
    fileprivate var liveAccount: AccountID? { state.isTerminal ? nil : request.account }
}
