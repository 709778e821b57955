import Crypto
import Foundation
import Kernel
import Testing

@testable import Devices

/// Keys of devices: given, used, replaced.
struct DeviceKeyServiceTests {
    private typealias Harness = DeviceHarness
    private let harness = Harness()
    private let key = P256.Signing.PrivateKey()

    @Test func `a key that was set up signs in, over the text of the challenge or over its bytes`() async throws {
        let device = try await ownedDevice()
        #expect(try await setUp(key) == .enabled(isReplacement: false))
        for isOverText in [true, false] {
            let challenge = try await challenge()
            let bytes = try #require(Data(base64Encoded: challenge))
            #expect(bytes.count == 32)
            let signature = try key.signature(for: isOverText ? Data(challenge.utf8) : bytes)
            let proven = try await proven(challenge, Array(signature.derRepresentation))
            #expect(proven.device == device && proven.account == Harness.ada && proven.name == Harness.name)
            #expect(try await redeem(proven))
        }
        let record = try await record()
        #expect(record.uses == 2 && record.cloneSigns == 0 && record.lastUsedAt == harness.time.instant)
        #expect(harness.audited == [.owned, .keyAdded])
    }

    // T-099
    @Test func `attack: a session ended after the request was admitted can't set a device key`() async throws {
        _ = try await ownedDevice()
        harness.origins.end(Harness.session)
        #expect(try await setUp(key) == .unknownDevice)
    }

    @Test func `a proven device reports how it recognised the person`() async throws {
        _ = try await ownedDevice()
        for kind in [BiometricKind.face, .fingerprint] {
            let key = P256.Signing.PrivateKey()
            _ = try await setUp(key, kind: kind, isMailboxProven: true)
            let challenge = try await challenge()
            let proven = try await proven(challenge, sign(challenge, by: key))
            #expect(proven.biometric == kind)
            _ = try await redeem(proven)
        }
    }

