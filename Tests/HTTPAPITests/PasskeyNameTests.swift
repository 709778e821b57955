import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Operations
import Settings
import SoftwareAuthenticator
import Testing
import Wire

@testable import Admin
@testable import Assembly
@testable import HTTPAPI

/// User names in the form of an e-mail address, which the published passkey page suggests: a space of their own.
struct PasskeyNameTests {
    /// Ada's, who has an account with it and a face.
    private static let address = "ada@example.com"
    private static let register = "/api/auth/register"

    // T-072
    @Test(arguments: [true, false])
    func `a user name in the form of an address gives the account no e-mail address`(_ isByCookie: Bool) async throws {
        try await Harness.run { harness in
            let cookie =
                isByCookie
                ? try await Self.signUpByCookie(harness, "Casey@Example.com")
                : try await harness.signUp("Casey@Example.com").cookie
            let user = try await harness.send(.get, "/api/auth/me", .cookies(cookie)).decode(SignedInUserResponse.self)
                .user
            #expect(user.username == "casey@example.com" && user.email.isEmpty && !user.emailVerified)
            #expect(user.displayName == "user:Casey@Example.com", "pages show it with its mark")
            let record = try await harness.composition.accounts.show("user:casey@example.com")
            #expect(record.emails.isEmpty && record.claim == nil && record.account.id.description == user.id)
            let view = AccountView(record)
            #expect(view.emails.isEmpty && view.cells.contains("user:casey@example.com"))
        }
    }

    @Test func `a sign-in returns the user name as it was typed at the registration`() async throws {
        try await Harness.run { harness in
            let casey = try await harness.signUp("Casey@Example.com")
            let answer = try await harness.signIn(casey.credential, "casey@example.com")
            #expect(try answer.json()["username"] as? String == "Casey@Example.com")
        }
    }

    // T-072
    @Test func `attack: an address taken as a user name gives no access to that address's account`() async throws {
        try await Harness.run { harness in
            let owner = try await harness.composition.accounts.show(Self.address).account.id
            let eve = try await harness.signUp(Self.address)
            #expect(try await harness.composition.accounts.show(Self.address).account.id == owner)
            let other = try await harness.composition.accounts.show("user:" + Self.address).account.id
            #expect(other != owner)
            let me = try await harness.send(.get, "/api/auth/me", eve.headers).decode(SignedInUserResponse.self).user
            #expect(me.id == other.description && me.email.isEmpty)
            // A face login, a mailed code and a password are the address's.
            let login = try await harness.start(Self.address)
            #expect(try harness.operation(login).request.account == owner)
            _ = try await harness.askForCode(Self.address)
            let code = try #require(try await harness.mails().last).code
            let opened = try await harness.typeCode(code).decode(SignInResponse.self)
            #expect(opened.user.id == owner.description)
            // So is the passkey of the wallet's login: the name's passkey is none of it.
            let asked = try await harness.post(
                "/api/mobile/auth/login",
                #"{"email":"\#(Self.address)","deviceId":"\#(Harness.mailPhone)","methods":["passkey"]}"#
            )
            let options = try #require(try asked.json()["options"] as? [String: Any])
            #expect(!"\(options)".contains(eve.credential.idText), "\(asked.text)")
        }
    }

    // T-072
    @Test func `attack: a user name in the form of an address does not block that address, and gets none of its mail`()
        async throws
    {
        try await Harness.run { harness in
            let casey = try await harness.signUp("casey@example.com")
            // Nobody has the address so far: nothing is found by it.
            let decoy = try await harness.start("casey@example.com")
            #expect(try harness.operation(decoy).request.account == nil)
            _ = try await harness.askForCode("casey@example.com")
            #expect(try await harness.mails().isEmpty)
            await #expect(throws: AccountError.unknownAccount("casey@example.com")) {
                try await harness.composition.accounts.show("casey@example.com")
            }
            let opened = try await harness.register("casey@example.com")
            #expect(opened.status == .created, "\(opened.text)")
            let owner = try opened.decode(SignInResponse.self).user.id
            #expect(try await harness.composition.accounts.show("casey@example.com").account.id.description == owner)
            #expect(try await harness.who(casey.cookie) == "casey@example.com")
            let again = try await harness.registrationOptions("Casey@example.com")
            try harness.expect(again, is: "username_taken", 409)
        }
    }

    @Test func `a name that is one account's address and another's user name signs in both by their own passkeys`()
        async throws
    {
        try await Harness.run { harness in
            let eve = try await harness.signUp(Self.address)
            // Ada gets a passkey of her own, by the name that she has: her address.
            let ada = try await harness.signIn()
            let options = try await harness.registrationOptions(Self.address, ada.bearer)
            #expect(options.status == .ok, "\(options.text)")
            let (credential, response) = try harness.browser.create(options.text)
            let made = try await harness.post(
                "/api/verify-registration",
                Harness.answer(response, to: options),
                ada.bearer
            )
            #expect(made.status == .ok, "\(made.text)")
            for (passkey, isAda) in [(credential, true), (eve.credential, false)] {
                let answer = try await harness.signIn(passkey, Self.address)
                #expect(answer.status == .ok, "\(answer.text)")
                let email = try await harness.send(.get, "/api/auth/me", .cookies(answer.sessionCookies))
                    .decode(SignedInUserResponse.self).user.email
                #expect(email == (isAda ? Self.address : ""))
            }
            let mallory = try await harness.signUp("mallory")
            try harness.expect(try await harness.signIn(mallory.credential, Self.address), is: "passkey_refused", 400)
        }
    }

    // T-072
    @Test func `attack: a user name's list of passkeys does not tell whether the address's account has passkeys`()
        async throws
    {
        try await Harness.run { harness in
            var counts: [Int] = []
            for name in ["ada@example.com", "bob@example.com"] {
                _ = try await harness.signUp(name)
                if name == "ada@example.com" {
                    let ada = try await harness.signIn(name)
                    let options = try await harness.registrationOptions(name, ada.bearer)
                    let (_, response) = try harness.browser.create(options.text)
                    let body = try Harness.answer(response, to: options)
                    #expect(try await harness.post("/api/verify-registration", body, ada.bearer).status == .ok)
                }
                let options = try await harness.signInOptions(name).json()
                counts.append(try #require(options["allowCredentials"] as? [Any]).count)
            }
            #expect(counts.allSatisfy { $0 >= 2 }, "the name's own, and the address's or decoys: \(counts)")
        }
    }

    @Test func `the list of users shows a user name in the form of an address with its mark`() async throws {
        try await Harness.run {
            $0.passkeys.listUsers = true
        } _: { harness in
            _ = try await harness.signUp("casey@example.com")
            let users = try await harness.send(.get, "/api/users").decode([ListedPasskeyUser].self)
            #expect(users.map(\.username) == ["user:casey@example.com"])
        }
    }

    /// Opens an account by the surface with the cookie.
    private static func signUpByCookie(_ harness: Harness, _ name: String) async throws -> String {
        let options = try await harness.post(register + "/generate-options", #"{"username":"\#(name)"}"#)
        try #require(options.status == .ok, "\(options.text)")
        let (_, response) = try harness.browser.create(options.text)
        let answer = try await harness.post(register + "/verify", response, .cookies(options.sessionCookies))
        try #require(answer.status == .ok, "\(answer.text)")
        return try #require(answer.sessionCookies)
    }
}
