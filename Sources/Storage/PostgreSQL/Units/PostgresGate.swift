import Glibc

/// Lets units run side by side, or one alone.
///
/// Many units that write one row refuse each other again and again. A unit that was refused several times gets the
/// connections of this process for itself. A unit that waits to run alone goes before those that come later.
///
/// Unchecked: the lock is made once, and pthread_rwlock(3) may be used by any thread.
final class PostgresGate: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init() {
        var attributes = pthread_rwlockattr_t()
        pthread_rwlockattr_init(&attributes)
        // The default lets those who share keep out who waits to be alone.
        pthread_rwlockattr_setkind_np(&attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
        pthread_rwlock_init(lock, &attributes)
        pthread_rwlockattr_destroy(&attributes)
    }

    deinit {
        pthread_rwlock_destroy(lock)
        lock.deallocate()
    }

    /// Runs `body`, which must not run another unit.
    ///
    /// `alone`: whether no other unit of this process runs at the same time.
    func run<T>(alone: Bool, _ body: () throws -> T) rethrows -> T {
        if alone { pthread_rwlock_wrlock(lock) } else { pthread_rwlock_rdlock(lock) }
        defer { pthread_rwlock_unlock(lock) }
        return try body()
    }
}
