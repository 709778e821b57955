import ArgumentParser
import Crypto
import Foundation

/// `bench-seed assertions`: what a client shows itself by in a load run, so that the load itself signs nothing.
struct SeedAssertions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assertions",
        abstract: "Writes assertions of a client about itself (RFC 7523, ES256), one a line; each counts once.",
        discussion: """
            The key is made when its file is not there yet; the key set has its public half, for \
            vestibule clients add --auth private-key-jwt --keys. The assertions are good for five minutes.
            """
    )

    /// Seconds that an assertion is good.
    private static let lifetime = 300

    @Option(name: .customLong("client-id"), help: "The client.") var clientID: String
    @Option(help: "The issuer of the server that they are for.") var audience: String
    @Option(help: "The file of the private key.") var key: String
    @Option(name: .customLong("key-set"), help: "The file for the public key, a JWK set.") var keySet: String
    @Option(help: "How many assertions.") var count: Int
    @Option(help: "The file for the assertions.") var output: String

    func validate() throws {
        guard count > 0 else { throw ValidationError("--count must be above 0.") }
    }

    func run() throws {
        let signer = AssertionSigner(key: try signingKey())
        try Data(signer.keySet.utf8).write(to: URL(fileURLWithPath: keySet))
        let time = Int(Date.now.timeIntervalSince1970)
        let lines = try (0..<count).map { _ in
            try signer.sign(client: clientID, audience: audience, from: time, until: time + Self.lifetime)
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: output))
    }

    /// The one of the file, or a new one that is there from now on.
    private func signingKey() throws -> P256.Signing.PrivateKey {
        let file = URL(fileURLWithPath: key)
        if FileManager.default.fileExists(atPath: key) {
            return try P256.Signing.PrivateKey(rawRepresentation: Data(contentsOf: file))
        }
        let made = P256.Signing.PrivateKey()
        try made.rawRepresentation.write(to: file)
        return made
    }
}

/// Signs assertions of a client as JWTs (RFC 7523 §3, RFC 7515).
private struct AssertionSigner {
    let key: P256.Signing.PrivateKey

    private static let header = Data(#"{"alg":"ES256","kid":"bench","typ":"JWT"}"#.utf8).base64URL

    /// The public key as a JWK set (RFC 7517 §5, RFC 7518 §6.2.1).
    var keySet: String {
        // The two coordinates, 32 bytes each.
        let point = key.publicKey.rawRepresentation
        let (x, y) = (Data(point.prefix(32)).base64URL, Data(point.suffix(32)).base64URL)
        return #"{"keys":[{"kty":"EC","crv":"P-256","kid":"bench","use":"sig","alg":"ES256","x":"\#(x)","y":"\#(y)"}]}"#
    }

    /// Another assertion each time, good from `start` until `end`, in seconds since 1970.
    ///
    /// Nothing in it needs escaping.
    func sign(client: String, audience: String, from start: Int, until end: Int) throws -> String {
        let (names, id) = (#""iss":"\#(client)","sub":"\#(client)","aud":"\#(audience)""#, UUID().uuidString)
        let claims = #"{\#(names),"iat":\#(start),"exp":\#(end),"jti":"\#(id)"}"#
        let signed = "\(Self.header).\(Data(claims.utf8).base64URL)"
        let signature = try key.signature(for: Data(signed.utf8)).rawRepresentation
        return "\(signed).\(signature.base64URL)"
    }
}

extension Data {
    /// Without padding (RFC 4648 §5).
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
