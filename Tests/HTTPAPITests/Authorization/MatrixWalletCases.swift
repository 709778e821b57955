import Crypto
import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing

@testable import Vestibule

extension MatrixCases {
    private static let mobile = "/api/mobile"
    private static let key = P256.Signing.PrivateKey()

    /// The views of the wallet app.
    static let wallet: [MatrixCase] = ["wallet/summary", "profile", "devices"].map { name in
        MatrixCase("GET \(mobile)/\(name)", .access) { _ in MatrixRequest("\(mobile)/\(name)") }.ofWallet
    }

    /// Devices, which belong to their owner whichever of them asks; a key is set up on its own device.
    static let phones: [MatrixCase] = [
        MatrixCase("POST \(mobile)/device/register", .access) { visit in
            MatrixRequest("\(mobile)/device/register", json: Bench.registration(visit.person.phone))
        }.ofWallet.about(.account).refusingStale,
        MatrixCase("PATCH \(mobile)/devices/{id}", .access) { visit in
            MatrixRequest(try path(visit), json: #"{"deviceName":"Work"}"#)
        }.ofWallet.about(.account),
        MatrixCase("DELETE \(mobile)/devices/{id}", .access) { visit in
            MatrixRequest(try path(visit))
        }.ofWallet.about(.account),
        MatrixCase("POST \(mobile)/device/push-token", .access) { visit in
            let body = #"{"deviceId":"\#(visit.person.phone)","pushToken":"token"}"#
            return MatrixRequest("\(mobile)/device/push-token", json: body)
        }.ofWallet.about(.account),
        MatrixCase("DELETE \(mobile)/device/push-token/{deviceId}", .access) { visit in
            MatrixRequest("\(mobile)/device/push-token/\(visit.person.phone)")
        }.ofWallet.about(.account),
        MatrixCase("POST \(Bench.biometric)/setup", .access) { visit in
            MatrixRequest("\(Bench.biometric)/setup", json: setUp(visit))
        }.ofWallet.about(.session),
        MatrixCase("POST \(Bench.biometric)/challenge", .nothing) { visit in
            try await giveKey(visit)
            return MatrixRequest("\(Bench.biometric)/challenge", json: #"{"deviceId":"\#(visit.person.phone)"}"#)
        }.ofWallet,
        MatrixCase("POST \(Bench.biometric)/verify", .inRequest(ofAccount: true)) { visit in
            try await giveKey(visit)
            let challenge = try await visit.bench.challenge(visit.person.phone)
            let signature = try (visit.isProved ? key : P256.Signing.PrivateKey()).signed(challenge)
            let body =
                #"{"deviceId":"\#(visit.person.phone)","challenge":"\#(challenge)","signature":"\#(signature)"}"#
            return MatrixRequest("\(Bench.biometric)/verify", json: body)
        }.ofWallet,
    ]

    private static func path(_ visit: MatrixVisit) throws -> String {
        "\(mobile)/devices/\(try #require(visit.person.device))"
    }

    private static func setUp(_ visit: MatrixVisit) -> String {
        let publicKey = Bench.spki(key.publicKey)
        return #"{"deviceId":"\#(visit.person.phone)","publicKey":"\#(publicKey)","biometricType":"face"}"#
    }

    private static func giveKey(_ visit: MatrixVisit) async throws {
        let answer = try await visit.bench.post("\(Bench.biometric)/setup", setUp(visit), visit.bearer)
        try #require(answer.status == .ok, "\(answer.text)")
    }
}
