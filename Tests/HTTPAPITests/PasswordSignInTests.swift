import Accounts
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

struct PasswordSignInTests {
    private static let wrong = "correct horse batterx"

    @Test func `the face-login app signs in, and keeps its device and its refresh token as cookies`() async throws {
        try await Self.withEve { harness in
            let response = try await harness.passwordSignIn("Eve@Example.com", path: "/api/auth/login")
            let answer = try PublishedApps.faceLogin.decode(
                PublishedApps.FaceLoginSignIn.self,
                from: Data(response.body.readableBytesView)
            )
            #expect(answer.user.email == "eve@example.com" && answer.refreshToken != nil)
            #expect(response.headers[.cacheControl] == "no-store")
            #expect(response.setCookie("vst_refresh")?.contains("Path=/api/auth") == true)
            let refreshed = try await harness.send(.post, "/api/auth/refresh", .cookies(response.cookie("vst_refresh")))
            #expect(refreshed.status == .ok)
            #expect(try await harness.send(.post, "/api/auth/logout", .bearing(answer.accessToken)).status == .ok)
            try harness.expect(
                try await harness.send(.get, "/api/auth/me", .bearing(answer.accessToken)),
                is: "unauthorized",
                401
            )
        }
    }

    @Test func `the wallet app signs in with a stale token beside`() async throws {
        try await Self.withEve { harness in
            let response = try await harness.passwordSignIn(
                "eve@example.com",
                path: "/api/mobile/auth/login/password",
                with: .bearing("stale")
            )
            let answer = try response.decode(PublishedApps.WalletSignIn.self)
            #expect(answer.user.walletId == answer.user.id && response.headers[values: .setCookie].isEmpty)
            let refresh = try await harness.post(
                "/api/mobile/auth/token/refresh",
                #"{"refreshToken": "\#(answer.tokens.refreshToken)"}"#
            )
            #expect(refresh.status == .ok)
        }
    }

    // T-066
    @Test func `attack: a wrong password, an account without one and an unknown address get the same answers`()
        async throws
    {
        try await Self.withEve { harness in
            var seen: Set<String> = []
            for email in ["eve@example.com", "ada@example.com", "nobody@example.com"] {
                for number in 1...7 {
                    let response = try await harness.passwordSignIn(email, Self.wrong)
                    var body = try response.json()
                    body["requestId"] = nil
                    let fields = response.headerNames.joined(separator: ",")
                    seen.insert("\(number) \(response.status.code) \(body.sorted { $0.key < $1.key }) \(fields)")
                }
            }
            #expect(seen.count == 7, "seven answers, each the same for all three: \(seen)")
            #expect(seen.count { $0.contains(" 401 ") } == 5 && seen.count { $0.contains(" 429 ") } == 2)
        }
    }

    // T-065
    @Test func `attack: fifty wrong passwords lock neither the account's linked device nor another account out`()
        async throws
    {
        try await Self.withEve { harness in
            let own = try await harness.passwordSignIn("eve@example.com").cookie("vst_device")
            try await harness.register("fay@example.com")
            for _ in 1...50 { _ = try await harness.passwordSignIn("eve@example.com", Self.wrong) }
            try harness.expect(try await harness.passwordSignIn("eve@example.com"), is: "rate_limited", 429)
            #expect(try await harness.passwordSignIn("eve@example.com", with: .cookies(own)).status == .ok)
            #expect(try await harness.passwordSignIn("fay@example.com").status == .ok)
            let others = try await harness.passwordSignIn("fay@example.com").cookie("vst_device")
            try harness.expect(
                try await harness.passwordSignIn("eve@example.com", with: .cookies(others)),
                is: "rate_limited",
                429
            )
            harness.time.advance(by: .seconds(901))
            #expect(try await harness.passwordSignIn("eve@example.com").status == .ok)
        }
    }

