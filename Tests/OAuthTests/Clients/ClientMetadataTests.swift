import Kernel
import Testing
import TokenReading

@testable import OAuth

/// Tests the registration of clients (RFC 7591 §2).
struct ClientMetadataTests {
    private static let uris = #""redirect_uris":["https://app.example.com/done"]"#
    private static let ciba = #""grant_types":["urn:openid:params:grant-type:ciba"]"#

    /// Returns the code of a refused registration, or `nil`.
    private func refusal(_ json: String, origin: OAuthClient.Origin = .registered) -> String? {
        do throws(OAuthError) {
            let metadata = try ClientMetadata(registration: Array(json.utf8))
            _ = try metadata.client(id: "id", origin: origin, secrets: [])
            return nil
        } catch { return error.code.rawValue }
    }

    @Test func `missing metadata is as RFC 7591 says, and the audience is the client's own id`() throws {
        let metadata = try ClientMetadata(registration: Array("{\(Self.uris),\"logo_uri\":7}".utf8))
        #expect(metadata.hasSecret)
        let client = try metadata.client(id: "id", origin: .registered, secrets: [SecretHash(.zero)])
        #expect(client.access.audience == "id" && client.name == "id" && client.origin == .registered)
        #expect(client.authentication == .secret([SecretHash(.zero)]))
        #expect(client.access.grants == [.authorizationCode])
        #expect(client.access.scopes.text == "email openid profile", "no refresh token, no offline_access")
        #expect(
            client.authorization.codeChallenge == .required && client.tokens.refresh == .offlineAccess
                && client.access.resources == []
        )
    }

    @Test func `a client registers where it is told of the end of its sessions`() throws {
        let json = """
            {\(Self.uris),"backchannel_logout_uri":"https://app.example.com/logout?a=b",
            "backchannel_logout_session_required":true}
            """
        let metadata = try ClientMetadata(registration: Array(json.utf8))
        let client = try metadata.client(id: "id", origin: .registered, secrets: [])
        let endpoint = LogoutEndpoint(uri: "https://app.example.com/logout?a=b", isSessionRequired: true)
        #expect(client.tokens.logout == endpoint)
        let issued = IssuedClient(client: client, secret: nil, createdAt: AssertionClaims.now)
        let answer = ClientInformation.json(issued, metadata, algorithm: .es256)
        #expect(answer.contains(#""backchannel_logout_session_required":true"#))
        #expect(answer.contains(#""backchannel_logout_uri":"https:"#))
    }

    // O-126
    @Test(arguments: [
        #""backchannel_logout_uri":"http://app.example.com/logout""#,
        #""backchannel_logout_uri":"http://127.0.0.1/logout""#,
        #""backchannel_logout_uri":"https://app.example.com/#x""#,
        #""backchannel_logout_uri":"com.example.app:/logout""#, #""backchannel_logout_uri":7"#,
        #""backchannel_logout_uri":"https://app.example.com/","backchannel_logout_session_required":"yes""#,
    ])
    func `attack: an endpoint of logout tokens is https without a fragment`(member: String) {
        #expect(refusal("{\(Self.uris),\(member)}") == "invalid_client_metadata")
    }

    @Test func `all of it can be written`() throws {
        let signer = try ClientSigner(.edDSA, kid: "a")
        let json = """
            {"client_name":"Büro","redirect_uris":["com.example.app:/done"],"token_endpoint_auth_method":"private_key_jwt",
            "jwks":\(signer.keySet),"scope":"openid offline_access","post_logout_redirect_uris":["https://app.example.com/bye"],
            "grant_types":["authorization_code","refresh_token","urn:openid:params:grant-type:ciba"],"response_types":["code"],
            "require_pushed_authorization_requests":true,"dpop_bound_access_tokens":true,"subject_type":"public",
            "backchannel_token_delivery_mode":"ping","backchannel_client_notification_endpoint":"https://app.example.com/p",
            "backchannel_authentication_request_signing_alg":"EdDSA","token_endpoint_auth_signing_alg":"EdDSA"}
            """
        let metadata = try ClientMetadata(registration: Array(json.utf8))
        let client = try metadata.client(id: "id", origin: .added, secrets: [])
        #expect(client.name == "Büro" && client.access.scopes.text == "offline_access openid")
        #expect(client.authorization.requiresPushedRequests && client.tokens.requiresDPoP)
        #expect(
            client.authorization.backchannel?.requiresSignedRequests == true
                && client.authorization.backchannel?.delivery == .ping
        )
        guard case .privateKeyJWT(let keys) = client.authentication else { throw UnexpectedMethodError() }
        #expect(keys.names == ["a"])
        let issued = IssuedClient(client: client, secret: nil, createdAt: AssertionClaims.now)
        let answer = try JSONReader.read(Array(ClientInformation.json(issued, metadata, algorithm: .es256).utf8))
        guard case .object(let members) = answer else { throw UnexpectedMethodError() }
        #expect(members["client_id"] == .string("id") && members["client_secret"] == nil)
        let bound = ClientSigner.keySet([signer.jwk.merging(["alg": "EdDSA"]) { $1 }])
        #expect(members["jwks"] == (try JSONReader.read(Array(bound.utf8))))
    }

    // O-086
    @Test(arguments: [(nil, "ES256"), ("RS256", "RS256"), ("ES256", "ES256")] as [(String?, String)])
    func `the algorithm of id tokens is kept, and named in the answer`(_ asked: String?, _ named: String) throws {
        let member = asked.map { #","id_token_signed_response_alg":"\#($0)""# } ?? ""
        let metadata = try ClientMetadata(registration: Array("{\(Self.uris)\(member)}".utf8))
        let client = try metadata.client(id: "id", origin: .registered, secrets: [], algorithms: [.es256, .rs256])
        #expect(client.tokens.identityAlgorithm?.rawValue == asked && client.tokens.identityClaims.isEmpty)
        let issued = IssuedClient(client: client, secret: nil, createdAt: AssertionClaims.now)
        let answer = try JSONReader.read(Array(ClientInformation.json(issued, metadata, algorithm: .es256).utf8))
        guard case .object(let members) = answer else { throw UnexpectedMethodError() }
        #expect(members["id_token_signed_response_alg"] == .string(named))
        #expect(members["subject_type"] == .string("public"))
    }

    @Test(arguments: [("[\"passkey\"]", ["passkey"]), ("[]", ["passkey", "face"]), ("null", ["passkey", "face"])])
    func `a registered client names the ways that are good enough, and is told them`(
        _ asked: String,
        _ named: [String]
    ) throws {
        let metadata = try ClientMetadata(registration: Array("{\(Self.uris),\"sign_in_ways\":\(asked)}".utf8))
        let client = try metadata.client(id: "id", origin: .registered, secrets: [])
        #expect(client.authorization.acceptedWays == Set(named.compactMap(SignInWay.init)))
        let issued = IssuedClient(client: client, secret: nil, createdAt: AssertionClaims.now)
        let answer = try JSONReader.read(Array(ClientInformation.json(issued, metadata, algorithm: .es256).utf8))
        guard case .object(let members) = answer else { throw UnexpectedMethodError() }
        #expect(members["sign_in_ways"] == .array(named.map(JSONValue.string)))
    }

    // O-086
    @Test func `an algorithm that id tokens are not signed with here is refused, and not dropped`() throws {
        let json = "{\(Self.uris),\"id_token_signed_response_alg\":\"EdDSA\"}"
        let metadata = try ClientMetadata(registration: Array(json.utf8))
        #expect(throws: OAuthError(.invalidClientMetadata, "id_token_signed_response_alg is one of ES256, RS256.")) {
            try metadata.client(id: "id", origin: .registered, secrets: [], algorithms: [.es256, .rs256])
        }
    }

    @Test func `a claim of the id token needs its scope`() throws {
        var metadata = ClientMetadata()
        metadata.redirectURIs = ["https://app.example.com/done"]
        metadata.identityClaims = [.email]
        metadata.scopes = ScopeSet(["openid"])
        #expect(throws: OAuthError(.invalidClientMetadata, "--id-token-claim email needs the scope email.")) {
            try metadata.client(id: "id", origin: .added, secrets: [])
        }
        metadata.scopes = ScopeSet(["openid", "email"])
        #expect(try metadata.client(id: "id", origin: .added, secrets: []).tokens.identityClaims == [.email])
    }

    private struct UnexpectedMethodError: Error {}

    @Test(
        arguments: [
            "", "[]", "{", "{\"redirect_uris\":\"x\"}", "{\(uris),\(uris)}",
            "{\(uris),\"jwks_uri\":\"https://a.example.com/\"}",
            "{\(uris),\"response_types\":[\"token\"]}", "{\(uris),\"response_types\":[\"code id_token\"]}",
            "{\(uris),\"grant_types\":[\"password\"]}", "{\(uris),\"grant_types\":[\"implicit\"]}",
            "{\(uris),\"grant_types\":[7]}", "{\(uris),\"sign_in_ways\":\"passkey\"}",
            "{\(uris),\"sign_in_ways\":[\"scan\"]}", "{\(uris),\"sign_in_ways\":[\"passkey\",\"mail\"]}",
            "{\(uris),\"sign_in_ways\":[\"password\"]}",
            "{\(uris),\"token_endpoint_auth_method\":\"client_secret_jwt\"}", "{\(uris),\"subject_type\":\"pairwise\"}",
            "{\(uris),\"token_endpoint_auth_method\":\"private_key_jwt\"}", "{\(uris),\"jwks\":{\"keys\":[]}}",
            "{\(uris),\"token_endpoint_auth_method\":\"private_key_jwt\",\"jwks\":{\"keys\":[]}}",
            "{\(uris),\"jwks\":\"x\"}",
            "{\(uris),\"tls_client_certificate_bound_access_tokens\":true}",
            "{\(uris),\"dpop_bound_access_tokens\":\"true\"}",
            "{\(uris),\"request_object_signing_alg\":\"none\"}",
            "{\(uris),\"token_endpoint_auth_signing_alg\":\"HS256\"}",
            "{\(uris),\"id_token_encrypted_response_alg\":\"RSA-OAEP\"}", "{\(uris),\"scope\":\"openid admin\"}",
            "{\(uris),\"scope\":\"a\\\"b\"}", "{\"grant_types\":[\"refresh_token\"]}", "{\(uris),\"client_name\":\"\"}",
            "{\(uris),\"client_name\":\"a\\nb\"}", "{\(uris),\"client_name\":\" a\"}",
            "{\(uris),\"client_name\":\"a\\u202Eb\"}",
            "{\(uris),\"client_name\":\"a\\u200Bb\"}",
            "{\(uris),\"client_name\":\"\(String(repeating: "a", count: 101))\"}",
            "{\(ciba)}", "{\(ciba),\"backchannel_token_delivery_mode\":\"mail\"}",
            "{\(ciba),\"backchannel_token_delivery_mode\":\"ping\"}",
            "{\(ciba),\"backchannel_token_delivery_mode\":\"poll\",\"backchannel_client_notification_endpoint\":\"https://a.example.com/\"}",
            "{\(ciba),\"backchannel_token_delivery_mode\":\"push\",\"backchannel_client_notification_endpoint\":\"http://127.0.0.1/\"}",
            "{\(ciba),\"backchannel_token_delivery_mode\":\"poll\",\"token_endpoint_auth_method\":\"none\"}",
            "{\(ciba),\"backchannel_token_delivery_mode\":\"poll\",\"backchannel_user_code_parameter\":true}",
            "{\(ciba),\"backchannel_token_delivery_mode\":\"poll\",\"backchannel_authentication_request_signing_alg\":\"ES256\"}",
            "{\(uris),\"backchannel_token_delivery_mode\":\"poll\"}",
        ])
    func `attack: inconsistent or unsupported client metadata gets invalid_client_metadata`(_ json: String) {
        #expect(refusal(json) == "invalid_client_metadata")
        // The same holds for the operator's clients, except the scopes.
        #expect(json.contains("admin") || refusal(json, origin: .added) == "invalid_client_metadata")
    }

    @Test func `a missing delivery is named in the refusal`() {
        #expect(
            words(.registered) { $0.grants = [.ciba] }
                == "The grant urn:openid:params:grant-type:ciba needs backchannel_token_delivery_mode, which is for it alone."
        )
        #expect(words(.added) { $0.grants = [.ciba] } == "--grant ciba needs --delivery, which is for it alone.")
    }

    /// Returns the message that refuses such metadata.
    private func words(_ origin: OAuthClient.Origin, _ change: (inout ClientMetadata) -> Void) -> String? {
        var metadata = ClientMetadata()
        change(&metadata)
        do throws(OAuthError) {
            _ = try metadata.client(id: "id", origin: origin, secrets: [])
            return nil
        } catch { return error.description }
    }

    // RFC 7591 §2 has the names for who registers; who types a command is told its options.
    // T-163
    @Test func `a client that registers itself is told members, an operator options`() {
        let demand = "is needed for authorization_code, and for that grant alone."
        #expect(words(.registered) { _ in } == "redirect_uris \(demand)")
        #expect(words(.added) { _ in } == "--redirect-uri \(demand)")
        func keyless(_ metadata: inout ClientMetadata) {
            metadata.redirectURIs = ["com.example.app:/done"]
            metadata.method = .privateKeyJWT
        }
        #expect(
            words(.registered, keyless)
                == "jwks belongs to token_endpoint_auth_method private_key_jwt, which needs it."
        )
        #expect(words(.added, keyless) == "--keys belongs to --auth private-key-jwt, which needs it.")
        let nameless: (inout ClientMetadata) -> Void = { $0.name = "" }
        #expect(words(.registered, nameless)?.hasPrefix("client_name ") == true)
        #expect(words(.added, nameless)?.hasPrefix("--name ") == true)
    }

    // T-185
    @Test(arguments: [
        ("https://app.example.com/n", true, true), ("http://127.0.0.1:9000/n", false, true),
        ("http://localhost/n", false, true), ("http://[::1]/n", false, true),
        ("http://app.example.com/n", false, false),
        ("http://127.0.0.1.example.com/n", false, false), ("com.example.app:/n", false, false), ("/n", false, false),
    ])
    func `attack: notification endpoints need https, except on a laptop to itself under the laptop rule`(
        _ endpoint: String,
        _ isSecure: Bool,
        _ isForLaptops: Bool
    ) {
        for (rule, isAllowed) in [(NotificationEndpointRule.secure, isSecure), (.laptop, isForLaptops)] {
            #expect(rule.allows(endpoint) == isAllowed)
            var metadata = ClientMetadata()
            metadata.grants = [.ciba]
            metadata.backchannel = .init(delivery: .push, notificationEndpoint: endpoint, requiresSignedRequests: false)
            let client = try? metadata.client(id: "id", origin: .added, secrets: [], notices: rule)
            #expect((client != nil) == isAllowed)
        }
    }

    // T-163
    @Test(arguments: [
        "\"poll\"", "\"ping\",\"backchannel_client_notification_endpoint\":\"https://127.0.0.1/\"",
        "\"push\",\"backchannel_client_notification_endpoint\":\"https://inside.example.com/\"",
    ])
    func `attack: a self-registered client gets no CIBA, while an operator's client does`(
        _ delivery: String
    ) {
        let json = "{\(Self.ciba),\"backchannel_token_delivery_mode\":\(delivery)}"
        #expect(refusal(json) == "invalid_client_metadata")
        #expect(refusal(json, origin: .added) == nil)
    }

    @Test(
        arguments: [
            "{}", "{\"redirect_uris\":[]}", "{\"redirect_uris\":[\"https://app.example.com/#a\"]}",
            "{\"redirect_uris\":[\"http://app.example.com/\"]}",
            "{\"redirect_uris\":[\"https://a.example.com/\",\"data:x\"]}",
            "{\(uris),\"post_logout_redirect_uris\":[\"javascript:alert(1)\"]}",
            "{\(uris),\"grant_types\":[\"urn:ietf:params:oauth:grant-type:device_code\"]}",
        ])
    func `attack: an invalid redirect URI in the metadata gets invalid_redirect_uri`(_ json: String) {
        #expect(refusal(json) == "invalid_redirect_uri")
    }

    // T-165
    @Test func `attack: client metadata that is too long, too deep or has too many addresses is refused`() {
        let many = (1...11).map { "\"https://app.example.com/\($0)\"" }.joined(separator: ",")
        #expect(refusal("{\"redirect_uris\":[\(many)]}") == "invalid_client_metadata")
        #expect(
            refusal("{\(Self.uris),\"x\":\"\(String(repeating: "a", count: 33_000))\"}") == "invalid_client_metadata"
        )
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        #expect(refusal("{\(Self.uris),\"x\":\(deep)}") == "invalid_client_metadata")
    }

    @Test func `the operator may write any scope, and resources`() throws {
        #expect(refusal("{\(Self.uris),\"scope\":\"openid admin\"}", origin: .added) == nil)
        var metadata = ClientMetadata()
        metadata.redirectURIs = ["com.example.app:/done"]
        metadata.resources = ["https://api.example.com/v1"]
        #expect(try metadata.client(id: "id", origin: .added, secrets: []).access.resources == metadata.resources)
        for resource in ["http://api.example.com/", "https://api.example.com/#a", "https://api.example.com/?a", "api"] {
            metadata.resources = [resource]
            #expect(throws: OAuthError.self) { try metadata.client(id: "id", origin: .added, secrets: []) }
        }
    }

    // O-086
    /// OpenID Connect Registration §2, RFC 9101 §10.5, JARM §3, RFC 9701 §6: a client that is told yes relies on it.
    @Test(arguments: [
        #""require_signed_request_object":true"#, #""id_token_signed_response_alg":"none""#,
        #""id_token_signed_response_alg":"HS256""#, #""request_object_encryption_alg":"RSA-OAEP""#,
        #""authorization_signed_response_alg":"ES256""#, #""introspection_signed_response_alg":"ES256""#,
        #""default_max_age":60"#,
    ])
    func `attack: client metadata that asks for an unsupported feature is refused`(_ member: String) {
        #expect(refusal("{\(Self.uris),\(member)}") == "invalid_client_metadata")
    }

    // O-086
    /// OpenID Connect Registration §2, `token_endpoint_auth_signing_alg` and `request_object_signing_alg`: what is signed by
    /// another algorithm has to be rejected.
    @Test(arguments: ["token_endpoint_auth_signing_alg", "request_object_signing_alg"])
    func `attack: a client that registered a signing algorithm is refused with another one`(_ name: String) throws {
        let signer = try ClientSigner(.rs256, kid: "r")
        func json(_ algorithm: String, _ keySet: String, further: String = "") -> String {
            """
            {\(Self.uris),"token_endpoint_auth_method":"private_key_jwt","jwks":\(keySet),"\(name)":"\(algorithm)"\(further)}
            """
        }
        let metadata = try ClientMetadata(registration: Array(json("PS256", signer.keySet).utf8))
        let client = try metadata.client(id: "id", origin: .registered, secrets: [])
        guard case .privateKeyJWT(let keys) = client.authentication else { throw UnexpectedMethodError() }
        let token = try ClientToken(parsing: signer.token("{}"), types: ["jwt"])
        #expect(throws: TokenError.algorithm) { try token.claims(signedBy: keys) }
        let issued = IssuedClient(client: client, secret: nil, createdAt: AssertionClaims.now)
        let answer = try JSONReader.read(Array(ClientInformation.json(issued, metadata, algorithm: nil).utf8))
        guard case .object(let members) = answer else { throw UnexpectedMethodError() }
        #expect(members[name] == .string("PS256"))
        // Keys that can't sign by it, and two algorithms for the same keys.
        #expect(refusal(json("ES256", signer.keySet)) == "invalid_client_metadata")
        let bound = ClientSigner.keySet([signer.jwk.merging(["alg": "RS256"]) { $1 }])
        #expect(refusal(json("PS256", bound)) == "invalid_client_metadata")
        #expect(refusal(json("RS256", bound)) == nil)
        let further = #","backchannel_authentication_request_signing_alg":"RS256""#
        #expect(refusal(json("PS256", signer.keySet, further: further)) == "invalid_client_metadata")
    }

    // O-086
    /// RFC 7517 §4.3.
    @Test(arguments: [(#"["verify"]"#, true), (#"["deriveKey"]"#, false), ("[]", false), (#""verify""#, false)])
    func `attack: a client key whose key_ops do not allow verification is refused`(
        _ operations: String,
        _ isGood: Bool
    ) throws {
        let set = try ClientSigner(.es256, kid: "k").keySet.replacing(
            "\"kid\"",
            with: "\"key_ops\":\(operations),\"kid\""
        )
        let keys = try? ClientKeySet(checking: set)
        #expect((keys != nil) == isGood)
    }
}
