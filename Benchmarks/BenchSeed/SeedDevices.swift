import ArgumentParser
import AsyncHTTPClient
import Foundation

/// `bench-seed devices`: sign-ins by device keys for a load run, so that the load itself signs nothing.
struct SeedDevices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Registers devices with a key each, and writes an answer to a challenge for each, one a line.",
        discussion: """
            A line is the path of the request, a blank and its JSON. The answers are good for five minutes, and once.

            The owners sign in by scans; their addresses have to be such as the mock provider accepts \
            (accept+1@example.com). It takes an owner for every fifty devices: no account has more.
            """
    )

    /// How many devices an account has at most.
    private static let mostOwned = 50

    @Option(help: "The daemon's address, like http://127.0.0.1:8080.") var server: String
    @Option(help: "A file with the e-mail addresses of the devices' owners, one a line.") var owners: String
    @Option(help: "The client that they sign in with. It may have to let anyone start its logins.")
    var clientID = "mwsim"
    @Option(help: "How many devices.") var count: Int
    @Option(help: "The file for the answers.") var output: String
    @Option(help: "Connections at the same time.") var connections = 32

    func validate() throws {
        guard count > 0, connections > 0 else { throw ValidationError("--count and --connections must be above 0.") }
    }

    func run() async throws {
        let server = SeedServer(url: server, connections: connections)
        let owners = try String(contentsOfFile: owners, encoding: .utf8).split(separator: "\n").map(String.init)
        guard count <= owners.count * Self.mostOwned else {
            throw ValidationError("--owners has \(owners.count): too few for \(count) devices, fifty each.")
        }
        do {
            let lines = try await server.use { client in
                let tokens = try await server.signIn(owners, clientID, client)
                // All keys before the first challenge: what a challenge is good for begins with it.
                let devices = try await server.share(Array(0..<count)) { number in
                    let device = SeededDevice()
                    try await device.setUp(tokens[number % tokens.count], server, client)
                    return device
                }
                return try await server.share(devices) { device in
                    "\(SeededDevice.signInPath) \(try await device.answer(server, client))"
                }
            }
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: output))
        } catch let fault as SeedError {
            FileHandle.standardError.write(Data("bench-seed: \(fault.text)\n".utf8))
            throw ExitCode.failure
        }
    }
}
