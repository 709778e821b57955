import Dispatch
import Glibc
import Synchronization

/// A shell that runs a server's commands as the server's user and outlives this process by a moment: when its standard input
/// ends, it ends the server and deletes the folder.
///
/// The input is a socket whose other end only this process holds. It ends with the process, whether that returned, crashed or was killed.
final class ServerShell: Sendable {
    /// The folder that it made, deleted with it.
    let folder: String
    private let channel: Int32
    /// Blocking calls get a thread of their own: every other test needs the few of the cooperative pool.
    private let queue = DispatchQueue(label: "postgres-server")

    init(runningAs user: String?, in place: String) throws {
        // A socket's path has at most 107 bytes.
        folder = "\(place)/vestibule-pg-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        var words = ["bash", "-c", Self.script, "bash", folder]
        if let user { words = ["setpriv", "--reuid", user, "--regid", user, "--init-groups"] + words }
        channel = try ServerProcess.start(words)
    }

    deinit { close(channel) }

    /// Runs the command and waits for its end.
    ///
    /// - Throws: What it wrote, when it did not end with 0.
    func run(_ command: String) async throws {
        let (code, written) = try await ask(command)
        guard code == 0 else {
            throw PostgresServer.ServerError("A command of the test server ended with \(code): \(command)\n\(written)")
        }
    }

    /// Starts the server beside the shell, and writes its output to the end of the log.
    func start(_ command: String, log: String) async throws {
        try await run("\(command) </dev/null >>\(log) 2>&1 & server=$!")
    }

    /// Whether the server is running.
    func isRunning() async throws -> Bool { try await ask("kill -0 $server").code == 0 }

    /// Runs the command, and returns its code and what it wrote.
    private func ask(_ command: String) async throws -> (code: Int, written: String) {
        let answer = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.exchange(command)) }
        }
        guard let answer, let code = Int(answer) else {
            throw PostgresServer.ServerError("The shell that runs PostgreSQL has ended; it was asked for: \(command)")
        }
        return (code, TextFile.read("\(folder)/output") ?? "")
    }

    /// Writes the command with a line that ends it, and reads the line with its code.
    private func exchange(_ command: String) -> String? {
        var bytes = Array("\(command)\n\(Self.end)\n".utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { send(channel, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 || errno == EINTR else { return nil }
            bytes = bytes.dropFirst(max(count, 0))
        }
        var line: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = read(channel, &byte, 1)
            if count == 1, byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            if count == 1 { line.append(byte) } else if count == 0 || errno != EINTR { return nil }
        }
    }

    private static let end = "--run--"

    /// What the shell does.
    ///
    /// It closes what the tests have open: with a copy of a socket it would keep a connection up that its test has closed.
    /// Then it reads commands up to their last line, runs each, and answers with its code; at the end of the input it clears up.
    ///
    /// A process that SIGSTOP holds is ended by SIGKILL: PostgreSQL's own SIGQUIT would wait for it.
    private static let script = #"""
        trap '' INT TERM HUP PIPE
        umask 077
        folder=$1 server=
        for file in /proc/$$/fd/*; do
          file=${file##*/}
          [ "$file" -le 2 ] || [ "$file" -eq 255 ] || eval "exec $file>&-"
        done
        mkdir "$folder" && cd "$folder" || exit 1
        command=
        while IFS= read -r line; do
          if [ "$line" != '\#(end)' ]; then
            command="$command$line
        "
            continue
          fi
          eval "$command" >"$folder/output" 2>&1 </dev/null
          echo $?
          command=
        done
        { children=$(cat "/proc/$server/task/$server/children")
        [ -z "$server" ] || kill -QUIT $server
        kill -CONT $children
        for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
          kill -0 $server || break
          sleep 0.05
        done
        kill -KILL $server $children; } 2>/dev/null
        cd /
        rm -rf "$folder"
        """#
}
