import Accounts
import Audit
import Crypto
import Devices
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import SignIn
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// A phone that somebody has signed in on, and what its app holds.
struct PhoneOfTest: Sendable {
    let deviceID: String
    let device: DeviceID
    let credential: String
    let tokens: SignInResponse

    var bearer: HTTPFields { [.authorization: "Bearer \(tokens.accessToken)"] }
    var json: HTTPFields { bearer.adding(.contentType, "application/json") }
}

extension Harness {
    static let phone = "0B54B1A2-6C1F-4C1E-9D9C-3F6F0A0F7A11"
    static let otherPhone = "1b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a12"

    static func registration(_ deviceID: String = phone, pushToken: String? = nil) -> String {
        let token = pushToken.map { #","pushToken":"\#($0)""# } ?? ""
        return #"{"deviceId":"\#(deviceID)","platform":"ios","deviceName":"Ada’s phone"\#(token)}"#
    }

    func registerPhone(
        _ deviceID: String = phone,
        _ headers: HTTPFields = [:],
        pushToken: String? = nil
    ) async throws -> TestResponse {
        let body = Self.registration(deviceID, pushToken: pushToken)
        return try await post("/api/mobile/device/register", body, headers)
    }

    /// Registers the phone and signs in on it.
    func phone(
        _ email: String = "ada@example.com",
        _ deviceID: String = phone,
        proof: AuthenticationProof = .password
    ) async throws -> PhoneOfTest {
        let registered = try await registerPhone(deviceID)
        try #require(registered.status == .ok, "\(registered.text)")
        let credential = try registered.decode(DeviceRegistrationResponse.self).deviceCredential
        return try await signIn(email, on: deviceID, showing: credential, proof: proof)
    }

    /// Signs in on the phone as whatever way of signing in does.
    func signIn(
        _ email: String,
        on deviceID: String,
        showing credential: String,
        proof: AuthenticationProof = .password
    ) async throws -> PhoneOfTest {
        let account = try await composition.accounts.show(email).account.id
        let policy = try settings.clientDirectory.client(named: "mwsim", surface: nil)
        let (door, registrar) = (composition.door, composition.devices.registrar)
        let registration = DeviceRegistration(
            name: DeviceName(client: policy.clientID, device: deviceID),
            label: "",
            platform: nil,
            credential: Digest256(sha256: credential)
        )
        let (device, opened) = try await composition.unitOfWork.run { transaction in
            let device = try registrar.signIn(
                account,
                on: registration,
                requester: nil,
                opening: composition.environment.newID(),
                in: transaction
            )?.id
            let request = SignInRequest(
                account: account,
                proof: proof,
                policy: policy,
                device: SignInOrigin(device: device, name: deviceID)
            )
            return (device, try door.open(request, in: transaction))
        }
        let answer = try await answer(try #require(opened)).decode(SignInResponse.self)
        return PhoneOfTest(deviceID: deviceID, device: try #require(device), credential: credential, tokens: answer)
    }

    func devices(_ phone: PhoneOfTest) async throws -> [OwnedDeviceView] {
        let response = try await send(.get, "/api/mobile/devices", phone.bearer)
        try #require(response.status == .ok, "\(response.text)")
        return try response.decode(OwnedDevicesResponse.self).devices
    }
}

// By a key.
extension Harness {
    static let biometric = "/api/mobile/auth/biometric"

    static func spki(_ key: P256.Signing.PublicKey) -> String { key.derRepresentation.base64EncodedString() }

    func setUp(
        _ publicKey: String,
        _ phone: PhoneOfTest,
        type: String = "face",
        oldKeySignature: String? = nil
    ) async throws -> TestResponse {
        let old = oldKeySignature.map { #","oldKeySignature":"\#($0)""# } ?? ""
        let body =
            #"{"deviceId":"\#(phone.deviceID)","publicKey":"\#(publicKey)","biometricType":"\#(type)"\#(old)}"#
        return try await post(Self.biometric + "/setup", body, phone.bearer)
    }

    func challenge(_ deviceID: String = phone) async throws -> String {
        let response = try await post(Self.biometric + "/challenge", #"{"deviceId":"\#(deviceID)"}"#)
        try #require(response.status == .ok, "\(response.text)")
        return try response.decode(BiometricChallengeResponse.self).challenge
    }

    func verify(
        _ challenge: String,
        _ signature: String,
        _ deviceID: String = phone,
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        let body = #"{"deviceId":"\#(deviceID)","signature":"\#(signature)","challenge":"\#(challenge)"}"#
        return try await post(Self.biometric + "/verify", body, headers)
    }
}

// A sign-in by a key that was set up.
extension Harness {
    /// Signs in on the phone by that key.
    func signIn(by key: P256.Signing.PrivateKey, _ deviceID: String = phone) async throws -> SignInResponse {
        let challenge = try await challenge(deviceID)
        let answer = try await verify(challenge, key.signed(challenge), deviceID)
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.decode(SignInResponse.self)
    }
}

extension P256.Signing.PrivateKey {
    /// The signature over the text, base64.
    func signed(_ text: String) throws -> String {
        try signature(for: Data(text.utf8)).derRepresentation.base64EncodedString()
    }
}
