import Glibc
import Synchronization

/// Files that are held open so that they can be given up when there are no more.
///
/// The library that runs all tasks opens `/proc/self/task/…` once a second, and ends the process where it can't
/// (libdispatch, `_dispatch_workq_monitor_pools`).
package final class SpareFiles: Sendable {
    /// More than what is opened at the same time by whoever can't do without.
    package static let count = 8

    private let held = Mutex<[CInt]>([])

    package init() { _ = take() }

    deinit { release() }

    /// Gives them up.
    func release() {
        held.withLock { held in
            for file in held { close(file) }
            held = []
        }
    }

    /// Whether fewer are left beside the held ones than are held, so that whoever can't do without may find none.
    ///
    /// Once they are given up there is nothing more to give: then it is `false`.
    func areShort() -> Bool {
        held.withLock { held in
            guard let file = held.first else { return false }
            return !Self.areFree(Self.count, beside: file)
        }
    }

    /// Whether so many more could be opened.
    private static func areFree(_ count: Int, beside file: CInt) -> Bool {
        var next: CInt = 0
        for _ in 0..<count {
            // fcntl(2): the lowest number from there on that is free and under the limit. One at a time, so that none is
            // missing for others meanwhile.
            let number = fcntl(file, F_DUPFD_CLOEXEC, next)
            guard number >= 0 else { return false }
            close(number)
            next = number + 1
        }
        return true
    }

    /// Takes them again.
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