    // T-063
    @Test(arguments: HarnessStorage.databases)
    func `attack: a lockout is still in force after a restart`(_ storage: HarnessStorage) async throws {
        let folder = try TestFolder()
        try await Harness.run(storage: storage, folder: folder) { harness in
            try await harness.register("eve@example.com")
            for _ in 1...5 { _ = try await harness.passwordSignIn("eve@example.com", Self.wrong) }
        }
        try await Harness.run(storage: storage, folder: folder, seed: 2) { harness in
            try harness.expect(try await harness.passwordSignIn("eve@example.com"), is: "rate_limited", 429)
        }
    }

    // T-046
    @Test func `attack: a password sign-in ignores the session that its request presents, and opens a new one`()
        async throws
    {
        try await Self.withEve { harness in
            let injected = try await harness.passwordSignIn("eve@example.com")
            let ada = try await harness.signIn()
            let cookies = HTTPFields.cookies(injected.cookie("vst_refresh"), injected.cookie("vst_device"))
            let second = try await harness.passwordSignIn(
                "eve@example.com",
                with: cookies.bearing(ada.tokens.accessToken)
            )
            let (one, two) = (try injected.decode(SignInResponse.self), try second.decode(SignInResponse.self))
            #expect(two.user.email == "eve@example.com", "a bearer token of another is no sign-in")
            #expect(try harness.sid(one.accessToken) != harness.sid(two.accessToken))
            #expect(second.cookie("vst_refresh") != injected.cookie("vst_refresh"))
        }
    }

    // T-046
    @Test func `attack: a sign-in with another account's device cookie does not link that cookie to this account`()
        async throws
    {
        try await Self.withEve { harness in
            try await harness.register("fay@example.com")
            let fay = try await harness.passwordSignIn("fay@example.com").cookie("vst_device")
            let eve = try #require(
                try await harness.passwordSignIn("eve@example.com", with: .cookies(fay)).cookie("vst_device")
            )
            #expect(eve.split(separator: ".").count == 2, "one beside the other, the newest first")
            for _ in 1...6 { _ = try await harness.passwordSignIn("eve@example.com", Self.wrong) }
            try harness.expect(
                try await harness.passwordSignIn("eve@example.com", with: .cookies(fay)),
                is: "rate_limited",
                429
            )
            #expect(try await harness.passwordSignIn("eve@example.com", with: .cookies(eve)).status == .ok)
        }
    }

    @Test func `attack: a disabled account's password sign-in gets 401`() async throws {
        try await Self.withEve { harness in
            _ = try await harness.composition.accounts.disable("eve@example.com")
            try harness.expect(try await harness.passwordSignIn("eve@example.com"), is: "unauthorized", 401)
        }
    }

    @Test(arguments: ["{}", #"{"email": "eve@example.com"}"#, #"{"email": "eve@example.com", "password": null}"#])
    func `what is missing is said`(_ body: String) async throws {
        try await Harness.run { harness in
            for path in ["/auth/login", "/api/mobile/auth/login/password"] {
                try harness.expect(try await harness.post(path, body), is: "invalid_request", 400)
            }
        }
    }

    // T-254
    @Test func `attack: a password of 60,000 bytes gets 401 like any other wrong one`() async throws {
        try await Self.withEve { harness in
            let long = String(repeating: "p", count: 60_000)
            try harness.expect(try await harness.passwordSignIn("eve@example.com", long), is: "unauthorized", 401)
        }
    }

    // T-064
    @Test func `attack: sign-ins from one address get 429 beyond their burst, right or wrong`() async throws {
        try await Harness.run {
            $0.limits.rates.accounts.signInsPerAddress.burst = 3
        } _: { harness in
            for number in 1...3 {
                try harness.expect(
                    try await harness.passwordSignIn("p\(number)@example.com", Self.wrong),
                    is: "unauthorized",
                    401
                )
            }
            try harness.expect(try await harness.passwordSignIn("ada@example.com", Self.wrong), is: "rate_limited", 429)
        }
    }

    static func withEve(
        storage: HarnessStorage = .usual,
        _ body: @Sendable (Harness) async throws -> Void
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            try await harness.register("eve@example.com")
            try await body(harness)
        }
    }
}

extension Harness {
    /// The id of the token's session.
    func sid(_ token: String) throws -> String? {
        let bytes = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        return (try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])?["sid"] as? String
    }
}
