import Accounts
import Crypto
import Devices
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import Operations
import Settings
import Testing
import Wire

@testable import Assembly

/// The other two proofs of a known device: its credential, and its key's signature.
struct RegisteredDeviceTests {
    private static let credential = String(repeating: "c", count: 43)
    private static let key = P256.Signing.PrivateKey()

    // T-013
    @Test func `a device credential makes a real login, and every other makes a decoy`() async throws {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", credential: Self.credential)
            let known = try await harness.start(with: [.deviceCredential: Self.credential])
            #expect(try !harness.operation(known).isDecoy)
            for other in ["", "x", Self.credential + "c", String(repeating: "d", count: 43)] {
                let login = try await harness.start(with: [.deviceCredential: other])
                #expect(try harness.operation(login).isDecoy, "\(other)")
                #expect(login.response.headerNames == known.response.headerNames)
                #expect(login.response.body.readableBytes == known.response.body.readableBytes)
            }
            try await harness.approve(known)
            #expect(try await harness.word(known, known.bound) == "completed")
        }
    }

    // T-084
    @Test func `attack: a credential that is expired, revoked, unknown or of another account or client gets a decoy`()
        async throws
    {
        try await Self.run { settings in
            var second = InitiateTests.client("second")
            second.initiators = .knownDevice
            settings.clients.append(second)
        } _: { harness in
            let now = harness.composition.environment.now()
            try await harness.register("expired", of: "ada@example.com", credential: "expired", expiresAt: now)
            try await harness.register("revoked", of: "ada@example.com", credential: "revoked", revokedAt: now)
            try await harness.register("bobs", of: "bob@example.com", credential: "bobs")
            try await harness.register("elsewhere", of: "ada@example.com", client: "second", credential: "elsewhere")
            try await harness.register("ownerless", of: nil, credential: "ownerless")
            for credential in ["expired", "revoked", "bobs", "elsewhere", "ownerless"] {
                let login = try await harness.start(with: [.deviceCredential: credential])
                #expect(try harness.operation(login).isDecoy, "\(credential)")
            }
            let own = try await harness.start(client: "second", with: [.deviceCredential: "elsewhere"])
            #expect(try !harness.operation(own).isDecoy)
        }
    }

    // T-084
    @Test func `a device credential is accepted until the millisecond before its expiry`() async throws {
        try await Self.run { harness in
            let end = harness.composition.environment.now() + .seconds(60)
            try await harness.register("phone", of: "ada@example.com", credential: Self.credential, expiresAt: end)
            await harness.pass(.milliseconds(59_999))
            #expect(try !harness.operation(await harness.start(with: [.deviceCredential: Self.credential])).isDecoy)
            await harness.pass(.milliseconds(1))
            #expect(try harness.operation(await harness.start(with: [.deviceCredential: Self.credential])).isDecoy)
        }
    }

    // T-011
    @Test func `attack: a login started by a device that is revoked since polls account_blocked`() async throws {
        try await Self.run { harness in
            let device = try await harness.register("phone", of: "ada@example.com", credential: Self.credential)
            let login = try await harness.start(with: [.deviceCredential: Self.credential])
            try await harness.approve(login)
            try await harness.revoke(device)
            #expect(try await harness.word(login, login.bound) == "account_blocked")
        }
    }

    @Test func `a signature of the device's key makes a real login, in DER and in 64 bytes`() async throws {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            let der = try Self.sign(count: 1).derRepresentation
            #expect(try await !harness.isDecoy(Self.body(der.base64EncodedString(), count: 1)))
            let raw = try Self.sign(count: 2).rawRepresentation
            #expect(try await !harness.isDecoy(Self.body(Base64URL.encode(Array(raw)), count: 2)))
        }
    }

    // T-119
    @Test func `attack: a device signature that is replayed, or whose count is far behind, gets a decoy`()
        async throws
    {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            func body(_ count: Int64) throws -> String {
                Self.body(try Self.sign(count: count).derRepresentation.base64EncodedString(), count: count)
            }
            #expect(try await !harness.isDecoy(body(40_007)))
            #expect(try await harness.isDecoy(body(40_007)))
            #expect(try await harness.isDecoy(body(10_007)))
            #expect(try await !harness.isDecoy(body(10_008)), "one that was overtaken")
            #expect(try await harness.isDecoy(body(10_008)))
            #expect(try await !harness.isDecoy(body(40_008)))
        }
    }

    @Test func `a signature count over 300 seconds ahead of the clock gets 400 and is not noted`()
        async throws
    {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            let now = harness.composition.environment.now().milliseconds
            func body(_ count: Int64) throws -> String {
                Self.body(try Self.sign(count: count).derRepresentation.base64EncodedString(), count: count)
            }
            let ahead = try await harness.post(Harness.initiatePath, body(now + 300_001))
            try harness.expect(ahead, is: "invalid_request", 400)
            #expect(try await !harness.isDecoy(body(now)))
            #expect(try await !harness.isDecoy(body(now + 300_000)))
        }
    }

    // T-119
    @Test func `attack: a device signature presented beside another proof or for another account is used up`()
        async throws
    {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            try await harness.register("tablet", of: "ada@example.com", credential: Self.credential)
            let beside = Self.body(try Self.sign(count: 5).derRepresentation.base64EncodedString(), count: 5)
            #expect(try await !harness.isDecoy(beside, [.deviceCredential: Self.credential]))
            #expect(try await harness.isDecoy(beside), "caught on the way and sent again")
            let other = Self.body(try Self.sign(count: 6).derRepresentation.base64EncodedString(), count: 6)
            #expect(try await harness.isDecoy(other.replacing("ada@example.com", with: "bob@example.com")))
            #expect(try await harness.isDecoy(other), "and for the account that it is good for")
            let next = Self.body(try Self.sign(count: 7).derRepresentation.base64EncodedString(), count: 7)
            #expect(try await !harness.isDecoy(next))
        }
    }

    // T-122
    @Test func `attack: a device cookie set at a credential's sign-in gets a decoy once that device is revoked`()
        async throws
    {
        try await Self.run { harness in
            let device = try await harness.register("phone", of: "ada@example.com", credential: Self.credential)
            let cookie = try await harness.signInByCredential()
            #expect(try await !harness.isDecoy(Self.plain, .cookies(cookie)))
            try await harness.revoke(device)
            #expect(try await harness.isDecoy(Self.plain, .cookies(cookie)))
            #expect(try await harness.isDecoy(Self.plain, [.deviceCredential: Self.credential]))
        }
    }

    @Test func `attack: "not me" on a login revokes the registered device that started it`() async throws {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", credential: Self.credential)
            try await harness.register("own", of: "ada@example.com", credential: "own")
            let cookie = try await harness.signInByCredential()
            let attacker = try #require(harness.composition.service.cache.cards { $0.state.name == .redeemed }.first)
                .operation
            let login = try await harness.start(with: [.deviceCredential: "own"])
            try await harness.approve(login)
            let tokens = try #require(try await harness.poll(login, login.bound).decode(PollLoginResponse.self).tokens)
            let bearer: HTTPFields = [.authorization: "Bearer \(tokens.accessToken)"]
            #expect(try await harness.send(.post, "/auth/operations/\(attacker.id)/not-me", bearer).status == .ok)
            #expect(try await harness.isDecoy(Self.plain, .cookies(cookie)))
            #expect(try await harness.isDecoy(Self.plain, [.deviceCredential: Self.credential]))
            #expect(try await !harness.isDecoy(Self.plain, [.deviceCredential: "own"]))
        }
    }

    // T-011
    @Test func `attack: a grant is not redelivered once the device is revoked`() async throws {
        try await Self.run { harness in
            let device = try await harness.register("phone", of: "ada@example.com", credential: Self.credential)
            let login = try await harness.start(with: [.deviceCredential: Self.credential])
            try await harness.approve(login)
            #expect(try await harness.word(login, login.bound) == "completed")
            #expect(try await harness.word(login, login.bound) == "completed", "as long as it is good")
            try await harness.revoke(device)
            #expect(try await harness.word(login, login.bound) == "delivered")
            #expect(harness.refusals(.redeliveryBlocked) == 1)
        }
    }

    // T-119
    @Test func `attack: a signature over other values gets a decoy and uses up no count`() async throws {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            let otherKey = P256.Signing.PrivateKey()
            let signatures = [
                try Self.sign(count: 99), try Self.sign(count: 100, client: "second"),
                try Self.sign(count: 100, device: "tablet"),
                try Self.sign(count: 100, challenge: Base64URL.encode([UInt8](repeating: 1, count: 32))),
                try otherKey.signature(for: Self.signed(count: 100)),
            ]
            for signature in signatures {
                let body = Self.body(signature.derRepresentation.base64EncodedString(), count: 100)
                #expect(try await harness.isDecoy(body))
            }
            let right = Self.body(try Self.sign(count: 1).derRepresentation.base64EncodedString(), count: 1)
            #expect(try await !harness.isDecoy(right), "nobody else can use the device's counts up")
        }
    }

    // T-084
    @Test func `attack: a signature of an expired, revoked, unknown or another account's device gets a decoy`()
        async throws
    {
        try await Self.run { harness in
            let now = harness.composition.environment.now()
            let key = Self.key.publicKey
            try await harness.register("old", of: "ada@example.com", key: key, expiresAt: now)
            try await harness.register("lost", of: "ada@example.com", key: key, revokedAt: now)
            try await harness.register("bobs", of: "bob@example.com", key: key)
            for device in ["old", "lost", "bobs", "unknown"] {
                let signature = try Self.sign(count: 1, device: device).derRepresentation.base64EncodedString()
                #expect(try await harness.isDecoy(Self.body(signature, count: 1, device: device)), "\(device)")
            }
        }
    }

    @Test(arguments: [
        #""deviceSignature":"AA""#, #""deviceCount":1"#, #""deviceSignature":"AA","deviceCount":1"#,
        #""deviceId":"phone","deviceSignature":"AA""#, #""deviceId":"","deviceSignature":"AAAA","deviceCount":1"#,
        #""deviceId":"phone","deviceSignature":"A*","deviceCount":1"#,
        #""deviceId":"phone","deviceSignature":"","deviceCount":1"#,
        #""deviceId":"phone","deviceSignature":"AAAA","deviceCount":0"#,
        #""deviceId":"pho\nne","deviceSignature":"AAAA","deviceCount":1"#,
    ])
    func `a proof that can't be read is refused`(members: String) async throws {
        try await Self.run { harness in
            let body = #"{"email":"ada@example.com","codeChallenge":"\#(Harness.challenge)",\#(members)}"#
            try harness.expect(try await harness.post(Harness.initiatePath, body), is: "invalid_request", 400)
        }
    }

    @Test func `a device id without a proof gets a decoy`() async throws {
        try await Self.run { harness in
            try await harness.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            #expect(try await harness.isDecoy(#"{"email":"ada@example.com","deviceId":"phone"}"#))
        }
    }

    @Test func `a device key is read back from its text, and other text is none`() throws {
        let spki = Array(Self.key.publicKey.derRepresentation)
        let key = try DeviceKey(spki: spki)
        #expect(DeviceKey(text: key.text) == key)
        #expect(DeviceKey(text: "mwsim_device_1") == nil)
        let offCurve = [UInt8(4)] + [UInt8](repeating: 1, count: 64)
        #expect(DeviceKey(text: Base64URL.encode(offCurve)) == nil)
    }

    @Test func `devices that ended over seven days ago are deleted with their keys`() async throws {
        try await Self.run { harness in
            let now = harness.composition.environment.now()
            try await harness.register("old", of: "ada@example.com", key: Self.key.publicKey, expiresAt: now)
            try await harness.register("lost", of: nil, revokedAt: now)
            let live = try await harness.register("phone", of: "ada@example.com", key: Self.key.publicKey)
            await harness.pass(.seconds(7 * 24 * 3600 + 1))
            _ = try await harness.composition.retention.sweep(at: harness.time.wall)
            let store = harness.composition.stores.people.devices.registered
            let left = try await harness.composition.unitOfWork.run { transaction in
                try ["old", "lost", "phone"].compactMap {
                    try store.find(DeviceName(client: "bbms", device: $0), in: transaction)?.id
                }
            }
            #expect(left == [live])
        }
    }

    private static func run(
        _ change: (inout Settings) -> Void = { _ in },
        _ body: @Sendable (Harness) async throws -> Void
    ) async throws {
        try await Harness.run { settings in
            settings.clients[0].initiators = .knownDevice
            change(&settings)
        } _: { harness in
            try await body(harness)
        }
    }

    private static func signed(
        count: Int64,
        device: String = "phone",
        client: String = "bbms",
        challenge: String = Harness.challenge
    ) -> Data {
        Data("vestibule-login-start-v1\n\(client)\n\(device)\n\(challenge)\n\(count)".utf8)
    }

    private static func sign(
        count: Int64,
        device: String = "phone",
        client: String = "bbms",
        challenge: String = Harness.challenge
    ) throws -> P256.Signing.ECDSASignature {
        try key.signature(for: signed(count: count, device: device, client: client, challenge: challenge))
    }

    private static let plain = #"{"email":"ada@example.com"}"#

    private static func body(_ signature: String, count: Int64, device: String = "phone") -> String {
        #"{"email":"ada@example.com","codeChallenge":"\#(Harness.challenge)","deviceId":"\#(device)","#
            + #""deviceSignature":"\#(signature)","deviceCount":\#(count)}"#
    }
}

