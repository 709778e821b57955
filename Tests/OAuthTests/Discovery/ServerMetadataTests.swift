import Foundation
import Kernel
import Testing
import TokenReading

@testable import OAuth

/// Tests the server's metadata.
struct ServerMetadataTests {
    private static func document(
        _ grants: Set<OAuthClient.GrantType>,
        registration: Bool = false
    ) throws -> [String: Any] {
        let metadata = ServerMetadata(
            ServerMetadata.Description(
                issuer: "https://login.example.com",
                publicURL: "https://login.example.com",
                grants: grants,
                scopes: ScopeSet(["openid", "email"]),
                takesRegistrations: registration,
                readsClaimsParameter: false,
                signingAlgorithms: [.es256, .edDSA],
                clientAlgorithms: ["ES256", "PS256"],
                languages: ["en", "fr"]
            )
        )
        let json = try JSONEncoder().encode(metadata)
        return try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
    }

    // O-012, O-035
    @Test func `it has the members that OpenID Connect Discovery and RFC 8414 require`() throws {
        let document = try Self.document([.authorizationCode, .refreshToken])
        for name in [
            "issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "response_types_supported",
            "subject_types_supported", "id_token_signing_alg_values_supported",
        ] {
            #expect(document[name] != nil, "\(name)")
        }
        #expect(document["issuer"] as? String == "https://login.example.com")
        #expect(document["authorization_response_iss_parameter_supported"] as? Bool == true)
        #expect(document["code_challenge_methods_supported"] as? [String] == ["S256"])
        #expect(document["backchannel_logout_supported"] as? Bool == true)
        #expect(document["backchannel_logout_session_supported"] as? Bool == true)
        let methods = try #require(document["introspection_endpoint_auth_methods_supported"] as? [String])
        #expect(!methods.contains("none"))
    }

    // O-089
    @Test func `it names nothing that is switched off`() throws {
        let bare = try Self.document([.authorizationCode])
        let full = try Self.document(Set(OAuthClient.GrantType.allCases), registration: true)
        let optional = Set(full.keys).subtracting(bare.keys)
        #expect(
            optional == [
                "registration_endpoint", "device_authorization_endpoint", "backchannel_authentication_endpoint",
                "backchannel_token_delivery_modes_supported",
                "backchannel_authentication_request_signing_alg_values_supported",
                "backchannel_user_code_parameter_supported",
            ]
        )
        #expect(bare["grant_types_supported"] as? [String] == ["authorization_code"])
        #expect((full["grant_types_supported"] as? [String])?.count == OAuthClient.GrantType.allCases.count)
    }
}
