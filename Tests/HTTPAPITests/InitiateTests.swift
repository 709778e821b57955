import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Testing
import Wire

@testable import Assembly

struct InitiateTests {
    @Test(arguments: ["", "/api"])
    func `the answer has every member under every name that clients read`(_ prefix: String) async throws {
        try await Harness.run { harness in
            let response = try await harness.post(prefix + Harness.initiatePath, #"{"email":"ada@example.com"}"#)
            #expect(response.status == .ok)
            let body = try response.json()
            #expect(
                Set(body.keys) == [
                    "operationId", "authIdUrl", "authUrl", "status", "operationExpiresIn", "interval", "seq",
                ]
            )
            #expect(body["status"] as? String == "pending")
            #expect(body["operationExpiresIn"] as? Int == 180)
            #expect(body["interval"] as? Int == 2)
            #expect(body["seq"] as? Int == 1)
            #expect(body["authIdUrl"] as? String == body["authUrl"] as? String)
            let url = try #require(body["authUrl"] as? String)
            #expect(url.hasPrefix("http://localhost:8080/go/"), "ours, never the provider's")
            #expect(Base64URL.decode(url.dropFirst(25))?.count == 32)
            let id = try #require(body["operationId"] as? String)
            #expect(UUIDBits(id)?.description == id, "a lower-case UUID")
            #expect(Array(id)[14] == "4", "of version 4")
        }
    }

    @Test func `ids, tickets and cookies are new each time`() async throws {
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            var seen: Set<String> = []
            for _ in 0..<20 {
                let login = try await harness.start()
                for secret in [login.id, login.ticket, login.cookie] { #expect(seen.insert(secret).inserted) }
            }
            #expect(seen.count == 60)
        }
    }

    @Test func `a start calls no provider`() async throws {
        try await Harness.run { harness in
            _ = try await harness.start()
            await harness.pass(.seconds(60))
            #expect(harness.provider.calls.isEmpty)
        }
    }

    @Test func `a provider that is down does not break a start`() async throws {
        try await Harness.run { harness in
            harness.provider.fail(with: .unavailable(cause: "down"))
            let login = try await harness.start()
            #expect(login.answer.status == .pending)
        }
    }

    @Test func `the binding cookie is HttpOnly, Lax, and outlives the login's windows`() async throws {
        try await Harness.run { harness in
            let cookie = try #require(try await harness.start().response.setCookie("vst_op_"))
            let parts = cookie.split(separator: ";").map { $0.drop { $0 == " " } }
            #expect(parts.dropFirst() == ["Path=/", "Max-Age=360", "HttpOnly", "SameSite=Lax"])
            let value = try #require(parts[0].split(separator: "=").last)
            #expect(Base64URL.decode(value)?.count == 32)
        }
    }

    @Test func `where the public address is https, cookies are Secure and browsers are told to stay`() async throws {
        try await Harness.run(.router) { settings in
            settings.publicURL = "https://login.example.com"
        } _: { harness in
            let login = try await harness.start()
            #expect(login.response.setCookie("vst_op_")?.hasSuffix("; Secure") == true)
            #expect(login.response.headers[.strictTransportSecurity] == "max-age=31536000")
            #expect(login.answer.authUrl.hasPrefix("https://login.example.com/go/"))
            #expect(try await harness.open(login).setCookie("vst_go")?.hasSuffix("; Secure") == true)
            try await harness.judge(.approved)
            #expect(try await harness.poll(login, login.bound).setCookie("vst_device")?.hasSuffix("; Secure") == true)
        }
    }

    @Test func `each login's cookie has a name of its own`() async throws {
        try await Harness.run { harness in
            let names = [try await harness.start(), try await harness.start()].map { $0.cookie.prefix { $0 != "=" } }
            #expect(names[0] != names[1])
        }
    }

