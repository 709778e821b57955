import Glibc
import Synchronization

/// Files that are held open so that they can be given up when no more can be opened.
///
/// The library that runs all tasks opens `/proc/self/task/…` once a second, and ends the process where it can't
/// (libdispatch, `_dispatch_workq_monitor_pools`).
package final class SpareFiles: Sendable {
    /// The number of files: more than the code that can't do without opens at the same time.
    package static let count = 8

    private let held = Mutex<[CInt]>([])

    package init() { _ = take() }

    deinit { release() }

    /// Closes them.
    func release() {
        held.withLock { held in
            for file in held { close(file) }
            held = []
        }
    }

    /// Returns whether fewer files can be opened than are held, so that the code that can't do without may find none.
    ///
    /// Returns `false` once they are given up.
    func areShort() -> Bool {
        held.withLock { held in
            guard let file = held.first else { return false }
            return !Self.areFree(Self.count, beside: file)
        }
    }

    /// Returns whether that many more files can be opened.
    private static func areFree(_ count: Int, beside file: CInt) -> Bool {
        var next: CInt = 0
        for _ in 0..<count {
            // fcntl(2) returns the lowest free number from `next` on, under the limit. Only one is open at a time, so
            // that others find a file meanwhile.
            let number = fcntl(file, F_DUPFD_CLOEXEC, next)
            guard number >= 0 else { return false }
            close(number)
            next = number + 1
        }
        return true
    }

    /// Opens them again.
    ///
    /// - Returns: Whether as many again are left for others; if not, none is held.
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
