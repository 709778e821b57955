import AsyncHTTPClient
import Crypto
import Foundation
import Wire

/// A device with a key of its own.
struct SeededDevice: Sendable {
    static let signInPath = "/api/mobile/auth/biometric/verify"

    let id = UUID().uuidString.lowercased()
    let key = P256.Signing.PrivateKey()

    /// Nothing of what is sent needs escaping.
    func setUp(_ token: String, _ server: SeedServer, _ client: HTTPClient) async throws {
        let registration = #"{"deviceId":"\#(id)","platform":"android","deviceName":"Bench phone"}"#
        _ = try await server.post("/api/mobile/device/register", Data(registration.utf8), token: token, client)
        let spki = key.publicKey.derRepresentation.base64EncodedString()
        let order = #"{"deviceId":"\#(id)","publicKey":"\#(spki)","biometricType":"face"}"#
        _ = try await server.post("/api/mobile/auth/biometric/setup", Data(order.utf8), token: token, client)
    }

    /// A challenge's answer, which signs in once.
    func answer(_ server: SeedServer, _ client: HTTPClient) async throws -> String {
        let asked = Data(#"{"deviceId":"\#(id)"}"#.utf8)
        let (body, _) = try await server.post("/api/mobile/auth/biometric/challenge", asked, client)
        let challenge = try JSONDecoder().decode(BiometricChallengeResponse.self, from: body).challenge
        let signature = try signature(of: challenge)
        return #"{"deviceId":"\#(id)","signature":"\#(signature)","challenge":"\#(challenge)"}"#
    }

    /// The access token of a session on this device.
    func signIn(_ server: SeedServer, _ client: HTTPClient) async throws -> String {
        let answer = try await answer(server, client)
        let (body, _) = try await server.post(Self.signInPath, Data(answer.utf8), client)
        return try JSONDecoder().decode(SignInResponse.self, from: body).accessToken
    }

    /// Over exactly these bytes, in DER, base64.
    func signature(of text: String) throws -> String {
        try key.signature(for: Data(text.utf8)).derRepresentation.base64EncodedString()
    }
}

extension SeedServer {
    /// An access token of each owner's, in no order.
    ///
    /// Their app keeps no cookies, so that the sessions are on no device: one on a device gives no other a key.
    func signIn(_ owners: [String], _ clientID: String, _ client: HTTPClient) async throws -> [String] {
        let logins = try await share(owners) { owner in
            let verifier = CodeVerifier()
            let order = InitiateLoginRequest(
                email: owner,
                clientId: clientID,
                codeChallenge: verifier.challenge,
                codeChallengeMethod: "S256"
            )
            return try await begin(order, provenBy: verifier, opens: true, client)
        }
        return try await share(logins) { try await collect($0, client).accessToken }
    }
}
