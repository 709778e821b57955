import Kernel
import Synchronization

/// What the daemon that follows an operation tells of its provider, for the clients that wait here.
extension OperationCache {
    /// Notes that the daemon that follows the operation gets no answer from its provider.
    func noteToldDegraded(_ publicID: Digest256, at now: Uptime) {
        shard(publicID).entries.withLock { $0[publicID]?.reading.toldDegraded = now }
        note(.failed, about: publicID)
    }

    /// Forgets that the daemon that follows the operation gets no answer from its provider, if that was told longer ago.
    func forgetToldDegraded(_ publicID: Digest256, olderThan age: Duration, at now: Uptime) {
        let isOver = shard(publicID).entries.withLock { entries in
            guard let entry = entries[publicID], let told = entry.reading.toldDegraded, now - told > age
            else { return false }
            entry.reading.toldDegraded = nil
            return true
        }
        if isOver { note(.answered, about: publicID) }
    }
}
