import Foundation
import Kernel
import Outbound
import Testing
import TokenForgeries
import TokenReading
import VestibuleTokens
import Wire

@testable import Tokens

extension EndToEnd {
    /// The daemon's tokens in the hands of libraries that other people wrote, and forgeries in the hands of the daemon.
    struct ForeignLibraries {
        private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path(percentEncoded: false)
        private static let python = root + "/.build/foreign-jwt/bin/python"
        private static let isInstalled = FileManager.default.isExecutableFile(atPath: python)
        /// Where all has to be shown, as in CI, nothing is skipped for want of a library.
        private static let isRequired = ProcessInfo.processInfo.environment["VESTIBULE_FOREIGN_REQUIRED"] == "1"
        private static let missing: Comment = """
            .build/foreign-jwt is missing, so that no foreign library verifies tokens; scripts/foreign-jwt.sh makes it
            """

        private struct RunRequest: Encodable {
            let keySet: String
            let issuer: String
            let audience: String
            let algorithm: String
            let tokens: [String: String]
        }

        private struct Said: Decodable {
            let iss: String
            let sub: String
            let aud: String
            let sid: String
            let jti: String
        }

        @Test(.enabled(if: isInstalled || isRequired, missing), arguments: ["es256", "eddsa", "rs256"])
        func `PyJWT and joserfc verify the tokens of a running daemon from its key set, before and after a rotation`(
            algorithm: String
        ) async throws {
            try #require(Self.isInstalled, Self.missing)
            let settings = ["secrets.signingAlgorithm=\(algorithm)"]
            try await Fixture.run(settings, people: ["accept@example.com"], within: .seconds(180)) { fixture in
                let name = try #require(["es256": "ES256", "eddsa": "EdDSA", "rs256": "RS256"][algorithm])
                let before = try await Self.signIn(fixture)
                try await fixture.daemon.order(["keys", "rotate", "--now"])
                let after = try await Self.signIn(fixture)
                let claims = try Self.header(before.accessToken)
                #expect(claims == name)
                let issuer = try Self.said(before.accessToken).iss
                let keySet = "\(fixture.daemon.url)/.well-known/jwks.json"

                let offline = try AccessTokenVerifier(
                    issuer: issuer,
                    audiences: ["bbms"],
                    keys: HTTPKeySetSource(address: keySet)
                )
                let found = try await Self.ask(
                    RunRequest(
                        keySet: keySet,
                        issuer: issuer,
                        audience: "bbms",
                        algorithm: name,
                        tokens: [
                            "before": before.accessToken, "after": after.accessToken,
                            "tampered": try Self.tampered(before.accessToken), "refresh": before.refreshToken,
                        ]
                    )
                )
                for (name, token) in [("before", before.accessToken), ("after", after.accessToken)] {
                    let ours = try Self.said(token)
                    for library in ["PyJWT", "joserfc"] {
                        let theirs = try #require(found[name]?[library] ?? nil, "\(library) refuses \(name)")
                        #expect(theirs.sub == ours.sub && theirs.sid == ours.sid && theirs.jti == ours.jti)
                    }
                    let token = try await offline.verify(token)
                    #expect(token.tokenID == ours.jti && token.account.uuidString.lowercased() == ours.sub)
                }
                for name in ["tampered", "refresh"] {
                    for library in ["PyJWT", "joserfc"] {
                        let answer = try #require(found[name]?[library])
                        #expect(answer == nil, "\(library) accepts \(name)")
                    }
                }
            }
        }

        // T-087
        @Test func `attack: a running daemon answers 401 to every forged token`() async throws {
            try await Fixture.run(people: ["accept@example.com"], within: .seconds(180)) { fixture in
                let tokens = try await Self.signIn(fixture)
                let workshop = try Self.workshop(fixture, tokens)
                let address = "\(fixture.daemon.url)/auth/me"
                func status(_ token: String) async throws -> Int {
                    try await fixture.web.send(.get, address, ["Authorization": "Bearer \(token)"]).status
                }
                #expect(try await status(tokens.accessToken) == 200)
                // Text that a header field can't carry never reaches it. Spaces at the end do not belong to a field.
                let sent = try workshop.forgeries().filter { forgery in
                    !forgery.token.isEmpty && forgery.token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
                        && forgery.token.utf8.count < 8192
                }
                #expect(sent.count > 140)
                for forgery in sent { #expect(try await status(forgery.token) == 401, "\(forgery)") }
                #expect(try await status(tokens.accessToken) == 200)
            }
        }

        // MARK: Steps

        private static func signIn(_ fixture: Fixture) async throws -> LoginTokens {
            let answer = try await fixture.app.follow(try await fixture.app.begin("accept@example.com"))
            return try #require(answer.tokens)
        }

        /// With the daemon's own key, as it lies in its folder.
        private static func workshop(_ fixture: Fixture, _ tokens: LoginTokens) throws -> Workshop {
            let folder = "\(fixture.daemon.dataFolder)/keys/signing"
            let kid = try Claims.keyID(tokens.accessToken)
            let pem = try String(contentsOfFile: "\(folder)/\(kid).pem", encoding: .utf8)
            let key = try #require(SigningKey(pem: pem, algorithm: .es256))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".pem") }
            let next = try #require(names.map { String($0.dropLast(4)) }.first { $0 != kid })
            let numbers = key.verificationKey.requiredMembers.compactMap { Base64URL.decode($0.value) }.flatMap(\.self)
            return try Workshop(
                good: tokens.accessToken,
                others: [("refresh token", tokens.refreshToken)],
                nextKid: next,
                publicEncodings: [("the public numbers", numbers), ("the point", [4] + numbers)]
            ) { try key.signature(for: $0) }
        }

        private static func ask(_ order: RunRequest) async throws -> [String: [String: Said?]] {
            let input = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
            let run = try await CommandRun.run(
                "env",
                [python, root + "/scripts/foreign-jwt.py"],
                input: input,
                within: .seconds(120)
            )
            #expect(run.code == 0, "\(run)")
            return try run.json([String: [String: Said?]].self)
        }

        private static func tampered(_ token: String) throws -> String {
            let parts = token.split(separator: ".")
            var signature = try #require(Base64URL.decode(parts[2]))
            signature[0] ^= 1
            return "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))"
        }

        private static func said(_ token: String) throws -> Said {
            let payload = try #require(Base64URL.decode(token.split(separator: ".")[1]))
            return try JSONDecoder().decode(Said.self, from: Data(payload))
        }

        private static func header(_ token: String) throws -> String {
            struct Header: Decodable { let alg: String }
            let header = try #require(Base64URL.decode(token.split(separator: ".")[0]))
            return try JSONDecoder().decode(Header.self, from: Data(header)).alg
        }
    }
}
