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
            var next: CInt = 0
            for _ in 0..<Self.count {
                // fcntl(2): the lowest number from there on that is free and under the limit. One at a time, so that none is
                // missing for others meanwhile.
                let number = fcntl(file, F_DUPFD_CLOEXEC, next)
                guard number >= 0 else { return true }
                close(number)
                next = number + 1
            }
            return false
        }
    }

    /// Takes them again.
    ///
    /// - Returns: Whether as many again are left for others; if not, none is held.
    func take() -> Bool {
        held.withLock { held in
            guard held.isEmpty else { return true }
            var files: [CInt] = []
            while files.count < 2 * Self.count {
                let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
                guard file >= 0 else { break }
                files.append(file)
            }
            let isEnough = files.count == 2 * Self.count
            for file in files.dropFirst(isEnough ? Self.count : 0) { close(file) }
            if isEnough { held = Array(files.prefix(Self.count)) }
            return isEnough
        }
    }
}
