import Kernel
import Synchronization

/// The index by scan: it finds the operation that follows a provider's scan.
///
/// Webhooks use it.
///
/// Only pending operations have an entry, so the index is no larger than the cache.
extension OperationCache {
    /// Returns the cached operation that follows the scan now.
    ///
    /// `nil` for an abandoned scan, after another browser has started over.
    func card(reference: ProviderReference, at provider: ProviderName) -> CachedOperation? {
        card(scan: Self.key(of: reference, at: provider))
    }

    /// Returns the cached operation that follows the scan with that key in the index.
    func card(scan key: Digest256) -> CachedOperation? {
        guard let publicID = references.shard(key).withLock({ $0[key] }), let card = card(publicID) else { return nil }
        return card.operation.scanKey == key ? card : nil
    }

    /// The number of scans in the index.
    package var referenceCount: Int { references.count }

    static func key(of reference: ProviderReference, at provider: ProviderName) -> Digest256 {
        // No provider name contains a zero byte, so different pairs give different bytes.
        Digest256(sha256: Array(provider.text.utf8) + [0] + Array(reference.text.utf8))
    }
}

/// The index by scan.
///
/// It changes under the lock of the operation's shard, so that it follows the versions in their order.
final class ReferenceIndex: Sendable {
    final class Shard: Sendable {
        private let entries = Mutex<[Digest256: Digest256]>([:])

        func withLock<Value>(_ body: (inout sending [Digest256: Digest256]) -> sending Value) -> sending Value {
            entries.withLock(body)
        }
    }

    private let shards: [Shard]

    init(shardCount: Int) { shards = (0..<shardCount).map { _ in Shard() } }

    var count: Int { shards.reduce(0) { $0 + $1.withLock(\.count) } }

    func shard(_ key: Digest256) -> Shard {
        shards[Int(truncatingIfNeeded: key.prefixWord % UInt64(shards.count))]
    }

    /// Moves an operation's entry from one version to the next; `nil` means that the operation is not in the cache.
    func move(from old: Operation?, to new: Operation?) {
        let (before, after) = (old?.scanKey, new?.scanKey)
        guard before != after else { return }
        if let before, let publicID = old?.credentials.publicID {
            shard(before).withLock { if $0[before] == publicID { $0[before] = nil } }
        }
        if let after, let publicID = new?.credentials.publicID { shard(after).withLock { $0[after] = publicID } }
    }
}

extension Operation {
    /// The scan that the operation follows, or that approved it.
    var scan: ProviderReference? {
        switch state {
        case .pending(let scan): scan.reference
        case .approved(let approval): approval.scan
        case .created, .opened, .redeemed, .closed, .failed: nil
        }
    }

    /// The operation's key in the index by scan, while a scan is in progress.
    var scanKey: Digest256? {
        guard case .pending(let scan) = state else { return nil }
        return OperationCache.key(of: scan.reference, at: provider)
    }
}