extension Harness {
    @discardableResult
    func register(
        _ name: String,
        of email: String?,
        client: String = "bbms",
        credential: String? = nil,
        key: P256.Signing.PublicKey? = nil,
        expiresAt: Instant? = nil,
        revokedAt: Instant? = nil
    ) async throws -> DeviceID {
        let now = composition.environment.now()
        var account: AccountID?
        if let email { account = try await composition.accounts.show(email).account.id }
        let device = RegisteredDevice(
            id: composition.environment.newID(),
            account: account,
            name: DeviceName(client: client, device: name),
            credential: credential.map { RegisteredDevice.Credential(digest: Digest256(sha256: $0)) },
            key: try key.map { try DeviceKey(spki: Array($0.derRepresentation)) },
            validity: DeviceValidity(
                createdAt: now,
                expiresAt: expiresAt ?? now + .seconds(90 * 24 * 3600),
                revokedAt: revokedAt
            )
        )
        try await composition.unitOfWork.run {
            [store = composition.stores.people.devices.registered] transaction in
            try store.insert(device, in: transaction)
        }
        return device.id
    }

    func revoke(_ device: DeviceID) async throws {
        let now = composition.environment.now()
        let isRevoked = try await composition.unitOfWork.run {
            [store = composition.stores.people.devices.registered] transaction in
            try store.revoke(device, at: now, in: transaction)
        }
        try #require(isRevoked)
    }

    /// Signs Ada in on the device with the credential; the device cookie of that.
    fileprivate func signInByCredential() async throws -> String {
        let credential: HTTPFields = [.deviceCredential: String(repeating: "c", count: 43)]
        let login = try await start(with: credential)
        try await approve(login)
        return try #require(try await poll(login, login.bound).cookie("vst_device"))
    }

    fileprivate func isDecoy(_ body: String, _ headers: HTTPFields = [:]) async throws -> Bool {
        let response = try await post(Self.initiatePath, body, headers)
        try #require(response.status == .ok, "\(response.text)")
        let id = try #require(UUIDBits(try response.decode(InitiateLoginResponse.self).operationId))
        let cards = daemons.compositions.compactMap { $0.service.cache.card(Digest256(sha256: id)) }
        return try #require(cards.first).operation.isDecoy
    }
}
