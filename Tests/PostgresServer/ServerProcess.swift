import Dispatch
import Glibc

/// Starts programs beside the tests.
///
/// A program gets of this process's variables the search path alone.
enum ServerProcess {
    /// Starts a program in a session of its own, which an interrupt of the tests does not reach.
    ///
    /// - Returns: A socket whose other end is the program's standard input and output. It is closed on exec.
    static func start(_ words: [String]) throws -> Int32 {
        let (ours, theirs) = try sockets()
        defer { close(theirs) }
        _ = try spawn(words, input: theirs, output: theirs)
        return ours
    }

    /// Runs a program to its end.
    ///
    /// - Returns: Its exit code, and what it wrote to its output and error output.
    static func run(_ words: [String], input: String) async throws -> (code: Int32, written: String) {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try runBlocking(words, input: input) }) }
        }
    }

    private static let queue = DispatchQueue(label: "postgres-clients", attributes: .concurrent)

    private static func runBlocking(_ words: [String], input text: String) throws -> (code: Int32, written: String) {
        // A file, not a socket: that would be full while the program waits for somebody to read what it writes.
        let input = try TextFile.unnamed(with: text)
        defer { close(input) }
        let (output, theirOutput) = try sockets()
        defer { close(output) }
        let child: pid_t
        do {
            defer { close(theirOutput) }
            child = try spawn(words, input: input, output: theirOutput)
        }
        let written = TextFile.readAll(output)
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        return (status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F, written)
    }

    /// Makes two sockets that are joined.
    ///
    /// Unlike a pipe's ends they are closed on exec from the beginning, so that no other test's program gets one.
    private static func sockets() throws -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw PostgresServer.ServerError("no sockets can be made (error \(errno))")
        }
        return (ends[0], ends[1])
    }

    private static func spawn(_ words: [String], input: Int32, output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A handler or mask of a test's own is none of the program's business.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // POSIX_SPAWN_SETSID, which Swift does not see.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | 0x80)
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        var arguments = words.map { strdup($0) } + [nil]
        var variables = [strdup("PATH=\(path)"), strdup("TZ=UTC"), strdup("LC_ALL=C.UTF-8"), nil]
        defer { for string in arguments + variables { free(string) } }
        var started: pid_t = 0
        let code = posix_spawnp(&started, words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw PostgresServer.ServerError("\(words[0]) can't be started (error \(code))") }
        return started
    }
}
