import ArgumentParser
import Foundation

/// `bench-seed waiters`: clients that wait for logins to change, and how soon each hears of it.
struct ParkWaiters: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waiters",
        abstract:
            "Parks many clients at a running daemon, changes their logins at a steady rate, and measures the wake-ups.",
        discussion: """
            A change is a cancellation of the login by its own client: durable before anybody hears of it, like a \
            verdict. A wake-up is timed from the moment the cancellation is sent, so it has that request, the sync of \
            the disk and the answer in it. Connections come in within --storm seconds, as after a restart.

            It prints one line: waiters, seconds of the storm, SYNs that the kernel dropped, KiB per waiter, and \
            milliseconds (median, 99th percentile, longest) until a waiter was told.
            """
    )

    @Option(help: "The daemon's address, like http://127.0.0.1:8080.") var server: String
    @Option(help: "The e-mail address that signs in.") var email: String
    @Option(help: "How many clients wait.") var count: Int
    @Option(name: .long, help: "How many of them wait for the same login; 16 at most.") var perLogin = 1
    @Option(help: "Logins that change each second.") var rate = 500
    @Option(help: "Seconds in which all of them connect.") var storm = 3
    @Option(help: "The daemon's process id, for its memory.") var pid: Int
    @Flag(help: "Wait with server-sent events, not with long polls.") var events = false

    func validate() throws {
        guard count > 0, (1...16).contains(perLogin), rate > 0, storm > 0, URLComponents(string: server)?.port != nil
        else {
            throw ValidationError(
                "--count, --rate and --storm are above 0, --per-login is 1 to 16, --server has a port."
            )
        }
    }

    func run() async throws {
        do {
            let logins = try await Seeding(server: server, email: email, opens: false, connections: 32)
                .run(count: (count + perLogin - 1) / perLogin)
            print(try await WaitingRun(self, logins: logins).figures().line)
        } catch let fault as SeedFault {
            FileHandle.standardError.write(Data("bench-seed: \(fault.text)\n".utf8))
            throw ExitCode.failure
        }
    }
}
