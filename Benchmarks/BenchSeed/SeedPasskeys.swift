import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOHTTP1
import SoftwareAuthenticator

/// `bench-seed passkeys`: answers of passkeys for a load run, so that the load itself signs nothing.
struct SeedPasskeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passkeys",
        abstract: "Asks for options, has a software authenticator answer them, and writes the answers, one a line.",
        discussion: """
            A line is the path of the request, a blank and its JSON. The answers are good for ten minutes, and once.

            One address has a thousand open challenges: the options are asked for as if from many, so that the daemon has \
            to trust this host as a proxy (listen.trustedProxies).
            """
    )

    /// The kind of answers.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        /// Options to make a passkey, each for a new account.
        case registrations
        /// Options to sign in, of accounts that are made first.
        case signIns = "sign-ins"
        /// The same, and in front of each answer a line that asks for options, as long as it takes to be a whole sign-in.
        case wholeSignIns = "whole-sign-ins"
    }

    @Option(help: "The daemon's address, like http://127.0.0.1:8080.") var server: String
    @Option(help: "Where the page is that the passkeys are made on: the origin of the daemon's publicURL.")
    var origin: String
    @Option(help: "The answers: registrations, sign-ins, or whole-sign-ins with a line for options before each.")
    var kind: Kind
    @Option(help: "How many answers.") var count: Int
    @Option(help: "The file for the answers.") var output: String
    @Option(help: "The prefix of the accounts' names. Existing accounts must not have it.") var names = "bench"
    @Option(help: "Connections at the same time.") var connections = 32

    /// How often each passkey signs in.
    private static let signInsEach = 10

    func validate() throws {
        guard count > 0, connections > 0 else { throw ValidationError("--count and --connections must be above 0.") }
    }

    func run() async throws {
        let server = SeedServer(url: server, connections: connections)
        do {
            let lines = try await server.use { client in
                let service = PasskeySeedClient(server: server, client: client, origin: origin)
                return try await kind == .registrations ? registrations(service) : signIns(service)
            }
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: output))
        } catch let fault as SeedError {
            FileHandle.standardError.write(Data("bench-seed: \(fault.text)\n".utf8))
            throw ExitCode.failure
        }
    }

    private func registrations(_ service: PasskeySeedClient) async throws -> [String] {
        try await service.server.share(Array(0..<count)) { number in
            let (_, answer) = try await service.register(name(number), from: number)
            return "\(PasskeySeedClient.registration) \(answer)"
        }
    }

    private func signIns(_ service: PasskeySeedClient) async throws -> [String] {
        let people = (count + Self.signInsEach - 1) / Self.signInsEach
        let made = try await service.server.share(Array(0..<people)) { number in
            let (credential, answer) = try await service.register(name(number), from: number)
            try await service.send(answer, to: PasskeySeedClient.registration)
            return (name(number), credential)
        }
        return try await service.server.share(Array(0..<count)) { number in
            let (name, credential) = made[number % people]
            let answer = try await service.signIn(name, credential, from: number)
            let line = "\(PasskeySeedClient.signIn) \(answer)"
            guard kind == .wholeSignIns else { return line }
            return "\(PasskeySeedClient.signInOptions) \(PasskeySeedClient.asking(for: name))\n\(line)"
        }
    }

    private func name(_ number: Int) -> String { "\(names)\(number)" }
}

/// The steps of a browser and its authenticator with a daemon, up to the answer.
private struct PasskeySeedClient: Sendable {
    static let registration = "/api/verify-registration"
    static let signInOptions = "/api/generate-authentication-options"
    static let signIn = "/api/verify-authentication"

    let server: SeedServer
    let client: HTTPClient
    /// Where the page is.
    let origin: String

    /// Nothing in it needs escaping.
    static func asking(for name: String) -> String { #"{"username":"\#(name)"}"# }

    /// A new passkey, and the answer that has it kept.
    func register(_ name: String, from visitor: Int) async throws -> (SoftwareAuthenticator.Credential, String) {
        let options = try await options("/api/generate-registration-options", name, from: visitor)
        let (credential, response) = try SoftwareAuthenticator(origin: origin).create(options)
        return (credential, try Self.answer(response, to: options))
    }

    func signIn(
        _ name: String,
        _ credential: SoftwareAuthenticator.Credential,
        from visitor: Int
    ) async throws -> String {
        let options = try await options(Self.signInOptions, name, from: visitor)
        return try Self.answer(SoftwareAuthenticator(origin: origin).get(options, with: credential), to: options)
    }

    func send(_ answer: String, to path: String) async throws {
        _ = try await server.post(path, Data(answer.utf8), client)
    }

    /// As they come, in JSON; five hundred visitors share an address.
    private func options(_ path: String, _ name: String, from visitor: Int) async throws -> String {
        let address = visitor / 500
        let forwarded: HTTPHeaders = ["X-Forwarded-For": "198.51.\(address / 256).\(address % 256)"]
        let (body, _) = try await server.post(path, Data(Self.asking(for: name).utf8), headers: forwarded, client)
        return String(decoding: body, as: UTF8.self)
    }

    /// The response of a browser to these options, as it is sent.
    private static func answer(_ response: String, to options: String) throws -> String {
        struct Named: Decodable { let challengeId: String }
        let named = try JSONDecoder().decode(Named.self, from: Data(options.utf8))
        return #"{"response":\#(response),"challengeId":"\#(named.challengeId)"}"#
    }
}
