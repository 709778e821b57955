import ArgumentParser
import AsyncHTTPClient
import Crypto
import Foundation
import Wire

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
    @Option(help: "The client that they sign in with; anyone may have to be able to start its logins.")
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
                let tokens = try await Self.signIn(owners, clientID, server, client)
                // All keys before the first challenge: what a challenge is good for begins with it.
                let devices = try await server.share(Array(0..<count)) { number in
                    let device = SeededDevice()
                    try await device.setUp(tokens[number % tokens.count], server, client)
                    return device
                }
                return try await server.share(devices) { try await $0.answer(server, client) }
            }
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: output))
        } catch let fault as SeedFault {
            FileHandle.standardError.write(Data("bench-seed: \(fault.text)\n".utf8))
            throw ExitCode.failure
        }
    }

    /// An access token of each owner's, in no order.
    ///
    /// Their app keeps no cookies, so that the sessions are on no device: one on a device gives no other a key.
    private static func signIn(
        _ owners: [String],
        _ clientID: String,
        _ server: SeedServer,
        _ client: HTTPClient
    ) async throws -> [String] {
        let logins = try await server.share(owners) { owner in
            let verifier = CodeVerifier()
            let order = InitiateLoginRequest(
                email: owner,
                clientId: clientID,
                codeChallenge: verifier.challenge,
                codeChallengeMethod: "S256"
            )
            return try await server.begin(order, provenBy: verifier, opens: true, client)
        }
        return try await server.share(logins) { try await server.collect($0, client).accessToken }
    }
}

/// A device with a key of its own.
private struct SeededDevice: Sendable {
    let id = UUID().uuidString.lowercased()
    let key = P256.Signing.PrivateKey()

    /// Nothing of what is sent needs escaping.
    func setUp(_ token: String, _ server: SeedServer, _ client: HTTPClient) async throws {
        let registration = #"{"deviceId":"\#(id)","platform":"android","deviceName":"Bench phone"}"#
        _ = try await server.post("/api/mobile/device/register", Data(registration.utf8), token: token, client)
        let spki = key.publicKey.derRepresentation.base64EncodedString()
        let order = #"{"deviceId":"\#(id)","publicKey":"\#(spki)","biometricType":"face"}"#
        _ = try await server.post("/api/mobile/auth/biometric/setup", Data(order.utf8), token: token, client)
    }

    /// A challenge's answer, as a line.
    func answer(_ server: SeedServer, _ client: HTTPClient) async throws -> String {
        let asked = Data(#"{"deviceId":"\#(id)"}"#.utf8)
        let (body, _) = try await server.post("/api/mobile/auth/biometric/challenge", asked, client)
        let challenge = try JSONDecoder().decode(BiometricChallengeResponse.self, from: body).challenge
        let signature = try key.signature(for: Data(challenge.utf8)).derRepresentation.base64EncodedString()
        let answer = #"{"deviceId":"\#(id)","signature":"\#(signature)","challenge":"\#(challenge)"}"#
        return "/api/mobile/auth/biometric/verify " + answer
    }
}
