import Foundation
import Kernel
import Testing

@testable import OAuth

/// Tests the authentication of clients (RFC 6749 §2.3).
struct ClientAuthenticatorTests {
    private let harness: ClientHarness

    init() throws { harness = try ClientHarness() }

    private func basic(_ id: String, _ secret: String) -> String {
        "Basic " + Data("\(id):\(secret)".utf8).base64EncodedString()
    }

    // O-075
    @Test func `a client authenticates with its registered method`() throws {
        let secret = ClientHarness.secret.expose()
        #expect(harness.outcome { $0.clientID = "app" } == "app none")
        #expect(harness.outcome { $0.basic = basic("web", secret) } == "web client_secret_basic")
        #expect(
            harness.outcome {
                $0.clientID = "web"
                $0.clientSecret = secret
            } == "web client_secret_post"
        )
        #expect(try harness.assert(AssertionClaims().json) == "backend private_key_jwt")
    }

    @Test func `the header is read as clients write it, form-encoded or not, whatever the case of its scheme`() {
        let secret = ClientHarness.secret.expose()
        let encoded = secret.utf8.map { "%" + (($0 < 16 ? "0" : "") + String($0, radix: 16)) }.joined()
        for field in [
            basic("web", secret), basic("web", encoded), basic("%77eb", secret),
            basic("web", secret).replacingOccurrences(of: "Basic", with: "bAsIc"),
        ] {
            #expect(harness.outcome { $0.basic = field } == "web client_secret_basic", "\(field)")
        }
    }

    @Test(
        arguments: [
            "Bearer abc", "Basic", "Basic !!!", "Basic " + Data("web".utf8).base64EncodedString(),
            "Basic " + Data(":secret".utf8).base64EncodedString(),
            "Basic " + Data("web:%zz".utf8).base64EncodedString(),
            "Basic " + Data([0xFF, 0x3A, 0x61]).base64EncodedString(),
            "Basic " + Data(Array(repeating: UInt8(ascii: "a"), count: 4096)).base64EncodedString(),
        ])
    func `attack: a Basic header without client id and secret is refused`(_ field: String) {
        #expect(harness.outcome { $0.basic = field } == "invalid_client")
    }

    // O-075, O-078
    @Test func `attack: two client authentication methods in one request are refused, also when both are valid`() throws
    {
        let secret = ClientHarness.secret.expose()
        let token = try harness.signer.token(AssertionClaims().json)
        let mixtures: [@Sendable (inout ClientCredentials) -> Void] = [
            {
                $0.basic = "Basic d2ViOng="
                $0.clientSecret = secret
            },
            {
                $0.basic = "Basic d2ViOng="
                $0.show(token)
            },
            {
                $0.clientID = "web"
                $0.clientSecret = secret
                $0.show(token)
            },
        ]
        for mixture in mixtures { #expect(harness.outcome(mixture) == "invalid_request") }
        #expect(try harness.assert(AssertionClaims().json) == "backend private_key_jwt", "and used nothing up")
    }

    // O-075
    @Test func `attack: a client_id that differs from the client credentials is refused`() throws {
        let token = try harness.signer.token(AssertionClaims().json)
        #expect(
            harness.outcome {
                $0.basic = basic("web", ClientHarness.secret.expose())
                $0.clientID = "app"
            } == "invalid_request"
        )
        #expect(
            harness.outcome {
                $0.show(token)
                $0.clientID = "web"
            } == "invalid_request"
        )
        #expect(
            harness.outcome {
                $0.show(token)
                $0.clientID = "backend"
            } == "backend private_key_jwt"
        )
    }

    // O-075
    @Test func `attack: a client id alone, or a secret of a client without secrets, is refused`() {
        #expect(harness.outcome { $0.clientID = "web" } == "invalid_client")
        #expect(harness.outcome { $0.clientID = "backend" } == "invalid_client")
        for id in ["app", "backend"] {
            for secret in ["", "x", ClientHarness.secret.expose()] {
                #expect(harness.outcome { $0.basic = basic(id, secret) } == "invalid_client", "\(id)")
            }
        }
        #expect(harness.outcome { _ in } == "invalid_client")
    }

    // T-158, O-078
    @Test func `attack: unknown and disabled clients and wrong secrets get the same error`() {
        func refusal(_ fill: (inout ClientCredentials) -> Void) -> OAuthError? {
            do throws(OAuthError) {
                _ = try harness.authenticator.authenticate(ClientHarness.credentials(fill), at: AssertionClaims.now)
                return nil
            } catch { return error }
        }
        let wrong = refusal { $0.basic = basic("web", "wrong") }
        #expect(wrong?.code == .invalidClient)
        #expect(refusal { $0.basic = basic("nobody", "wrong") } == wrong)
        #expect(refusal { $0.basic = basic("gone", ClientHarness.secret.expose()) } == wrong)
        #expect(refusal { $0.basic = basic("app", "wrong") } == wrong)
        #expect(refusal { $0.clientID = "gone-app" } == wrong)
        #expect(refusal { $0.clientID = "nobody" } == wrong)
    }

    @Test func `a secret that is rotated out counts until its end, not at it`() {
        let end = AssertionClaims.now + .seconds(60)
        let field = basic("web", ClientHarness.earlier.expose())
        #expect(harness.outcome(at: end - .milliseconds(1)) { $0.basic = field } == "web client_secret_basic")
        #expect(harness.outcome(at: end) { $0.basic = field } == "invalid_client")
        let current = basic("web", ClientHarness.secret.expose())
        #expect(harness.outcome(at: end) { $0.basic = current } == "web client_secret_basic")
    }

    // T-157
    @Test func `attack: a client secret that is shortened, extended or in another case is refused`() {
        let secret = ClientHarness.secret.expose()
        for wrong in ["", String(secret.dropLast()), secret + "A", secret.uppercased(), " " + secret, secret + "\n"] {
            #expect(
                harness.outcome {
                    $0.clientID = "web"
                    $0.clientSecret = wrong
                } == "invalid_client"
            )
        }
    }

    // T-209, O-076
    @Test func `attack: the stored hash of a client secret is no secret, and does not match under another key`() {
        let hash = ClientSecrets(key: ClientHarness.key).hash(ClientHarness.secret)
        let text = Base64URL.encode(hash.digest.bytes)
        #expect(harness.outcome { $0.basic = basic("web", text) } == "invalid_client")
        let other = ClientSecrets(key: Digest256(Array(repeating: UInt8(8), count: 32)) ?? .zero)
        #expect(other.hash(ClientHarness.secret) != hash)
        #expect(!other.matches(ClientHarness.secret.expose(), [hash], at: AssertionClaims.now))
    }

    // T-157
    @Test func `a chosen secret is long, and of characters that no header changes`() {
        #expect(ClientSecrets.isStrong(ClientHarness.secret))
        for weak in ["short", String(repeating: "a", count: 31), String(repeating: "%", count: 40)] {
            #expect(!ClientSecrets.isStrong(Secret(weak)))
        }
        #expect(!ClientSecrets.isStrong(Secret(String(repeating: "a", count: 257))))
    }
}
