import Accounts
import Audit
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import Operations
import Settings
import Storage
import Testing
import Wire

@testable import HTTPAPI
@testable import Vestibule

/// Sessions of people who sign in without an operation.
struct SessionOpenerTests {
    @Test func `what was proved stands in the tokens, and so does the device as its client calls it`() async throws {
        try await Bench.run { bench in
            let account = try await bench.composition.accounts.show("ada@example.com").account.id
            let opened = try await bench.opened { policy in
                SignInOrder(account: account, methods: ["pwd"], policy: policy, deviceName: "Phone-1")
            }
            let answer = try await bench.answer(try #require(opened))
            #expect(answer.headers[values: .setCookie] == [], "an app that keeps no cookies is left none")
            let body = try await answer.decoded(SignInResponse.self)
            #expect(body.tokens.accessToken == body.accessToken && body.tokens.refreshToken == body.refreshToken)
            #expect(body.user.email == "ada@example.com" && body.expiresIn == 3600)
            let claims = try Self.claims(body.accessToken)
            #expect(claims["amr"] as? [String] == ["pwd"] && claims["acr"] == nil)
            #expect(claims["deviceId"] as? String == "Phone-1" && claims["type"] as? String == "access")
            let me = try await bench.send(.get, "/auth/me", .bearing(body.accessToken))
            #expect(try me.decode(SignedInUserResponse.self).user == body.user)
            let refreshed = try await bench.refresh(body.refreshToken).accessToken
            #expect(try Self.claims(refreshed)["auth_time"] as? Int == claims["auth_time"] as? Int)
        }
    }

    @Test func `an app that keeps cookies is left its device and its refresh token`() async throws {
        try await Bench.run { bench in
            let account = try await bench.composition.accounts.show("ada@example.com").account.id
            let opened = try await bench.opened { policy in
                SignInOrder(account: account, methods: ["pwd"], policy: policy, cookies: DeviceCookies(nil))
            }
            let cookies = try await bench.answer(try #require(opened)).headers[values: .setCookie]
            #expect(cookies.map { String($0.prefix { $0 != "=" }) } == ["vst_device", "vst_refresh"])
            #expect(cookies.allSatisfy { $0.contains("HttpOnly") && $0.contains("SameSite=Lax") }, "\(cookies)")
        }
    }

    @Test func `attack: a disabled account opens nothing, and each opening is audited`() async throws {
        try await Bench.run { bench in
            let account = try await bench.composition.accounts.show("ada@example.com").account.id
            #expect(try await bench.opened { SignInOrder(account: account, methods: ["pwd"], policy: $0) } != nil)
            _ = try await bench.composition.accounts.disable("ada@example.com")
            #expect(try await bench.opened { SignInOrder(account: account, methods: ["pwd"], policy: $0) } == nil)
            let rows = try await bench.composition.audit.newest(50).filter { $0.entry.fact == "session.opened" }
            #expect(rows.map(\.entry.detail) == ["bbms: pwd"])
        }
    }

    private static func claims(_ token: String) throws -> [String: Any] {
        let bytes = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
}

extension Bench {
    /// Opens a session for the bbms client's policy.
    func opened(_ order: (ClientPolicy) -> SignInOrder) async throws -> OpenedSession? {
        let order = order(try settings.clientDirectory.client(named: "bbms", surface: nil))
        let opener = api.sessionOpener(settings)
        return try await composition.unitOfWork.run { try opener.open(order, in: $0) }
    }

    func answer(_ opened: OpenedSession) async throws -> Response {
        let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/auth/login")
        let request = Request(head: head, body: .init(buffer: ByteBuffer()))
        return try api.sessionOpener(settings).answer(opened, "Signed in", for: request)
    }
}

extension Response {
    func decoded<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        try JSONDecoder().decode(type, from: Data(try await bytes()))
    }
}
