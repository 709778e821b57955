import Crypto
import Foundation
import Kernel
import Testing

@testable import Devices

/// A device's key under payments: that of the session's own device, as it is when the payment is confirmed.
struct PaymentSignerTests {
    private typealias Harness = DeviceHarness
    private let harness = Harness()
    private let key = P256.Signing.PrivateKey()
    private static let text = "vestibule-payment-v1\n0\n12.50 EUR\nShop\nAAAA"

    @Test func `the key of the account's live device signs, and its use is counted with the confirmation`() async throws
    {
        let device = try await deviceWithKey()
        let signer = try #require(try await harness.service.signer(on: device, of: Harness.ada))
        #expect(signer.name == Harness.name && signer.device == device)
        #expect(signer.agrees(try sign(Self.text, by: key), to: Self.text))
        #expect(try await redeem(signer))
        let record = try await harness.unitOfWork.run { [harness] in try harness.store.key(of: device, in: $0) }
        #expect(record?.uses == 1)
    }

    // T-145
    @Test func `attack: a payment signature over another text or by another key is refused`() async throws {
        let device = try await deviceWithKey()
        let signer = try #require(try await harness.service.signer(on: device, of: Harness.ada))
        let dearer = Self.text.replacing("12.50", with: "12.51")
        #expect(!signer.agrees(try sign(dearer, by: key), to: Self.text))
        #expect(!signer.agrees(try sign(Self.text, by: P256.Signing.PrivateKey()), to: Self.text))
        #expect(!signer.agrees([], to: Self.text))
    }

    // T-145
    @Test func `attack: no signer exists for another account's device, a keyless one or a revoked one`() async throws {
        try await harness.register()
        let device = try #require(try await harness.signIn(Harness.ada))
        var signer = try await harness.service.signer(on: device, of: Harness.ada)
        #expect(signer == nil, "it has no key")
        try await setUp()
        signer = try await harness.service.signer(on: device, of: Harness.bob)
        #expect(signer == nil)
        #expect(try await harness.owned.revoke(device, of: Harness.ada, client: "app"))
        signer = try await harness.service.signer(on: device, of: Harness.ada)
        #expect(signer == nil)
    }

    // T-145
    @Test func `attack: a device revoked after its signer was read confirms no payment`() async throws {
        let device = try await deviceWithKey()
        let signer = try #require(try await harness.service.signer(on: device, of: Harness.ada))
        #expect(try await harness.owned.revoke(device, of: Harness.ada, client: "app"))
        #expect(try await !redeem(signer))
    }

    // T-145
    @Test func `attack: a key replaced after its signer was read confirms no payment`() async throws {
        let device = try await deviceWithKey()
        let signer = try #require(try await harness.service.signer(on: device, of: Harness.ada))
        try await setUp(P256.Signing.PrivateKey())
        #expect(try await !redeem(signer))
    }

    private func deviceWithKey() async throws -> DeviceID {
        try await harness.register()
        let device = try #require(try await harness.signIn(Harness.ada))
        try await setUp()
        return device
    }

    private func setUp(_ key: P256.Signing.PrivateKey? = nil) async throws {
        let order = DeviceKeyRequest(
            requester: DeviceKeyRequest.Requester(
                account: Harness.ada,
                session: Harness.session,
                device: try harness.device().id,
                isDeviceProven: true,
                isMailboxProven: true
            ),
            device: DeviceName(client: "app", device: Harness.name),
            key: try DeviceKey(spki: Array((key ?? self.key).publicKey.derRepresentation)),
            biometric: .face,
            oldSignature: nil,
            asker: "sv"
        )
        guard case .enabled = try await harness.service.setUp(order) else { throw NotSetUpError() }
    }

    private struct NotSetUpError: Error {}

    private func redeem(_ signer: PaymentSigner) async throws -> Bool {
        try await harness.unitOfWork.run { [harness] in try harness.service.redeem(signer, in: $0) }
    }

    private func sign(_ text: String, by key: P256.Signing.PrivateKey) throws -> [UInt8] {
        Array(try key.signature(for: Data(text.utf8)).derRepresentation)
    }
}
