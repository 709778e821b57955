import Glibc
import Synchronization

/// Files that are held open, to be closed when no more can be opened.
///
/// libdispatch, which runs all tasks, opens `/proc/self/task/…` once a second, and ends the process if that fails
/// (`_dispatch_workq_monitor_pools`).
package final class SpareFiles: Sendable {
    /// The number of spare files, which is more than libdispatch opens at the same time.
    package static let count = 8

    private let held = Mutex<[CInt]>([])

    package init() { _ = take() }

    deinit { release() }

    /// Closes the spare files.
    func release() {
        held.withLock { held in
            for file in held { close(file) }
            held = []
        }
    }

    /// Returns whether fewer files can be opened than are held, so that libdispatch may soon be unable to open one.
    ///
    /// Returns `false` after ``release()``.
    func areShort() -> Bool {
        held.withLock { held in
            guard let file = held.first else { return false }
            return !Self.areFree(Self.count, beside: file)
        }
    }

    /// Returns whether that many further files can be opened.
    private static func areFree(_ count: Int, beside file: CInt) -> Bool {
        var next: CInt = 0
        for _ in 0..<count {
            // fcntl(2) returns the lowest free number from `next` on, below the limit. Only one file is open at a time,
            // so that other code can open files meanwhile.
            let number = fcntl(file, F_DUPFD_CLOEXEC, next)
            guard number >= 0 else { return false }
            close(number)
            next = number + 1
        }
        return true
    }

    /// Opens the spare files again.
    ///
    /// - Returns: Whether as many further files can be opened by other code; if not, no spare file is held.
    func take() -> Bool {
        held.withLock { held in
            guard held.isEmpty else { return true }
            let first = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard first >= 0 else { return false }
            guard Self.areFree(2 * Self.count - 1, beside: first) else {
                close(first)
                return false
            }
            let others = (1..<Self.count).map { _ in fcntl(first, F_DUPFD_CLOEXEC, 0) }
            held = [first] + others.filter { $0 >= 0 }
            return true
        }
    }
}
