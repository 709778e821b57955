import ArgumentParser
import AsyncHTTPClient
import Foundation

/// `bench-seed soak`: a steady mix of everything that clients do, and how much memory the daemon has each minute.
struct Soak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Sends a daemon a steady mix of calls and prints its memory, a line a minute.",
        discussion: """
            The mix: whole logins with refreshes and a sign-out, starts that nobody opens, polls of unknown logins, passkey \
            options that nobody answers, sign-in pages, and rubbish. It ends with an error if the memory of the last quarter \
            is on average more than --growth above that of the quarter before, or if more than one call of a hundred \
            failed.

            Example: bench-seed soak --server http://127.0.0.1:8080 --pid 4711 --minutes 120
            """
    )

    @Option(help: "The daemon's address, like http://127.0.0.1:8080.") var server: String
    @Option(help: "The daemon's process on this machine, whose memory is read.") var pid: Int
    @Option(help: "The e-mail address that signs in, whose scans the mock accepts.") var email = "accept@example.com"
    @Option(help: "Calls a second.") var rate = 200
    @Option(help: "How long.") var minutes = 120
    @Flag(
        help: "Send each step as if from another address, in X-Forwarded-For: this machine has to be a trusted proxy."
    )
    var manyAddresses = false
    @Option(
        help: "The growth in MiB from the third quarter to the last that is an error. Default: any growth is allowed."
    )
    var growth: Double?

    func validate() throws {
        guard rate > 0, minutes > 0 else { throw ValidationError("--rate and --minutes must be above 0.") }
    }

    func run() async throws {
        let server = SeedServer(url: server, connections: 64)
        let end = ContinuousClock.now + .seconds(60 * minutes)
        let mix = SoakMix(server: server, email: email, manyAddresses: manyAddresses)
        print("minute\tRSS MiB\tof it anonymous\tcalls\terrors")
        let samples = try await server.use { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<Self.workers {
                    group.addTask { try await pace(mix, worker, until: end, client) }
                }
                let samples = try await watch(mix)
                try await group.waitForAll()
                return samples
            }
        }
        try await judge(samples, mix)
    }

    private static let workers = 32

    /// One of the workers: a step, then a pause that keeps all of them together at the rate.
    private func pace(
        _ mix: SoakMix,
        _ worker: Int,
        until end: ContinuousClock.Instant,
        _ client: HTTPClient
    ) async throws {
        var number = worker
        var next = ContinuousClock.now
        while next < end {
            let calls = await mix.step(number, client)
            number += Self.workers
            next += .seconds(Double(calls * Self.workers) / Double(rate))
            try await Task.sleep(until: next, clock: .continuous)
        }
    }

    /// The memory after each minute, printed as it is read.
    private func watch(_ mix: SoakMix) async throws -> [Double] {
        var samples: [Double] = []
        for minute in 1...minutes {
            try await Task.sleep(for: .seconds(60))
            let resident = try Self.memory("VmRSS:", of: pid)
            let anonymous = try Self.memory("RssAnon:", of: pid)
            samples.append(resident)
            let count = await mix.count
            print("\(minute)\t\(Self.figure(resident))\t\(Self.figure(anonymous))\t\(count.calls)\t\(count.errors)")
            fflush(nil)
        }
        return samples
    }

    private static func figure(_ mebibytes: Double) -> String { String(format: "%.1f", mebibytes) }

    /// In MiB, from a line of `/proc/PID/status` (proc(5)).
    private static func memory(_ name: String, of pid: Int) throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
                Double($0)
            })
        else { throw SeedError(text: "/proc/\(pid)/status has no \(name)") }
        return kibibytes / 1024
    }

    private func judge(_ samples: [Double], _ mix: SoakMix) async throws {
        let count = await mix.count
        // Failed calls put no load on the daemon, so that its memory says nothing.
        guard count.errors * 100 <= count.calls else {
            print("\(count.errors) of \(count.calls) calls failed. At most one of a hundred may.")
            throw ExitCode.failure
        }
        guard let growth, samples.count >= 4 else { return }
        let quarter = samples.count / 4
        let last = samples.suffix(quarter).reduce(0, +) / Double(quarter)
        let earlier = samples.dropLast(quarter).suffix(quarter).reduce(0, +) / Double(quarter)
        print(
            "from the third quarter to the last: \(String(format: "%+.1f", last - earlier)) MiB. Allowed: \(growth)."
        )
        guard last - earlier <= growth else { throw ExitCode.failure }
    }
}
