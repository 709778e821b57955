import Crypto
import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing

@testable import Assembly

extension MatrixCases {
    private static let mobile = "/api/mobile"
    private static let key = P256.Signing.PrivateKey()

    /// The views of the wallet app.
    static let wallet: [MatrixCase] = ["wallet/summary", "profile", "devices"].map { name in
        MatrixCase("GET \(mobile)/\(name)", .access) { _ in MatrixRequest("\(mobile)/\(name)") }.ofWallet
    }

    /// Devices, which belong to their owner whichever of them asks; a key is set up on its own device.
    static let phones: [MatrixCase] = [
        MatrixCase("POST \(mobile)/device/register", .access) { context in
            MatrixRequest("\(mobile)/device/register", json: Harness.registration(context.person.phone))
        }.ofWallet.about(.account).refusingStale,
        MatrixCase("PATCH \(mobile)/devices/{id}", .access) { context in
            MatrixRequest(try path(context), json: #"{"deviceName":"Work"}"#)
        }.ofWallet.about(.account),
        MatrixCase("DELETE \(mobile)/devices/{id}", .access) { context in
            MatrixRequest(try path(context))
        }.ofWallet.about(.account),
        MatrixCase("POST \(mobile)/device/push-token", .access) { context in
            let body = #"{"deviceId":"\#(context.person.phone)","pushToken":"token"}"#
            return MatrixRequest("\(mobile)/device/push-token", json: body)
        }.ofWallet.about(.account),
        MatrixCase("DELETE \(mobile)/device/push-token/{deviceId}", .access) { context in
            MatrixRequest("\(mobile)/device/push-token/\(context.person.phone)")
        }.ofWallet.about(.account),
        MatrixCase("POST \(Harness.biometric)/setup", .access) { context in
            MatrixRequest("\(Harness.biometric)/setup", json: setUp(context))
        }.ofWallet.about(.session),
        MatrixCase("POST \(Harness.biometric)/challenge", .nothing) { context in
            try await giveKey(context)
            return MatrixRequest("\(Harness.biometric)/challenge", json: #"{"deviceId":"\#(context.person.phone)"}"#)
        }.ofWallet,
        MatrixCase("POST \(Harness.biometric)/verify", .inRequest(ofAccount: true)) { context in
            try await giveKey(context)
            let challenge = try await context.harness.challenge(context.person.phone)
            let signature = try (context.isProved ? key : P256.Signing.PrivateKey()).signed(challenge)
            let body =
                #"{"deviceId":"\#(context.person.phone)","challenge":"\#(challenge)","signature":"\#(signature)"}"#
            return MatrixRequest("\(Harness.biometric)/verify", json: body)
        }.ofWallet,
    ]

    private static func path(_ context: MatrixContext) throws -> String {
        "\(mobile)/devices/\(try #require(context.person.device))"
    }

    private static func setUp(_ context: MatrixContext) -> String {
        let publicKey = Harness.spki(key.publicKey)
        return #"{"deviceId":"\#(context.person.phone)","publicKey":"\#(publicKey)","biometricType":"face"}"#
    }

    private static func giveKey(_ context: MatrixContext) async throws {
        let answer = try await context.harness.post("\(Harness.biometric)/setup", setUp(context), context.bearer)
        try #require(answer.status == .ok, "\(answer.text)")
    }
}
