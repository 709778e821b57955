import ArgumentParser
import Foundation

/// `bench-seed waiters`: clients that wait for logins to change, and how soon each hears of it.
struct ParkWaiters: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waiters",
        abstract:
            "Parks many clients at a running daemon, ends their logins at a steady rate, and measures the wake-ups.",
        discussion: """
            An end is a cancellation of the login by its own client: durable before anybody hears of it, like a \
            verdict. A wake-up is timed from the moment the cancellation is sent, so it has that request, the sync of \
            the disk and the answer in it. Connections come in within --storm seconds, as after a restart.

            With --approve each login is opened first, and its end is a verdict: the mock is told to accept the scan, and \
            the daemon gets a signed webhook about it. A wake-up is timed from the moment the mock is told, so it \
            has all of it in it: the mock's decision, the webhook, the check that it brings about, the approval's sync, \
            and for a long poll redemption, its sync, and the signing of the tokens that it is answered with.

            It prints one line: waiters, seconds of the storm, SYNs that the kernel dropped, KiB per waiter, and \
            milliseconds (median, 99th percentile, longest) until a waiter was told.
            """
    )

    @Option(help: "The daemon's address, like http://127.0.0.1:8080.") var server: String
    @Option(help: "The address of the daemon where the logins begin and end, if not --server.") var owner: String?
    @Option(help: "The e-mail address that signs in.") var email: String
    @Option(help: "How many clients wait.") var count: Int
    @Option(name: .long, help: "How many of them wait for the same login, at most 16.") var perLogin = 1
    @Option(help: "Logins that change each second.") var rate = 500
    @Option(help: "Seconds in which all of them connect.") var storm = 3
    @Option(help: "The daemon's process id, for its memory.") var pid: Int
    @Flag(help: "Wait with server-sent events, not with long polls.") var events = false
    @Option(help: "Approve the logins, at the provider mock of this address, and don't cancel them.") var approve:
        String?
    @Option(help: "The secret that signs webhooks about verdicts: whsec_ and base64.") var webhookSecret: String?

    /// Requests at the same time, besides those that wait.
    var connections: Int { 32 }

    /// The daemon where the logins begin and end.
    var origin: String { owner ?? server }

    /// The part of an answer that tells of the change: tokens, for a long poll.
    var ending: String {
        guard approve != nil else { return #""status":"failed""# }
        return events ? #""status":"completed""# : #""accessToken":"ey"#
    }

    func validate() throws {
        guard count > 0, (1...16).contains(perLogin), rate > 0, storm > 0, URLComponents(string: server)?.port != nil
        else {
            throw ValidationError(
                "--count, --rate and --storm are above 0, --per-login is 1 to 16, --server has a port."
            )
        }
        guard (approve == nil) == (webhookSecret == nil), approve?.hasPrefix("http://") != false else {
            throw ValidationError("--approve takes the mock's address, and --webhook-secret.")
        }
        guard approve == nil || events || perLogin == 1 else {
            throw ValidationError("Tokens are handed out once: with --approve long polls wait for a login each.")
        }
    }

    /// The source of the verdicts; `nil` where logins are cancelled.
    func judge(_ daemon: SeedServer) throws -> ScanJudge? {
        guard let approve, let webhookSecret else { return nil }
        guard let signer = WebhookSigner(secret: webhookSecret) else {
            throw SeedError(text: "--webhook-secret is not whsec_ and base64")
        }
        return ScanJudge(mock: SeedServer(url: approve, connections: connections), daemon: daemon, signer: signer)
    }

    func run() async throws {
        do {
            let seeding = Seeding(server: origin, email: email, opens: approve != nil, connections: connections)
            let logins = try await seeding.run(count: (count + perLogin - 1) / perLogin)
            print(try await WaitingRun(self, logins: logins).figures().line)
        } catch let fault as SeedError {
            FileHandle.standardError.write(Data("bench-seed: \(fault.text)\n".utf8))
            throw ExitCode.failure
        }
    }
}
