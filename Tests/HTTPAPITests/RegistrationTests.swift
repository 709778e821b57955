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

struct RegistrationTests {
    @Test(arguments: ["/auth/register", "/api/auth/register"])
    func `the face-login app opens an account and is signed in`(_ path: String) async throws {
        try await Harness.run { harness in
            let response = try await harness.register("eve@example.com", path: path)
            #expect(response.status == .created)
            let answer = try PublishedApps.faceLogin.decode(
                PublishedApps.FaceLoginSignIn.self,
                from: Data(response.body.readableBytesView)
            )
            #expect(answer.user.email == "eve@example.com" && answer.user.name == "Eve")
            #expect(answer.user.joinDate == nil && answer.user.createdAt == nil)
            let me = try await harness.send(.get, "/api/auth/me", .bearing(answer.accessToken))
            let user = try PublishedApps.faceLogin.decode(
                PublishedApps.FaceLoginMe.self,
                from: Data(me.body.readableBytesView)
            ).user
            #expect(user == answer.user)
            #expect(try me.decode(SignedInUserResponse.self).user.emailVerified == false)
            #expect(try await harness.passwordSignIn("eve@example.com").status == .ok)
            #expect(try await harness.count(of: "account.registered") == 1)
        }
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `the wallet app opens an account on its device, without a password`(_ storage: HarnessStorage) async throws {
        try await Harness.run(storage: storage) { harness in
            let body = #"""
                {"email": "Eve@Example.com", "name": "Eve", "deviceId": "5F0C3A52-0000-4000-8000-00000000ABCD",
                "deviceName": "Eve's phone", "platform": "ios"}
                """#
            let response = try await harness.post("/api/mobile/auth/register", body, .bearing("stale"))
            #expect(response.status == .created, "\(response.text)")
            let answer = try response.decode(PublishedApps.WalletSignIn.self)
            #expect(answer.user.email == "eve@example.com" && answer.user.walletId == answer.user.id)
            #expect(answer.tokens.accessToken.utf8.count <= 2048 && answer.tokens.expiresIn == 3600)
            let claims = try Self.claims(answer.tokens.accessToken)
            #expect(claims["aud"] as? String == "mwsim" && claims["type"] as? String == "access")
            #expect(claims["deviceId"] as? String == "5F0C3A52-0000-4000-8000-00000000ABCD", "as it came")
            #expect(response.headers[values: .setCookie].isEmpty)
            try harness.expect(try await harness.passwordSignIn("eve@example.com"), is: "unauthorized", 401)
        }
    }

    // T-070
    @Test func `attack: registration ignores role, access level, department and verified address in its body`()
        async throws
    {
        try await Harness.run { harness in
            let more = #"""
                , "role": "admin", "accessLevel": "admin", "department": "Board", "isAdmin": true, "email_verified": true,
                "attributes": {"role": "admin"}, "id": "00000000-0000-4000-8000-000000000001", "walletId": "mine",
                "state": "active", "enrolments": ["mock:enrolment of ada"]
                """#
            let user = try await harness.register("eve@example.com", more: more).decode(SignInResponse.self).user
            #expect(user.role == "user" && user.accessLevel == "basic" && user.department == "" && !user.isAdmin)
            #expect(user.id != "00000000-0000-4000-8000-000000000001" && user.walletId == user.id)
            let record = try await harness.composition.accounts.show("eve@example.com")
            #expect(record.account.attributes.given == [:] && record.enrolments == [])
            #expect(record.emails.map(\.isVerified) == [false])
        }
    }

    // T-070
    @Test func `what an operator gives holds at once, also for tokens that are out`() async throws {
        try await Harness.run { harness in
            let token = try await harness.register("eve@example.com").decode(SignInResponse.self).accessToken
            var change = AccountChange(name: "Eve Adams", attributes: ["role=admin", "department=IT", "walletId=w-7"])
            _ = try await harness.composition.accounts.change("eve@example.com", change)
            var user = try await harness.me(token)
            #expect(user.role == "admin" && user.isAdmin && user.department == "IT" && user.walletId == "w-7")
            #expect(user.displayName == "Eve Adams")
            change = AccountChange(attributes: ["role=", "walletId="])
            _ = try await harness.composition.accounts.change("eve@example.com", change)
            user = try await harness.me(token)
            #expect(user.role == "user" && user.walletId == user.id)
            await #expect(throws: AccountError.emailTaken("ada@example.com")) {
                try await harness.composition.accounts.change(
                    "eve@example.com",
                    AccountChange(name: "Ada", email: "ada@example.com", attributes: ["role=admin"])
                )
            }
            #expect(try await harness.me(token) == user, "all of it or nothing")
            // A new address is the operator's undo of a takeover: earlier tokens are invalid.
            change = AccountChange(email: "eve.adams@example.com")
            let record = try await harness.composition.accounts.change("eve@example.com", change)
            #expect(record.emails.map(\.address.text) == ["eve.adams@example.com"] && record.emails[0].isVerified)
            let old: HTTPFields = [.authorization: "Bearer \(token)"]
            try harness.expect(try await harness.send(.get, "/auth/me", old), is: "unauthorized", 401)
        }
    }

    @Test func `registering a taken address gets 409 email_taken`() async throws {
        try await Harness.run { harness in
            for path in ["/auth/register", "/api/mobile/auth/register"] {
                let more = #", "deviceId": "\#(Harness.phone)", "deviceName": "Phone", "platform": "android""#
                let response = try await harness.register(" ADA@example.com", path: path, more: more)
                try harness.expect(response, is: "email_taken", 409)
                let shown = try response.decode(PublishedApps.FaceLoginError.self)
                #expect(shown.code == "email_taken" && !shown.error.isEmpty)
            }
        }
    }

    @Test(arguments: [
        (#"{"email": "eve", "name": "Eve", "password": "correct horse battery"}"#, "invalid_email"),
        (#"{"email": "eve@example.com", "name": "", "password": "correct horse battery"}"#, "invalid_name"),
        (#"{"email": "eve@example.com", "name": "E\nve", "password": "correct horse battery"}"#, "invalid_name"),
        (#"{"email": "eve@example.com", "name": "Eve", "password": "short"}"#, "weak_password"),
        (#"{"email": "eve@example.com", "name": "Eve"}"#, "invalid_request"),
        (#"{"email": "eve@example.com", "password": "correct horse battery"}"#, "invalid_request"),
        (#"{"email": 7, "name": "Eve", "password": "correct horse battery"}"#, "invalid_request"),
    ]) func `what can't be an account is refused with what is wrong`(_ body: String, _ code: String) async throws {
        try await Harness.run { harness in
            try harness.expect(try await harness.post("/auth/register", body), is: code, 400)
            await #expect(throws: AccountError.self) { try await harness.composition.accounts.show("eve@example.com") }
        }
    }

    // T-042
    @Test(arguments: ["/auth/register", "/auth/login"])
    func `attack: a form of another content type gets 415 and sets no cookie`(_ path: String) async throws {
        try await Harness.run { harness in
            try await harness.register("eve@example.com")
            let body = #"{"email": "eve@example.com", "name": "E", "password": "correct horse battery"}"#
            for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
                let response = try await harness.send(.post, path, [.contentType: type], body: body)
                try harness.expect(response, is: "unsupported_media_type", 415)
                #expect(response.headers[values: .setCookie].isEmpty)
            }
        }
    }

    // T-255
    @Test(.ofOneDaemon(.dividedLimit))
    func `attack: the 101st account registered from one address in an hour gets 429`() async throws {
        try await Harness.run { harness in
            let path = "/api/mobile/auth/register"
            for number in 1...100 {
                let body = Self.onNewPhone("p\(number)@example.com", number)
                #expect(try await harness.post(path, body).status == .created)
            }
            let body = Self.onNewPhone("eve@example.com", 101)
            let response = try await harness.post(path, body)
            try harness.expect(response, is: "rate_limited", 429)
            #expect(response.headers[.retryAfter].flatMap { Int($0) } == 36)
            harness.time.advance(by: .seconds(36))
            #expect(try await harness.post(path, body).status == .created)
        }
    }

    private static func onNewPhone(_ email: String, _ number: Int) -> String {
        let id = UUIDBits(high: 0xD000_4000, low: 0x8000_0000_0000_0000 + UInt64(number))
        return #"{"email": "\#(email)", "name": "P", "deviceId": "\#(id)", "deviceName": "P", "platform": "ios"}"#
    }

    @Test func `where registration is off its routes are not there`() async throws {
        try await Harness.run {
            $0.surfaces["bbms"]?.registration = false
            $0.surfaces["mobile"]?.registration = false
        } _: { harness in
            for path in ["/auth/register", "/api/auth/register", "/api/mobile/auth/register"] {
                try harness.expect(try await harness.register("eve@example.com", path: path), is: "not_found", 404)
            }
            await #expect(throws: AccountError.self) { try await harness.composition.accounts.show("eve@example.com") }
        }
    }

    // T-071
    @Test func `attack: with requireVerifiedEmail an unproved address gets 403 email_not_verified for an enrolment`()
        async throws
    {
        try await Harness.run {
            $0.accounts.requireVerifiedEmail = true
        } _: { harness in
            let eve = try await harness.register("eve@example.com").decode(SignInResponse.self)
            let refused = try await harness.send(.post, Harness.enrolPath, .bearing(eve.accessToken))
            try harness.expect(refused, is: "email_not_verified", 403)
            // The published app reads only a 200: see `RefusedEnrolmentTests`.
            let told = try await harness.send(.post, "/biometric/enroll", .bearing(eve.accessToken)).json()
            #expect(told["code"] as? String == "email_not_verified")
            let outcome = try await harness.prove(eve.user.id, within: true)
            #expect(!outcome)
            let response = try await harness.send(.post, Harness.enrolPath, .bearing(eve.accessToken))
            #expect(response.status == .ok, "\(response.text)")
        }
    }

    // T-067
    @Test func `attack: with requireVerifiedEmail, register and sign-in answer alike for taken and free addresses`()
        async throws
    {
        try await Harness.run {
            $0.accounts.requireVerifiedEmail = true
        } _: { harness in
            var seen: Set<String> = []
            for email in ["ada@example.com", "nobody@example.com"] {
                let first = try await harness.register(email)
                let again = try await harness.register(email)
                let user = try first.decode(SignInResponse.self).user
                #expect(user.email == email && !user.emailVerified)
                let signedIn = try await harness.passwordSignIn(email)
                for response in [first, again, signedIn] {
                    let members = try response.json().keys.sorted()
                    seen.insert("\(response.status.code) \(members) \(response.headerNames)")
                }
            }
            #expect(seen.count == 2, "201 for each account, 401 for each sign-in: \(seen)")
            let ada = try await harness.composition.accounts.show("ada@example.com")
            #expect(ada.account.displayName == "Ada", "her own account is found by her address, and no other")
            #expect(try await harness.start("ada@example.com").response.status == .ok)
        }
    }

    // T-069
    @Test func `an address that was claimed is signed in with once it is proved`() async throws {
        try await Harness.run {
            $0.accounts.requireVerifiedEmail = true
        } _: { harness in
            let eve = try await harness.register("eve@example.com").decode(SignInResponse.self)
            try harness.expect(try await harness.passwordSignIn("eve@example.com"), is: "unauthorized", 401)
            #expect(try await !harness.prove(eve.user.id, within: true))
            #expect(try await harness.passwordSignIn("eve@example.com").status == .ok)
            #expect(try await harness.me(eve.accessToken).emailVerified)
        }
    }

    // T-069, T-071, T-115
    @Test func `attack: proving an address ends the sessions, devices and enrolments of whoever registered it`()
        async throws
    {
        try await Harness.run { harness in
            let response = try await harness.register("eve@example.com")
            let injected = try response.decode(SignInResponse.self)
            let device = response.cookie("vst_device")
            let started = try await harness.send(.post, Harness.enrolPath, .bearing(injected.accessToken))
            let enrolment = try harness.enrolment(started)
            #expect(try await harness.prove("eve@example.com", within: false))
            for path in ["/auth/me", "/auth/sessions", enrolment.pollPath] {
                try harness.expect(
                    try await harness.send(.get, path, .bearing(injected.accessToken)),
                    is: "unauthorized",
                    401
                )
            }
            try harness.expect(
                try await harness.send(.post, "/auth/refresh", .bearing(injected.refreshToken)),
                is: "unauthorized",
                401
            )
            try harness.expect(try await harness.passwordSignIn("eve@example.com"), is: "unauthorized", 401)
            let record = try await harness.composition.accounts.show("eve@example.com")
            #expect(record.passwordHash == nil && record.emails[0].isVerified)
            #expect(!record.enrolments.contains { $0.isActive })
            // Five tries from the injected device count with all unauthenticated tries: it is not a device of the
            // account.
            for _ in 1...4 { _ = try await harness.passwordSignIn("eve@example.com", with: .cookies(device)) }
            try harness.expect(try await harness.passwordSignIn("eve@example.com"), is: "rate_limited", 429)
        }
    }

    private static func claims(_ token: String) throws -> [String: Any] {
        let bytes = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
}

extension Harness {
    static let password = "correct horse battery"

    @discardableResult
    func register(_ email: String, path: String = "/auth/register", more: String = "") async throws -> TestResponse {
        try await post(path, #"{"email": "\#(email)", "name": "Eve", "password": "\#(Self.password)"\#(more)}"#)
    }

    @discardableResult
    func passwordSignIn(
        _ email: String,
        _ password: String = password,
        path: String = "/auth/login",
        with headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await post(
            path,
            #"{"email": "\#(email)", "password": "\#(password)", "deviceId": "\#(Self.phone)"}"#,
            headers
        )
    }

    func me(_ token: String) async throws -> SignedInUser {
        try await send(.get, "/auth/me", .bearing(token)).decode(SignedInUserResponse.self).user
    }

    /// Somebody proves that the account's address is theirs.
    ///
    /// `isWithin`: Whether on a device of the account.
    ///
    /// - Returns: Whether everything that was set up before is gone.
    func prove(_ account: String, within isWithin: Bool) async throws -> Bool {
        let id = try await composition.accounts.show(account).account.id
        let proofs = composition.mailProofs.addresses
        let note = try await composition.unitOfWork.run {
            try proofs.note(id, isOwnDevice: isWithin, requester: "en", client: "bbms", in: $0) { _ in true }
        }
        let isRemoved = note == .proven(removedEarlier: true)
        if isRemoved { try await proofs.settle(id) }
        return isRemoved
    }
}
