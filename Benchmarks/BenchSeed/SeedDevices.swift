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
            """
    )

    @Option(help: "The daemon's address, like http://127.0.0.1:8080.") var server: String
    @Option(help: "The e-mail address of the devices' owner.") var email: String
    @Option(help: "The owner's password.") var password: String
    @Option(help: "How many devices.") var count: Int
    @Option(help: "The file for the answers.") var output: String
    @Option(help: "Connections at the same time.") var connections = 32

    func validate() throws {
        guard count > 0, connections > 0 else { throw ValidationError("--count and --connections must be above 0.") }
    }

    func run() async throws {
        let server = SeedServer(url: server, connections: connections)
        do {
            let lines = try await server.use { client in
                let token = try await signIn(server, client)
                // All keys before the first challenge: what a challenge is good for begins with it.
                let devices = try await server.share(Array(0..<count)) { _ in
                    let device = SeededDevice()
                    try await device.setUp(token, server, client)
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

    private func signIn(_ server: SeedServer, _ client: HTTPClient) async throws -> String {
        let order = try JSONEncoder().encode(PasswordSignInRequest(email: email, password: password))
        let (body, _) = try await server.post("/api/mobile/auth/login/password", order, client)
        return try JSONDecoder().decode(SignInResponse.self, from: body).accessToken
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
