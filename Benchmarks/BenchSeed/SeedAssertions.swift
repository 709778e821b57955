import ArgumentParser
import Foundation

/// `bench-seed assertions`: the assertions that a client authenticates with in a load run, so that the load itself
/// signs nothing.
struct SeedAssertions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assertions",
        abstract: "Writes assertions of a client about itself (RFC 7523), one a line. Each is valid once.",
        discussion: """
            The key is made when its file is not there yet; the key set has its public half, for \
            vestibule clients add --auth private-key-jwt --keys. The assertions are good for five minutes.
            """
    )

    /// Seconds that an assertion is good.
    private static let lifetime = 300

    @Option(name: .customLong("client-id"), help: "The client.") var clientID: String
    @Option(help: "The issuer of the server that they are for.") var audience: String
    @Option(help: "The algorithm of the signature, and of a new key: \(AssertionAlgorithm.names).")
    var algorithm = AssertionAlgorithm.es256
    @Option(help: "The file of the private key.") var key: String
    @Option(name: .customLong("key-set"), help: "The file for the public key, a JWK set.") var keySet: String
    @Option(help: "How many assertions.") var count: Int
    @Option(help: "The file for the assertions.") var output: String

    func validate() throws {
        guard count > 0 else { throw ValidationError("--count must be above 0.") }
    }

    func run() throws {
        let signer = try AssertionSigner(algorithm, key: URL(fileURLWithPath: key))
        try Data(signer.keySet.utf8).write(to: URL(fileURLWithPath: keySet))
        let time = Int(Date.now.timeIntervalSince1970)
        let lines = try (0..<count).map { _ in
            try signer.sign(client: clientID, audience: audience, from: time, until: time + Self.lifetime)
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: output))
    }
}
