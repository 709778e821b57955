import Dispatch
import Glibc
import Synchronization

/// A program of a test's own: its standard output is read here, its errors are nobody's.
///
/// Of this process's variables it gets the search path alone. Other tests open their sockets with SOCK_CLOEXEC: with a
/// copy of one it would keep a connection up that its test has closed.
///
/// Blocking calls run on a thread of their own: every other test needs the few of the cooperative pool too.
final class ChildProcess: Sendable {
    private let processID: pid_t
    private let output: Int32
    private let isOver = Mutex(false)
    private let queue = DispatchQueue(label: "mail-server")

    init(_ words: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw MailServer.ServerError(description: "no pipe can be made") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        var arguments = words.map { strdup($0) } + [nil]
        var variables = [strdup("PATH=\(path)"), strdup("TZ=UTC"), nil]
        var started: pid_t = 0
        let code = posix_spawnp(&started, words[0], &actions, nil, &arguments, &variables)
        posix_spawn_file_actions_destroy(&actions)
        for string in arguments + variables { free(string) }
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            throw MailServer.ServerError(description: "\(words[0]) can't be started")
        }
        (processID, output) = (started, ends[0])
    }

    deinit {
        end()
        close(output)
    }

    /// Its first line; empty if its output ends before one.
    func firstLine() async -> String {
        await aside {
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while read(self.output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
            return String(decoding: line, as: UTF8.self)
        }
    }

    /// Its exit code, when it has ended.
    func wait() async -> Int32 { await aside { self.reap() } }

    /// Ends it at once.
    func end() {
        guard !isOver.withLock({ $0 }) else { return }
        kill(processID, SIGKILL)
        _ = reap()
    }

    private func reap() -> Int32 {
        isOver.withLock { isOver in
            var status: Int32 = 0
            while !isOver, waitpid(processID, &status, 0) == -1, errno == EINTR {}
            isOver = true
            return status >> 8 & 0xFF
        }
    }

    private func aside<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