    // T-125
    @Test func `attack: a repeated device signature is refused and counted as a clone sign, audited once`() async throws
    {
        _ = try await ownedDevice()
        _ = try await setUp(key)
        let challenge = try await challenge()
        let signature = try sign(challenge)
        let proven = try await proven(challenge, signature)
        #expect(try await redeem(proven))
        #expect(try await !redeem(proven), "two answers at a time: one of them")
        for _ in 0..<3 { #expect(try await check(challenge, signature) == .refused) }
        #expect(try await record().cloneSigns == 3)
        #expect(harness.audited.filter { $0 == .cloneSign }.count == 1, "the audit is not to be filled")
        #expect(try await self.challenge() != challenge)
    }

    // T-125
    @Test func `attack: a signature over another or an expired challenge is refused`() async throws {
        _ = try await ownedDevice()
        _ = try await setUp(key)
        let invented = Data(repeating: 1, count: 32).base64EncodedString()
        #expect(try await check(invented, sign(invented)) == .refused, "before there is one")
        let first = try await challenge()
        harness.time.advance(by: .seconds(200))
        let second = try await challenge()
        #expect(first != second)
        #expect(try await check(first, sign(first)) == .refused)
        #expect(try await check(second, sign(first)) == .refused)
        #expect(try await check(second, sign(second, by: P256.Signing.PrivateKey())) == .refused)
        #expect(try await check(second + "=", sign(second + "=")) == .refused)
        #expect(try await redeem(proven(second, sign(second))))
        #expect(try await record().cloneSigns == 0)
    }

    @Test func `a challenge is good for five minutes, and no longer, also between the check and the sign-in`()
        async throws
    {
        _ = try await ownedDevice()
        _ = try await setUp(key)
        let challenge = try await challenge()
        harness.time.advance(by: .milliseconds(299_999))
        let proven = try await proven(challenge, sign(challenge))
        harness.time.advance(by: .milliseconds(1))
        #expect(try await !redeem(proven))
        #expect(try await check(challenge, sign(challenge)) == .refused)
    }

    // T-125
    @Test func `attack: further requests for a challenge return the one that is being signed`() async throws {
        _ = try await ownedDevice()
        _ = try await setUp(key)
        let challenge = try await challenge()
        for _ in 0..<50 {
            harness.time.advance(by: .seconds(3))
            #expect(try await self.challenge() == challenge)
        }
        #expect(try await redeem(proven(challenge, sign(challenge))))
    }

    @Test func `attack: a device without owner or key, revoked, expired or unknown, gets no challenge`()
        async throws
    {
        #expect(
            try await harness.service.challenge(for: DeviceName(client: "app", device: Harness.name)) == nil,
            "unknown"
        )
        try await harness.register()
        #expect(
            try await harness.service.challenge(for: DeviceName(client: "app", device: Harness.name)) == nil,
            "nobody's"
        )
        #expect(try await setUp(key) == .unknownDevice)
        let device = try #require(try await harness.signIn(Harness.ada))
        #expect(
            try await harness.service.challenge(for: DeviceName(client: "app", device: Harness.name)) == nil,
            "without a key"
        )
        _ = try await setUp(key)
        let challenge = try await challenge()
        let proven = try await proven(challenge, sign(challenge))
        #expect(try await harness.service.challenge(for: DeviceName(client: "other", device: Harness.name)) == nil)
        #expect(try await harness.owned.revoke(device, of: Harness.ada, client: "app"))
        #expect(
            try await harness.service.challenge(for: DeviceName(client: "app", device: Harness.name)) == nil,
            "revoked"
        )
        #expect(try await check(challenge, sign(challenge)) == .notEnabled)
        #expect(try await !redeem(proven), "revoked between the check and the sign-in")
    }

    // T-099
    @Test func `attack: a device key is refused for another account's device or another session's`() async throws {
        let device = try await ownedDevice()
        #expect(try await setUp(key, account: Harness.bob) == .unknownDevice)
        #expect(try await setUp(key, on: DeviceID(UUIDBits(high: 9, low: 9))) == .unknownDevice)
        #expect(try await setUp(key, on: device) == .enabled(isReplacement: false))
    }

    // T-099
    @Test func `attack: a session that merely names the owner's phone can't set or replace its key`() async throws {
        _ = try await ownedDevice()
        #expect(try await setUp(key, isMerelyNamed: true) == .deviceUnproven)
        #expect(try harness.device().key == nil && harness.notices.all.isEmpty)
        #expect(try await setUp(key) == .enabled(isReplacement: false))
        #expect(try await setUp(key, isMerelyNamed: true) == .unchanged)
        let other = P256.Signing.PrivateKey()
        #expect(try await setUp(other, isMerelyNamed: true) == .oldKeyRequired)
    }

    // T-099
    @Test func `attack: a session on no device can't set or replace the key of the owner's phone`() async throws {
        let device = try await ownedDevice()
        for isMailboxProven in [false, true] {
            let outcome = try await setUp(key, isOnNoDevice: true, isMailboxProven: isMailboxProven)
            #expect(outcome == .unknownDevice)
        }
        #expect(
            try await harness.service.challenge(for: DeviceName(client: "app", device: Harness.name)) == nil,
            "it has none"
        )
        #expect(try await setUp(key, on: device) == .enabled(isReplacement: false))
        let other = P256.Signing.PrivateKey()
        #expect(try await setUp(other, isOnNoDevice: true, isMailboxProven: true) == .unknownDevice)
        #expect(harness.notices.all == ["\(Harness.ada) app keyAdded fr"])
    }

    // T-099
    @Test func `attack: a device key is not replaced without the old key's signature or the owner's mailbox`()
        async throws
    {
        _ = try await ownedDevice()
        _ = try await setUp(key)
        let attackers = P256.Signing.PrivateKey()
        let challenge = try await challenge()
        let new = try DeviceKey(spki: Array(attackers.publicKey.derRepresentation))
        let text = new.replacementText(challenge: challenge)
        let other = try DeviceKey(spki: Array(P256.Signing.PrivateKey().publicKey.derRepresentation))
        for signature in [
            nil, try sign(challenge), try sign(text, by: attackers),
            try sign(other.replacementText(challenge: challenge)), try sign(new.replacementText(challenge: "AAAA")),
        ] {
            #expect(try await setUp(attackers, oldSignature: signature) == .oldKeyRequired)
        }
        #expect(try await record().key == DeviceKey(spki: Array(key.publicKey.derRepresentation)))
        #expect(try await setUp(key) == .unchanged)
        #expect(try await setUp(attackers, oldSignature: sign(text)) == .enabled(isReplacement: true))
        #expect(try await setUp(key, oldSignature: sign(text)) == .oldKeyRequired)
        #expect(try await setUp(key, isMailboxProven: true) == .enabled(isReplacement: true))
        #expect(harness.audited == [.owned, .keyAdded, .keyReplaced, .keyReplaced])
        #expect(
            harness.notices.all == ["keyAdded", "keyReplaced", "keyReplaced"].map { "\(Harness.ada) app \($0) fr" }
        )
    }

    // T-125
    @Test func `attack: a signature of a key that is replaced before the sign-in opens no session`() async throws {
        _ = try await ownedDevice()
        _ = try await setUp(key)
        let challenge = try await challenge()
        let proven = try await proven(challenge, sign(challenge))
        _ = try await setUp(P256.Signing.PrivateKey(), isMailboxProven: true)
        #expect(try await !redeem(proven))
    }

    // T-119
    @Test func `a proof of a start whose count was taken before is a sign of a copy`() async throws {
        _ = try await ownedDevice()
        _ = try await setUp(key)
        let registered = RegisteredDevices(
            environment: harness.time.environment,
            store: harness.store,
            keys: harness.store
        )
        let unsigned = DeviceKeyProof(name: Harness.name, codeChallenge: "c", count: 5, signature: [])
        let proof = DeviceKeyProof(
            name: Harness.name,
            codeChallenge: "c",
            count: 5,
            signature: try sign(unsigned.signed(client: "app"))
        )
        let found = try await harness.unitOfWork.run { transaction in
            try (0..<3).map { _ in try registered.device(proof, of: Harness.ada, client: "app", in: transaction) != nil
            }
        }
        #expect(found == [true, false, false])
        let record = try await record()
        #expect(record.uses == 1 && record.cloneSigns == 2)
    }

    private func ownedDevice() async throws -> DeviceID {
        try await harness.register()
        return try #require(try await harness.signIn(Harness.ada))
    }

    private func setUp(
        _ key: P256.Signing.PrivateKey,
        account: AccountID = Harness.ada,
        on device: DeviceID? = nil,
        isOnNoDevice: Bool = false,
        isMerelyNamed: Bool = false,
        kind: BiometricKind = .face,
        oldSignature: [UInt8]? = nil,
        isMailboxProven: Bool = false
    ) async throws -> DeviceKeyOutcome {
        try await harness.service.setUp(
            DeviceKeyRequest(
                requester: DeviceKeyRequest.Requester(
                    account: account,
                    session: isOnNoDevice || isMerelyNamed ? SessionID(UUIDBits(high: 5, low: 9)) : Harness.session,
                    device: isOnNoDevice ? nil : try device ?? harness.device().id,
                    isDeviceProven: !isMerelyNamed,
                    isMailboxProven: isMailboxProven
                ),
                device: DeviceName(client: "app", device: Harness.name),
                key: try DeviceKey(spki: Array(key.publicKey.derRepresentation)),
                biometric: kind,
                oldSignature: oldSignature,
                asker: "fr"
            )
        )
    }

    private func challenge() async throws -> String {
        try #require(try await harness.service.challenge(for: DeviceName(client: "app", device: Harness.name))).text
    }

    private func sign(_ text: String, by signer: P256.Signing.PrivateKey? = nil) throws -> [UInt8] {
        Array(try (signer ?? key).signature(for: Data(text.utf8)).derRepresentation)
    }

    private func check(_ challenge: String, _ signature: [UInt8]) async throws -> ChallengeVerdict {
        try await harness.service.check(
            ChallengeAnswer(
                device: DeviceName(client: "app", device: Harness.name),
                challenge: challenge,
                signature: signature
            )
        )
    }

    private func proven(_ challenge: String, _ signature: [UInt8]) async throws -> ProvenDevice {
        guard case .proven(let proven) = try await check(challenge, signature) else { throw NotProvenError() }
        return proven
    }

    private struct NotProvenError: Error {}

    private func redeem(_ proven: ProvenDevice) async throws -> Bool {
        try await harness.unitOfWork.run { try harness.service.redeem(proven, in: $0) }
    }

    private func record() async throws -> DeviceKeyRecord {
        let device = try harness.device().id
        return try #require(try await harness.unitOfWork.run { try harness.store.key(of: device, in: $0) })
    }
}
