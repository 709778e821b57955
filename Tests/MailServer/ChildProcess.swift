import Glibc

/// A program of a test's own: its standard output is read here, its errors are nobody's.
final class ChildProcess {
    private let processID: pid_t
    private let output: Int32
    private var isOver = false

    init(_ words: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw MailServer.Fault(description: "no pipe can be made") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var arguments = words.map { strdup($0) } + [nil]
        var started: pid_t = 0
        let code = posix_spawnp(&started, words[0], &actions, nil, &arguments, environ)
        posix_spawn_file_actions_destroy(&actions)
        for argument in arguments { free(argument) }
        close(ends[1])
        (processID, output) = (started, ends[0])
        guard code == 0 else { throw MailServer.Fault(description: "\(words[0]) can't be started") }
    }

    deinit {
        end()
        close(output)
    }

    /// Blocks until there is a line, or the program's output ends.
    func firstLine() -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Blocks until it ends; its exit code.
    func wait() -> Int32 {
        var status: Int32 = 0
        while !isOver, waitpid(processID, &status, 0) == -1, errno == EINTR {}
        isOver = true
        return status >> 8 & 0xFF
    }

    /// Ends it at once.
    func end() {
        guard !isOver else { return }
        kill(processID, SIGKILL)
        _ = wait()
    }
}
