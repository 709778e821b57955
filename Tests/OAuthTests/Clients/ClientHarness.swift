import Kernel
import Synchronization
import Testing

@testable import OAuth

/// Clients of every kind, and what authenticates them.
struct ClientHarness: Sendable {
    static let secret = Secret("0123456789abcdefghijklmnopqrstuvwxyzABCDEFG")
    static let earlier = Secret("earlier-0123456789abcdefghijklmnopqrstuvwxyz")
    static let key = Digest256(Array(repeating: UInt8(7), count: 32)) ?? .zero

    let signer: ClientSigner
    let directory: OAuthClientDirectory
    let memory: AssertionMemory
    let authenticator: ClientAuthenticator

    init(signer: ClientSigner? = nil, keySet: String? = nil, limit: Int = 1000) throws {
        let signer = try signer ?? ClientSigner(.es256, kid: "k1")
        self.signer = signer
        let secrets = ClientSecrets(key: Self.key)
        directory = OAuthClientDirectory(configured: [
            Self.client("app", .none),
            Self.client(
                "web",
                .secret([
                    secrets.hash(Self.secret),
                    SecretHash(secrets.hash(Self.earlier).digest, expiresAt: AssertionClaims.now + .seconds(60)),
                ])
            ),
            Self.client("backend", .privateKeyJWT(ClientKeySet(document: keySet ?? signer.keySet))),
            Self.client("gone", .secret([secrets.hash(Self.secret)]), isEnabled: false),
            Self.client("gone-app", .none, isEnabled: false),
        ])
        memory = AssertionMemory(limit: limit, environment: Self.environment)
        authenticator = ClientAuthenticator(directory: directory, secrets: secrets, assertions: memory)
    }

    static var environment: Environment {
        Environment(
            now: { AssertionClaims.now },
            clock: StoppedClock(),
            randomBytes: { Array(repeating: 5, count: $0) }
        )
    }

    static func client(
        _ id: String,
        _ authentication: OAuthClient.Authentication,
        isEnabled: Bool = true
    ) -> OAuthClient {
        OAuthClient(
            id: id,
            name: id,
            origin: .config,
            isEnabled: isEnabled,
            authentication: authentication,
            access: OAuthClient.Access(grants: [.authorizationCode], scopes: ScopeSet(["openid"]), audience: id)
        )
    }

    static func credentials(_ fill: (inout ClientCredentials) -> Void) -> ClientCredentials {
        var credentials = ClientCredentials(
            audiences: [AssertionClaims.issuer, "\(AssertionClaims.issuer)/oauth/token"]
        )
        fill(&credentials)
        return credentials
    }

    /// Returns the method of a request, or the code of the refusal.
    func outcome(at now: Instant = AssertionClaims.now, _ fill: (inout ClientCredentials) -> Void) -> String {
        do throws(OAuthError) {
            let shown = try authenticator.authenticate(Self.credentials(fill), at: now)
            return "\(shown.client.id) \(shown.method.rawValue)"
        } catch { return error.code.rawValue }
    }

    /// Returns the result of an assertion.
    func assert(
        _ claims: String,
        header: [String: String?] = [:],
        at now: Instant = AssertionClaims.now
    ) throws -> String {
        let token = try signer.token(claims, header: header)
        return outcome(at: now) { $0.show(token) }
    }
}

extension ClientCredentials {
    mutating func show(_ token: String) {
        assertion = token
        assertionType = ClientAssertion.type
    }
}

/// A clock that nothing here waits for.
private struct StoppedClock: MonotonicClock {
    var now: Uptime { Uptime(nanoseconds: 0) }
    func sleep(until deadline: Uptime) async throws {}
}
