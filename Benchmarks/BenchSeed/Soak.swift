import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Wire

/// `bench-seed soak`: a steady mix of everything that clients do, and how much memory the daemon has each minute.
struct Soak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Sends a daemon a steady mix of calls and prints its memory, a line a minute.",
        discussion: """
            The mix: whole logins with refreshes and a sign-out, starts that nobody opens, polls of unknown logins, passkey \
            options that nobody answers, sign-in pages, and rubbish. It ends with an error if the memory of the last quarter \
            is on average more than --growth above that of the quarter before.

            Example: bench-seed soak --server http://127.0.0.1:8080 --pid 4711 --minutes 120
            """
    )

    @Option(help: "The daemon's address, like http://127.0.0.1:8080.") var server: String
    @Option(help: "The daemon's process, whose memory is read; on this machine.") var pid: Int
    @Option(help: "The e-mail address that signs in, whose scans the mock accepts.") var email = "accept@example.com"
    @Option(help: "Calls a second.") var rate = 200
    @Option(help: "How long.") var minutes = 120
    @Option(help: "The growth in MiB from the third quarter to the last that is an error; none is judged without it.")
    var growth: Double?

    func validate() throws {
        guard rate > 0, minutes > 0 else { throw ValidationError("--rate and --minutes must be above 0.") }
    }

    func run() async throws {
        let server = SeedServer(url: server, connections: 64)
        let end = ContinuousClock.now + .seconds(60 * minutes)
        let mix = SoakMix(server: server, email: email)
        print("minute\tRSS MiB\tcalls\terrors")
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
        try judge(samples)
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
            let resident = try Self.residentMemory(of: pid)
            samples.append(resident)
            let count = await mix.count
            print("\(minute)\t\(String(format: "%.1f", resident))\t\(count.calls)\t\(count.errors)")
            fflush(nil)
        }
        return samples
    }

    /// In MiB, from `/proc` (proc(5), `VmRSS`).
    private static func residentMemory(of pid: Int) throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
                Double($0)
            })
        else { throw SeedFault(text: "/proc/\(pid)/status has no VmRSS") }
        return kibibytes / 1024
    }

    private func judge(_ samples: [Double]) throws {
        guard let growth, samples.count >= 4 else { return }
        let quarter = samples.count / 4
        let last = samples.suffix(quarter).reduce(0, +) / Double(quarter)
        let earlier = samples.dropLast(quarter).suffix(quarter).reduce(0, +) / Double(quarter)
        print(
            "from the third quarter to the last: \(String(format: "%+.1f", last - earlier)) MiB; at most \(growth) are allowed"
        )
        guard last - earlier <= growth else { throw ExitCode.failure }
    }
}

/// The mix, and how many calls it has made.
actor SoakMix {
    private let server: SeedServer
    private let email: String
    private(set) var count = (calls: 0, errors: 0)

    init(server: SeedServer, email: String) {
        self.server = server
        self.email = email
    }

    /// Does the step of that number; nothing that fails ends the soak.
    ///
    /// - Returns: How many calls it made.
    nonisolated func step(_ number: Int, _ client: HTTPClient) async -> Int {
        do {
            let calls =
                switch number % 10 {
                case 0..<4: try await login(client)
                case 4, 5: try await abandonedStart(number, client)
                case 6: try await unknownPolls(client)
                case 7: try await passkeyOptions(number, client)
                case 8: try await pages(client)
                default: try await rubbish(number, client)
                }
            await note(calls: calls, error: nil)
            return calls
        } catch {
            await note(calls: 1, error: error)
            return 1
        }
    }

    private func note(calls: Int, error: (any Error)?) {
        count.calls += calls
        guard let error else { return }
        count.errors += 1
        // The first few say what is wrong; a thousand would say nothing more.
        if count.errors <= 3 { print("failed: \((error as? SeedFault)?.text ?? "\(error)")") }
    }

    /// A login from start to sign-out: nine calls or some more.
    private nonisolated func login(_ client: HTTPClient) async throws -> Int {
        let verifier = CodeVerifier()
        var start = InitiateLoginRequest(email: email)
        start.codeChallenge = verifier.challenge
        start.codeChallengeMethod = "S256"
        let login = try await server.begin(start, provenBy: verifier, opens: true, client)
        let tokens = try await server.collect(login, client)
        _ = try await server.get("/auth/me", headers: ["Authorization": "Bearer \(tokens.accessToken)"], client)
        // The published face-login app's client keeps its refresh token, so the same one is good again.
        for _ in 0..<3 { _ = try await server.post("/auth/refresh", nil, token: tokens.refreshToken, client) }
        _ = try await server.post("/auth/logout", nil, token: tokens.accessToken, client)
        return 9
    }

    private nonisolated func abandonedStart(_ number: Int, _ client: HTTPClient) async throws -> Int {
        let address = number % 3 == 0 ? email : "nobody\(number)@example.com"
        let login = try await server.begin(InitiateLoginRequest(email: address), opens: false, client)
        for _ in 0..<4 { _ = try await server.get(login.pollPath, headers: login.proof, client) }
        return 5
    }

    private nonisolated func unknownPolls(_ client: HTTPClient) async throws -> Int {
        for _ in 0..<4 {
            let path = "/auth/biometric-login/poll/\(UUID().uuidString.lowercased())"
            try await server.ask(HTTPClientRequest(url: server.url + path), client)
        }
        return 4
    }

    private nonisolated func passkeyOptions(_ number: Int, _ client: HTTPClient) async throws -> Int {
        for part in 0..<2 {
            var request = HTTPClientRequest(url: server.url + "/api/generate-authentication-options")
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(Data(#"{"username":"soak\#(number)-\#(part)"}"#.utf8))
            try await server.ask(request, client)
        }
        return 2
    }

    private nonisolated func pages(_ client: HTTPClient) async throws -> Int {
        for path in ["/", "/login.html", "/.well-known/openid-configuration", "/.well-known/jwks.json"] {
            try await server.ask(HTTPClientRequest(url: server.url + path), client)
        }
        return 4
    }

    private nonisolated func rubbish(_ number: Int, _ client: HTTPClient) async throws -> Int {
        for part in 0..<3 {
            var request = HTTPClientRequest(url: server.url + "/auth/refresh")
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/json")
            request.headers.add(name: "X-Client-Id", value: "soak\(number)")
            request.body = .bytes(Data(#"{"refreshToken":"\#(number).\#(part).x"}"#.utf8))
            try await server.ask(request, client)
        }
        return 3
    }
}

extension SeedServer {
    /// Sends a request whose answer may be anything but a fault of the server.
    func ask(_ request: HTTPClientRequest, _ client: HTTPClient) async throws {
        let response = try await client.execute(request, timeout: .seconds(30))
        _ = try await response.body.collect(upTo: 1024 * 1024)
        guard response.status.code < 500 else {
            throw SeedFault(text: "\(request.url) was answered with \(response.status)")
        }
    }
}
