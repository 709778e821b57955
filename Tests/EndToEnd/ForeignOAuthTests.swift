import Foundation
import Testing

extension EndToEnd {
    /// Clients that other people wrote sign in at the running daemon.
    ///
    /// Each flow is complete, with a person whose browser runs no scripts.
    ///
    /// `scripts/oauth` has the flows; each case has a daemon of its own.
    struct ForeignOAuth {
        private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path(percentEncoded: false)
        private static let python = root + "/.build/foreign-oauth/bin/python"
        private static let script = root + "/scripts/oauth/clients.py"
        /// Whether `scripts/foreign-oauth.sh` came to its end with these versions.
        private static let isInstalled = FileManager.default.contentsEqual(
            atPath: root + "/scripts/foreign-oauth.txt",
            andPath: root + "/.build/foreign-oauth/installed.txt"
        )
        /// Where all has to be shown, as in CI, nothing is skipped for want of a library.
        private static let isRequired = ProcessInfo.processInfo.environment["VESTIBULE_FOREIGN_REQUIRED"] == "1"
        private static let missing: Comment = """
            .build/foreign-oauth is missing, so that no foreign client signs in; scripts/foreign-oauth.sh makes it, or says \
            what to install
            """

        /// A flow, by the name that the program has for it.
        enum Flow: String, CaseIterable, CustomTestStringConvertible {
            case authlibPublic = "authlib_public"
            case authlibBasic = "authlib_basic"
            case authlibPost = "authlib_post"
            case authlibPrivateKey = "authlib_private_key"
            case requestsOAuthlib = "requests_oauthlib_code"
            case device = "oauthlib_device"
            case deviceDenied = "oauthlib_device_denied"
            case discovery = "idpyoidc_discovery"
            case backchannel = "idpyoidc_backchannel"

            var testDescription: String { rawValue }
        }

        private struct Client: Encodable {
            let id: String
            let audience: String
            var redirect = "https://client.example.com/callback"
            var secret: String?
            /// A private key in PEM.
            var key: String?
        }

        private struct RunRequest: Encodable {
            let site: String
            let email: String
            let clients: [String: Client]
        }

        private static let person = "accept@example.com"
        private static let secret = "0123456789abcdef0123456789abcdef0123456789a"

        @Test(.enabled(if: isInstalled || isRequired, missing), .timeLimit(.minutes(10)), arguments: Flow.allCases)
        func `OAuth clients written by others complete each flow`(_ flow: Flow) async throws {
            try #require(Self.isInstalled, Self.missing)
            try await TestFolder.use { folder in
                let key = try await Self.makeKey(in: folder)
                let settings = Self.settings(keySet: key.set)
                try await Fixture.run(settings, people: [Self.person], within: .seconds(300)) {
                    fixture in
                    let order = RunRequest(
                        // The name that its pages and its discovery document have for it.
                        site: "http://localhost:\(fixture.daemon.port)",
                        email: Self.person,
                        clients: Self.clients(key: key.pem)
                    )
                    try await Self.play(flow, order)
                }
            }
        }

        @Test(.enabled(if: isInstalled || isRequired, missing))
        func `the script's OAuth flows and this suite's list are the same`() async throws {
            try #require(Self.isInstalled, Self.missing)
            let run = try await CommandRun.run("env", [Self.python, Self.script, "--list"], within: .seconds(60))
            #expect(run.code == 0, "\(run)")
            let names = run.output.split(separator: "\n").map(String.init)
            #expect(Set(names) == Set(Flow.allCases.map(\.rawValue)))
        }

        // MARK: Steps

        private static func clients(key: String) -> [String: Client] {
            [
                "public": Client(id: "foreign-public", audience: "foreign-public"),
                "secret": Client(id: "foreign-secret", audience: "foreign-secret", secret: secret),
                "signing": Client(id: "foreign-signing", audience: "foreign-signing", key: key),
                "device": Client(id: "foreign-device", audience: "foreign-device"),
                "backchannel": Client(id: "foreign-backchannel", audience: "foreign-backchannel", secret: secret),
            ]
        }

        /// A config of its own: the laptop's, and five clients.
        private static func settings(keySet: String) -> [String] {
            let code = [
                "oauth.redirectURIs=https://client.example.com/callback",
                "oauth.grants=authorization_code,refresh_token",
                "oauth.scopes=openid,profile,email,offline_access",
            ]
            return client("public", code + ["oauth.authentication=none"])
                + client("secret", code + ["oauth.authentication=secret", "oauth.secret=\(secret)"])
                + client("signing", code + ["oauth.authentication=private-key-jwt", "oauth.keys=\(keySet)"])
                + client(
                    "device",
                    [
                        "oauth.grants=device_code,refresh_token", "oauth.authentication=none",
                        "oauth.scopes=openid,profile,email,offline_access",
                    ]
                )
                + client(
                    "backchannel",
                    [
                        "oauth.grants=ciba,refresh_token", "oauth.authentication=secret", "oauth.secret=\(secret)",
                        "oauth.scopes=openid,email", "oauth.ciba.delivery=poll",
                        // idpyoidc takes id tokens by RS256 alone, unless it is told (OpenID Connect Core §3.1.3.7).
                        "oauth.idTokenAlgorithm=rs256",
                    ]
                ) + ["oauth.enabled=true"]
        }

        private static func client(_ name: String, _ keys: [String]) -> [String] {
            (["name=Foreign \(name)", "audience=foreign-\(name)"] + keys).map { "clients.foreign-\(name).\($0)" }
        }

        private struct Key {
            /// The private key in PEM.
            let pem: String
            /// The path of its public half, as a JWK set.
            let set: String
        }

        /// A new RSA key, as the client's own software would make one.
        private static func makeKey(in folder: TestFolder) async throws -> Key {
            let program = """
                import json
                from joserfc.jwk import RSAKey
                key = RSAKey.generate_key(2048, {"kid": "client-key", "use": "sig", "alg": "RS256"})
                public = {"keys": [key.as_dict(private=False)]}
                print(json.dumps({"pem": key.as_pem(private=True).decode(), "set": json.dumps(public)}))
                """
            struct Made: Decodable {
                let pem: String
                let set: String
            }
            let run = try await CommandRun.run("env", [python, "-c", program], within: .seconds(120))
            try #require(run.code == 0, "\(run)")
            let made = try run.json(Made.self)
            let file = folder["client-keys.json"]
            try made.set.write(toFile: file, atomically: true, encoding: .utf8)
            return Key(pem: made.pem, set: file)
        }

        private static func play(_ flow: Flow, _ order: RunRequest) async throws {
            let input = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
            let run = try await CommandRun.run(
                "env",
                [python, script, flow.rawValue],
                input: input,
                environment: ["PYTHONDONTWRITEBYTECODE": "1"],
                within: .seconds(240)
            )
            #expect(run.code == 0, "\(run.error)")
            #expect(run.output.contains("\(flow.rawValue): done"), "\(run)")
        }
    }
}
