import Glibc
import Kernel

/// Ends a thread's wait for a socket, by a pipe that the thread waits for too.
///
/// Unchecked, because the descriptors never change until the last owner is gone.
final class WakeUp: @unchecked Sendable {
    private let reading: Int32
    private let writing: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe the wait ends by time alone.
        let isMade = pipe(&ends) == 0
        for end in ends where isMade {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        guard reading >= 0 else { return }
        close(reading)
        close(writing)
    }

    /// Ends the wait, or the next one if nobody waits.
    func signal() {
        var byte: UInt8 = 0
        // A pipe that is full ends the wait as well.
        _ = write(writing, &byte, 1)
    }

    /// Waits until the socket can be read, ``signal()`` was called, or the time is over.
    ///
    /// `nil` as the socket waits for the signal alone.
    ///
    /// - Returns: Whether the socket can be read, or has an error.
    func wait(for socket: Int32?, within limit: Duration) -> Bool {
        // A descriptor of -1 is ignored.
        var watched = [
            pollfd(fd: socket ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = limit.wholeMilliseconds + (limit > .zero ? 1 : 0)
        guard poll(&watched, nfds_t(watched.count), Int32(clamping: milliseconds)) > 0 else { return false }
        if watched[1].revents != 0 { empty() }
        return watched[0].revents != 0
    }

    private func empty() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) > 0 {}
    }
}
