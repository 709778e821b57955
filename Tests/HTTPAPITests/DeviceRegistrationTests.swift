import Accounts
import Audit
import Devices
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Devices register themselves.
struct DeviceRegistrationTests {
    // T-102
    @Test func `the owner gets a mail when a session replaces the phone's credential without presenting it`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            _ = try await harness.mails()
            let proven = try await harness.registerPhone(Harness.phone, [.deviceCredential: ada.credential])
            #expect(proven.status == .ok, "\(proven.text)")
            #expect(try await harness.mails().isEmpty, "the phone renews its own")
            let replaced = try await harness.registerPhone(Harness.phone, ada.bearer)
            #expect(replaced.status == .ok, "\(replaced.text)")
            let told = try await harness.mails()
            #expect(told.map(\.to) == ["ada@example.com"])
            let subject = try #require(told.first).subject
            #expect(subject.hasPrefix("A device was registered again"), "\(subject)")
        }
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a registration answers with a credential for ninety days, in the form that apps read`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            let response = try await harness.registerPhone()
            #expect(response.status == .ok)
            #expect(Set(try response.json().keys) == ["deviceCredential", "expiresAt"])
            let answer = try response.decode(DeviceRegistrationResponse.self)
            #expect(Base64URL.decode(answer.deviceCredential)?.count == 32)
            let end = harness.composition.environment.now() + .seconds(90 * 24 * 3600)
            #expect(answer.expiresAt == end.internetDate)
        }
    }

    @Test(arguments: [
        (#"{"platform":"ios","deviceName":"x"}"#, "invalid_request"),
        (#"{"deviceId":"usr_1","platform":"ios","deviceName":"x"}"#, "invalid_device_id"),
        (#"{"deviceId":"\#(Harness.phone)","platform":"windows","deviceName":"x"}"#, "invalid_platform"),
        (#"{"deviceId":"\#(Harness.phone)","platform":"ios","deviceName":" "}"#, "invalid_device_name"),
        (#"{"deviceId":"\#(Harness.phone)","platform":"ios","deviceName":"a\u202eb"}"#, "invalid_device_name"),
        (#"{"deviceId":"\#(Harness.phone)","platform":"ios","deviceName":"a\nb"}"#, "invalid_device_name"),
        (
            #"{"deviceId":"\#(Harness.phone)","platform":"ios","deviceName":"x","pushToken":"a b"}"#,
            "invalid_push_token"
        ),
        (#"{"deviceId":"\#(Harness.phone)","platform":"ios","deviceName":"x","pushToken":""}"#, "invalid_push_token"),
        (#"{"deviceId":5,"platform":"ios","deviceName":"x"}"#, "invalid_request"),
    ])
    func `a registration that can't be is refused for what is wrong with it`(
        _ body: String,
        _ code: String
    )
        async throws
    {
        try await Harness.run { harness in
            try harness.expect(try await harness.post("/api/mobile/device/register", body), is: code, 400)
        }
    }

    @Test(arguments: [
        "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}", "\u{1F469}\u{200D}\u{1F4BB}’s phone",
    ])
    func `names that are written with joiners are taken as they are`(_ name: String) throws {
        #expect(try DeviceInput.label(name).unicodeScalars.elementsEqual(name.unicodeScalars))
    }

    @Test(arguments: [
        "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}",
        "\u{2067}", "\u{2068}", "\u{2069}", "\u{200B}", "\u{2060}", "\u{FEFF}", "\u{AD}",
    ])
    func `attack: device names with bidirectional or invisible characters are refused`(_ hidden: String) {
        #expect(throws: APIError.invalidDeviceName) { try DeviceInput.label("Ada\(hidden)’s phone") }
        #expect(throws: APIError.invalidDeviceName) { try DeviceInput.label("\u{200D}") }
    }

    @Test func `a stale bearer is as good as none, and the app that sends it everywhere registers all the same`()
        async throws
    {
        try await Harness.run { harness in
            for token in ["stale", "a.b.c", ""] {
                let registered = try await harness.registerPhone(Harness.phone, .bearing(token))
                #expect(registered.status == .ok)
            }
        }
    }

    // T-083
    @Test func `attack: registering a device that has an owner gets 409 without that owner's proof`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let bob = try await harness.phone("bob@example.com", Harness.otherPhone)
            let tries: [HTTPFields] = [
                [:], .bearing("stale"), bob.bearer, [.deviceCredential: bob.credential],
                [.deviceCredential: "guess"],
            ]
            for headers in tries {
                let response = try await harness.registerPhone(Harness.phone, headers, pushToken: "thiefs-token")
                try harness.expect(response, is: "device_already_registered", 409)
            }
            #expect(try await harness.devices(ada).map(\.hasPushToken) == [false])
            #expect(try await harness.registerPhone(Harness.phone, [.deviceCredential: ada.credential]).status == .ok)
        }
    }

    // T-099
    @Test func `attack: a token over ten minutes old gets no new credential, a fresh one gets one and voids the old`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let fresh = try await harness.registerPhone(Harness.phone, ada.bearer)
            let credential = try fresh.decode(DeviceRegistrationResponse.self).deviceCredential
            #expect(credential != ada.credential)
            harness.time.advance(by: .seconds(601))
            try harness.expect(try await harness.registerPhone(Harness.phone, ada.bearer), is: "step_up_required", 403)
            let old = try await harness.registerPhone(Harness.phone, [.deviceCredential: ada.credential])
            try harness.expect(old, is: "device_already_registered", 409)
            #expect(try await harness.registerPhone(Harness.phone, [.deviceCredential: credential]).status == .ok)
        }
    }

    // T-248
    @Test(.ofOneDaemon(.dividedLimit))
    func `attack: an address's 101st unowned device in an hour gets 429, and a device's owner still registers`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            for _ in 0..<99 { #expect(try await harness.registerPhone(UUID().uuidString).status == .ok) }
            let over = try await harness.registerPhone(UUID().uuidString)
            try harness.expect(over, is: "rate_limited", 429)
            #expect((over.headers[.retryAfter].flatMap { Int($0) } ?? 0) > 0)
            #expect(try await harness.registerPhone(Harness.phone, ada.bearer).status == .ok)
            harness.time.advance(by: .seconds(37))
            #expect(try await harness.registerPhone(UUID().uuidString).status == .ok)
        }
    }

    // T-248
    @Test func `devices without an owner are gone after a day, and owned ones are not`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            _ = try await harness.registerPhone(Harness.otherPhone)
            await harness.pass(.seconds(24 * 3600 + 1))
            _ = try await harness.composition.retention.sweep(at: harness.time.wall)
            let store = harness.composition.stores.people.devices.registered
            let left = try await harness.composition.unitOfWork.run { transaction in
                try [Harness.phone, Harness.otherPhone].map {
                    try store.find(DeviceName(client: "mwsim", device: $0), in: transaction)?.id
                }
            }
            #expect(left == [ada.device, nil])
        }
    }

    // T-209
    @Test func `attack: device credentials and push tokens are in no log line, audit row or database file`()
        async throws
    {
        try await Harness.run(storage: .sqlite) { harness in
            let response = try await harness.registerPhone(Harness.phone, pushToken: "token-of-the-phone")
            let credential = try response.decode(DeviceRegistrationResponse.self).deviceCredential
            let ada = try await harness.signIn("ada@example.com", on: Harness.phone, showing: credential)
            let body = #"{"deviceId":"\#(Harness.phone)","pushToken":"second-token-of-it"}"#
            #expect(try await harness.post("/api/mobile/device/push-token", body, ada.bearer).status == .ok)
            let secrets = [credential, "token-of-the-phone", "second-token-of-it"]
            let rows = try await harness.composition.audit.newest(500).map { "\($0)" }
            for text in harness.log.lines.map(\.text) + rows {
                for secret in secrets { #expect(!text.contains(secret)) }
            }
            let files = try #require(FileManager.default.subpaths(atPath: harness.folder.path))
            #expect(files.contains { $0.hasSuffix(".sqlite-wal") }, "\(files)")
            for file in files {
                guard let data = FileManager.default.contents(atPath: "\(harness.folder.path)/\(file)") else {
                    continue
                }
                for secret in secrets { #expect(data.range(of: Data(secret.utf8)) == nil, "\(file)") }
            }
        }
    }

    @Test func `where the surface is off, the routes are not there`() async throws {
        try await Harness.run { settings in
            settings.surfaces["mobile"]?.enabled = false
        } _: { harness in
            try harness.expect(try await harness.registerPhone(), is: "not_found", 404)
            try harness.expect(try await harness.send(.get, "/api/mobile/wallet/summary"), is: "not_found", 404)
            #expect(harness.api.acceptedClients.audiences(.wallet).isEmpty, "no token counts as the wallet's")
        }
    }
}
