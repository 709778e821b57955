import Accounts
import Audit
import Devices
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Operations
import Settings
import SignIn
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Sessions of people who sign in without an operation.
struct DoorTests {
    @Test func `what was proved stands in the tokens, and so does the device as its client calls it`() async throws {
        try await Harness.run { harness in
            let account = try await harness.composition.accounts.show("ada@example.com").account.id
            let opened = try await harness.opened { policy in
                SignInRequest(account: account, proof: .password, policy: policy, device: SignInOrigin(name: "Phone-1"))
            }
            let answer = try await harness.answer(try #require(opened))
            #expect(answer.headers[values: .setCookie] == [], "an app that keeps no cookies is left none")
            let body = try answer.decode(SignInResponse.self)
            #expect(body.tokens.accessToken == body.accessToken && body.tokens.refreshToken == body.refreshToken)
            #expect(body.user.email == "ada@example.com" && body.expiresIn == 3600)
            let claims = try Self.claims(body.accessToken)
            #expect(claims["amr"] as? [String] == ["pwd"] && claims["acr"] == nil)
            #expect(claims["deviceId"] as? String == "Phone-1" && claims["type"] as? String == "access")
            let me = try await harness.send(.get, "/auth/me", .bearing(body.accessToken))
            #expect(try me.decode(SignedInUserResponse.self).user == body.user)
            let refreshed = try await harness.refresh(body.refreshToken).accessToken
            #expect(try Self.claims(refreshed)["auth_time"] as? Int == claims["auth_time"] as? Int)
        }
    }

    @Test func `an app that keeps cookies is left its device and its refresh token`() async throws {
        try await Harness.run { harness in
            let account = try await harness.composition.accounts.show("ada@example.com").account.id
            let opened = try await harness.opened { policy in
                SignInRequest(account: account, proof: .password, policy: policy, device: SignInOrigin(cookies: []))
            }
            let cookies = try await harness.answer(try #require(opened)).headers[values: .setCookie]
            #expect(cookies.map { String($0.prefix { $0 != "=" }) } == ["vst_device", "vst_refresh"])
            #expect(cookies.allSatisfy { $0.contains("HttpOnly") && $0.contains("SameSite=Lax") }, "\(cookies)")
        }
    }

    private static let passkey = PasskeyID(UUIDBits(high: 1, low: 2))

    // T-127
    /// The one rule of `amr` and `acr`, in the first access token and in a refreshed one.
    @Test(
        arguments: [
            (.password, ["pwd"], nil), (.mailedCode, ["otp"], nil), (.newAccount, [], nil), (.face, ["face"], "face"),
            (.deviceKey(nil), ["hwk"], nil), (.deviceKey(.fingerprint), ["hwk", "fpt"], nil),
            (.deviceKey(.face), ["hwk", "user"], nil),
            (.passkey(passkey, isSynced: false, isUserVerified: true), ["hwk", "user", "mfa"], "passkey"),
            (.passkey(passkey, isSynced: true, isUserVerified: true), ["swk", "user", "mfa"], "passkey"),
            (.passkey(passkey, isSynced: true, isUserVerified: false), ["swk", "user"], nil),
        ] as [(AuthenticationProof, [String], String?)]
    )
    func `tokens tell by what the person proved who they are, by one rule`(
        _ proof: AuthenticationProof,
        _ methods: [String],
        _ contextClass: String?
    ) async throws {
        try await Harness.run { harness in
            let account = try await harness.composition.accounts.show("ada@example.com").account.id
            let opened = try await harness.opened { SignInRequest(account: account, proof: proof, policy: $0) }
            let body = try await harness.answer(try #require(opened)).decode(SignInResponse.self)
            var tokens = [body.accessToken]
            // A session of a device's key is refreshed with a signature alone.
            if case .deviceKey = proof {
            } else {
                tokens.append(try await harness.refresh(body.refreshToken).accessToken)
            }
            for token in tokens {
                let claims = try Self.claims(token)
                #expect(claims["amr"] as? [String] ?? [] == methods && claims["acr"] as? String == contextClass)
            }
        }
    }

    // T-108
    @Test func `attack: a disabled account opens no session, and each opened session is audited`() async throws {
        try await Harness.run { harness in
            let account = try await harness.composition.accounts.show("ada@example.com").account.id
            #expect(try await harness.opened { SignInRequest(account: account, proof: .password, policy: $0) } != nil)
            _ = try await harness.composition.accounts.disable("ada@example.com")
            #expect(try await harness.opened { SignInRequest(account: account, proof: .password, policy: $0) } == nil)
            let rows = try await harness.composition.audit.newest(50).filter { $0.entry.event == "session.opened" }
            #expect(rows.map(\.entry.detail) == ["bbms: pwd"])
        }
    }

    private static func claims(_ token: String) throws -> [String: Any] {
        let bytes = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
}

extension Harness {
    /// Opens a session for the bbms client's policy.
    func opened(_ request: (ClientPolicy) -> SignInRequest) async throws -> OpenedSession? {
        let request = request(try settings.clientDirectory.client(named: "bbms", surface: nil))
        return try await composition.unitOfWork.run { [door = composition.door] in try door.open(request, in: $0) }
    }

    func answer(_ opened: OpenedSession) async throws -> TestResponse {
        let replies = api.signInReplies
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            try replies.answer(opened, "Signed in", for: request)
        }
        return try await Application(responder: responder).test(.router) { client in
            try await client.execute(uri: "/auth/login", method: .post)
        }
    }
}
