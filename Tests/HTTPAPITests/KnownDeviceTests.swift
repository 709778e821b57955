import Accounts
import Devices
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import Operations
import Settings
import Testing

@testable import Assembly

/// `initiators: known-device`: a caller that proves no device linked to the account gets a decoy.
struct KnownDeviceTests {
    @Test func `a sign-in links its device for ninety days, for a client that keeps cookies`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            let cookie = try #require(try await harness.poll(login, login.bound).setCookie("vst_device"))
            let parts = cookie.split(separator: ";").map { $0.drop { $0 == " " } }
            #expect(parts.dropFirst() == ["Path=/", "Max-Age=7776000", "HttpOnly", "SameSite=Lax"])
            #expect(Base64URL.decode(parts[0].drop { $0 != "=" }.dropFirst())?.count == 32)
        }
    }

    @Test func `a later sign-in goes on with the device's own cookie`() async throws {
        try await Harness.run { harness in
            let device = try await Self.signIn(harness, "ada@example.com")
            let login = try await harness.start(with: .cookies(device))
            #expect(try harness.operation(login).request.device != nil)
            try await harness.approve(login)
            let answer = try await harness.poll(login, .cookies(login.cookie, device))
            #expect(answer.cookie("vst_device") == device)
            #expect(try await harness.poll(login, .cookies(login.cookie, device)).cookie("vst_device") == device)
        }
    }

    // T-046
    @Test func `attack: an injected device cookie is replaced by a fresh one at sign-in`() async throws {
        try await Harness.run { harness in
            let injected = "vst_device=" + String(repeating: "A", count: 43)
            let login = try await harness.start(with: .cookies(injected))
            try await harness.approve(login)
            let device = try await harness.poll(login, .cookies(login.cookie, injected)).cookie("vst_device")
            #expect(device != nil && device != injected)
        }
    }

    @Test func `people who take turns in one browser stay known, each by a secret of their own`() async throws {
        try await Self.afterSignIn(ofBob: true) { harness, device in
            for email in ["ada@example.com", "bob@example.com", "ada@example.com"] {
                let login = try await harness.start(email, with: .cookies(device))
                try await harness.approve(login)
                let answer = try await harness.poll(login, .cookies(login.cookie, device))
                #expect(answer.cookie("vst_device") == device, "nothing is issued any more")
            }
        }
    }

    // T-120
    @Test func `attack: a device cookie copied before a second account signed in proves only the first account`()
        async throws
    {
        try await Self.afterSignIn(ofBob: true) { harness, device in
            let secrets = device.dropFirst("vst_device=".count).split(separator: ".")
            #expect(secrets.count == 2 && secrets.allSatisfy { $0.utf8.count == 43 })
            let (bobs, adas) = (try #require(secrets.first), try #require(secrets.last))
            for (email, secret, isReal) in [
                ("ada@example.com", adas, true), ("bob@example.com", bobs, true),
                ("bob@example.com", adas, false), ("ada@example.com", bobs, false),
            ] {
                let login = try await harness.start(email, with: .cookies("vst_device=\(secret)"))
                #expect(try harness.operation(login).isDecoy != isReal, "\(email)")
            }
        }
    }

    @Test func `a lost answer brings the same device cookie again, with or without the first one`() async throws {
        try await Harness.run { harness in
            let ada = try await Self.signIn(harness, "ada@example.com")
            let login = try await harness.start("bob@example.com", with: .cookies(ada))
            try await harness.approve(login)
            let both = try #require(try await harness.poll(login, .cookies(login.cookie, ada)).cookie("vst_device"))
            #expect(both.hasSuffix("." + ada.dropFirst("vst_device=".count)))
            #expect(try await harness.poll(login, .cookies(login.cookie, ada)).cookie("vst_device") == both)
            #expect(try await harness.poll(login, .cookies(login.cookie, both)).cookie("vst_device") == both)
        }
    }

    // T-013
    @Test func `with the cookie of an earlier sign-in a login is real; without it, it is a decoy`() async throws {
        try await Self.afterSignIn { harness, device in
            let outsider = try await harness.start()
            #expect(try harness.operation(outsider).isDecoy)
            let page = try await harness.open(outsider)
            #expect(page.status == .ok && page.text.contains("Sign in another way first"))
            #expect(harness.provider.beginCount == 1, "the earlier one")

            let known = try await harness.start(with: .cookies(device))
            #expect(known.response.headerNames == outsider.response.headerNames)
            #expect(known.response.body.readableBytes == outsider.response.body.readableBytes)
            try await harness.approve(known)
            #expect(try await harness.word(known, .cookies(known.cookie, device)) == "completed")
        }
    }

    // T-120
    @Test func `attack: a device linked to one account gets a decoy when it starts a login for another`() async throws {
        try await Self.afterSignIn { harness, device in
            let login = try await harness.start("bob@example.com", with: .cookies(device))
            #expect(try harness.operation(login).isDecoy)
        }
    }

    // T-013
    @Test func `attack: a wrong device cookie, or the right value under another name, gets a decoy`() async throws {
        try await Self.afterSignIn { harness, device in
            let value = device.dropFirst("vst_device=".count)
            for cookie in [
                "vst_device=\(value)x", "vst_device=\(value.dropLast())", "vst_devic=\(value)", "x\(device)",
            ] {
                let login = try await harness.start(with: .cookies(cookie))
                #expect(try harness.operation(login).isDecoy, "\(cookie)")
            }
        }
    }

    // T-122
    @Test func `attack: a device cookie unused for ninety days gets a decoy`() async throws {
        try await Self.afterSignIn { harness, device in
            harness.time.advance(by: DeviceLinks.lifetime - .seconds(60))
            let known = try await harness.start(with: .cookies(device))
            #expect(try !harness.operation(known).isDecoy)
            harness.time.advance(by: .seconds(60))
            let late = try await harness.start(with: .cookies(device))
            #expect(try harness.operation(late).isDecoy)
        }
    }

    // T-122
    @Test func `attack: a disabled account's device cookie gets a decoy`() async throws {
        try await Self.afterSignIn { harness, device in
            _ = try await harness.composition.accounts.disable("ada@example.com")
            let login = try await harness.start(with: .cookies(device))
            #expect(try harness.operation(login).isDecoy)
        }
    }

    /// Signs Ada in while anyone may start, then perhaps Bob in the same browser.
    ///
    /// Then it restarts the daemon with the stricter policy and runs `body`.
    static func afterSignIn(
        ofBob: Bool = false,
        initiators: ClientPolicy.Initiators = .knownDevice,
        _ body: @Sendable (Harness, _ device: String) async throws -> Void
    ) async throws {
        let (folder, time, provider) = (try TestFolder(), VirtualTime(), ScriptedFaceProvider(name: .init("mock")))
        let kept = Kept()
        try await Harness.run(storage: .lasting, folder: folder, time: time, provider: provider) { harness in
            let ada = try await signIn(harness, "ada@example.com")
            kept.put(ofBob ? try await signIn(harness, "bob@example.com", with: ada) : ada)
        }
        let device = try #require(kept.claims)
        try await Harness.run(storage: .lasting, folder: folder, time: time, seed: 2, provider: provider) { settings in
            settings.clients[0].initiators = initiators
        } _: { harness in
            try await body(harness, device)
        }
    }

    static func signIn(_ harness: Harness, _ email: String, with device: String? = nil) async throws -> String {
        let login = try await harness.start(email, with: .cookies(device))
        try await harness.approve(login)
        return try #require(try await harness.poll(login, .cookies(login.cookie, device)).cookie("vst_device"))
    }
}