    @Test func `a start takes the client from its body or header, otherwise the surface's`() async throws {
        try await Harness.run { settings in
            settings.clients.append(Self.client("second"))
        } _: { harness in
            let none = try await harness.start()
            let body = try await harness.start(client: "second")
            let header = try await harness.start(with: [.clientID: "second"])
            let both = try await harness.start(client: "second", with: [.clientID: "second"])
            #expect(try harness.operation(none).request.policy.clientID == "bbms")
            for login in [body, header, both] {
                #expect(try harness.operation(login).request.policy.clientID == "second")
            }
        }
    }

    @Test func `two different clients in one request are refused`() async throws {
        try await Harness.run { settings in
            settings.clients.append(Self.client("second"))
        } _: { harness in
            let response = try await harness.post(
                Harness.initiatePath,
                #"{"email":"ada@example.com","clientId":"bbms"}"#,
                [.clientID: "second"]
            )
            try harness.expect(response, is: "invalid_request", 400)
        }
    }

    /// A client's restrictions apply before anything begins.
    @Test func `attack: initiate refuses a client that is limited to other surfaces`() async throws {
        try await Harness.run { settings in
            var other = Self.client("second")
            other.surfaces = ["passkeys", "mobile"]
            settings.clients.append(other)
        } _: { harness in
            let named = #"{"email":"ada@example.com","clientId":"second"}"#
            try harness.expect(try await harness.post(Harness.initiatePath, named), is: "client_not_allowed", 400)
            let byHeader = try await harness.post(
                Harness.initiatePath,
                #"{"email":"ada@example.com"}"#,
                [.clientID: "second"]
            )
            try harness.expect(byHeader, is: "client_not_allowed", 400)
            try await harness.register("eve@example.com")
            let login = try await harness.post(
                "/auth/login",
                #"{"email":"eve@example.com","password":"\#(Harness.password)","clientId":"second"}"#
            )
            try harness.expect(login, is: "client_not_allowed", 400)
        }
    }

    @Test func `a start on a surface without a client takes the default client`() async throws {
        try await Harness.run { settings in
            settings.surfaces["bbms"]?.client = nil
            settings.clients.insert(Self.client("other"), at: 0)
        } _: { harness in
            let login = try await harness.start()
            #expect(try harness.operation(login).request.policy.clientID == "bbms", "it is marked default")
        }
    }

    @Test func `without any client to take, one must be named`() async throws {
        try await Harness.run { settings in
            settings.surfaces["bbms"]?.client = nil
            settings.clients[0].isDefault = false
        } _: { harness in
            let response = try await harness.post(Harness.initiatePath, #"{"email":"ada@example.com"}"#)
            try harness.expect(response, is: "client_required", 400)
            #expect(try await harness.start(client: "bbms").answer.status == .pending)
        }
    }

    // T-005
    @Test func `a client that requires a verifier gets no login without a challenge`() async throws {
        try await Harness.run { settings in
            settings.clients[0].verifier = .required
        } _: { harness in
            let response = try await harness.post(Harness.initiatePath, #"{"email":"ada@example.com"}"#)
            try harness.expect(response, is: "verifier_required", 400)
            #expect(response.headers[.setCookie] == nil)
            #expect(harness.composition.service.cache.count == 0)
            #expect(try await harness.start(isChallenged: true).answer.status == .pending)
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `the client's policy is the one in force at the start`(_ storage: HarnessStorage) async throws {
        let (folder, time) = (try TestFolder(), VirtualTime())
        try await Harness.run(storage: storage, folder: folder, time: time) { harness in
            _ = try await harness.start()
        }
        try await Harness.run(storage: storage, folder: folder, time: time, seed: 2) { settings in
            settings.clients[0].audience = "another"
            settings.faceLogin.lifetime = .seconds(300)
        } _: { harness in
            let old = try #require(harness.composition.service.cache.cards { _ in true }.first).operation
            #expect(old.request.policy.audience == "bbms" && old.request.policy.timing.lifetime == .seconds(180))
            let new = try harness.operation(await harness.start())
            #expect(new.request.policy.audience == "another" && new.request.policy.timing.lifetime == .seconds(300))
        }
    }

    static func client(_ id: String) -> ClientSettings {
        var client = ClientSettings(id: id)
        client.verifier = .optional
        client.initiators = .anyone
        return client
    }
}
