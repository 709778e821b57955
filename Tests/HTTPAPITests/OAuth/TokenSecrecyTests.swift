import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Testing

@testable import Assembly
@testable import HTTPAPI

/// Where codes and tokens are to be found (RFC 9700 §4.2.4, §4.9.3; RFC 6749 §10.3 to §10.5).
struct TokenSecrecyTests {
    // T-209, O-068
    @Test func `attack: no code, token or client secret is in the log or the data folder`() async throws {
        try await TokenFixture.run(storage: .sqlite) { fixture in
            let (code, unused) = (try await fixture.code(of: "web"), try await fixture.code())
            let tokens = try await fixture.redeem(code, as: "web").decode(TokensOfTest.self)
            let fresh = try await fixture.refresh(tokens.refreshToken, as: "web").decode(TokensOfTest.self)
            #expect(try await fixture.isActive(fresh.accessToken, as: "web"))
            _ = try await fixture.send(.get, "/oauth/userinfo?access_token=\(fresh.accessToken)", fresh.bearer)
            _ = try await fixture.redeem(unused, as: "stranger")
            try fixture.expect(try await fixture.redeem(code, as: "web"), is: .invalidGrant)
            var secrets = [code, unused, tokens.accessToken, fresh.accessToken]
            for token in [tokens.refreshToken, fresh.refreshToken, tokens.idToken, fresh.idToken] {
                secrets.append(try #require(token))
            }
            for (name, value) in fixture.shown("web") where name == "client_secret" { secrets.append(value) }
            #expect(secrets.count == 9)
            // Of a token the signature is what nobody else can make.
            let looked = secrets.map { $0.split(separator: ".").last.map { String($0) } ?? $0 }
            #expect(looked.count { $0.utf8.count >= 43 } == 9)

            let log = fixture.harness.log.lines.map(\.text).joined(separator: "\n")
            let folder = fixture.harness.folder.path
            var files = 0
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                guard let bytes = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
                files += 1
                for secret in looked { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)") }
            }
            #expect(files > 2, "the database is among them")
            for secret in looked { #expect(!log.contains(secret)) }
        }
    }
}
