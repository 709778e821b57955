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
@testable import HTTPAPI
@testable import Vestibule

/// User names in the form of an e-mail address, which the published passkey page suggests: a space of their own.
struct PasskeyNameTests {
    /// Ada's, who has an account with it and a face.
    private static let address = "ada@example.com"
    private static let register = "/api/auth/register"

    @Test(arguments: [true, false])
    func `an address is taken as a user name, and never becomes an e-mail address`(_ isByCookie: Bool) async throws {
        try await Bench.run { bench in
            let cookie =
                isByCookie
                ? try await Self.signUpByCookie(bench, "Casey@Example.com")
                : try await bench.signUp("Casey@Example.com").cookie
            let user = try await bench.send(.get, "/api/auth/me", .cookies(cookie)).decode(SignedInUserResponse.self)
                .user
            #expect(user.username == "casey@example.com" && user.email.isEmpty && !user.emailVerified)
            #expect(user.displayName == "user:Casey@Example.com", "pages show it with its mark")
            let record = try await bench.composition.accounts.show("user:casey@example.com")
            #expect(record.emails.isEmpty && record.claim == nil && record.account.id.description == user.id)
            let view = AccountView(record)
            #expect(view.emails.isEmpty && view.cells.contains("user:casey@example.com"))
        }
    }

    @Test func `the app is told the name as it was typed`() async throws {
        try await Bench.run { bench in
            let casey = try await bench.signUp("Casey@Example.com")
            let answer = try await bench.signIn(casey.credential, "casey@example.com")
            #expect(try answer.json()["username"] as? String == "Casey@Example.com")
        }
    }

    @Test func `attack: whoever takes somebody's address for a name gets nothing that is the address's`() async throws {
        try await Bench.run { bench in
            let owner = try await bench.composition.accounts.show(Self.address).account.id
            let eve = try await bench.signUp(Self.address)
            #expect(try await bench.composition.accounts.show(Self.address).account.id == owner)
            let other = try await bench.composition.accounts.show("user:" + Self.address).account.id
            #expect(other != owner)
            let me = try await bench.send(.get, "/api/auth/me", eve.headers).decode(SignedInUserResponse.self).user
            #expect(me.id == other.description && me.email.isEmpty)
            // A face login, a mailed code and a password are the address's.
            let login = try await bench.start(Self.address)
            #expect(try bench.operation(login).account == owner)
            _ = try await bench.askForCode(Self.address)
            let code = try #require(try await bench.mails().last).code
            let opened = try await bench.typeCode(code).decode(SignInResponse.self)
            #expect(opened.user.id == owner.description)
            // So is the passkey of the wallet's login: the name's passkey is none of it.
            let asked = try await bench.post(
                "/api/mobile/auth/login",
                #"{"email":"\#(Self.address)","deviceId":"\#(Bench.mailPhone)","methods":["passkey"]}"#
            )
            let options = try #require(try asked.json()["options"] as? [String: Any])
            #expect(!"\(options)".contains(eve.credential.idText), "\(asked.text)")
        }
    }

    @Test func `attack: a user name keeps nobody from an account with that address, and gets none of its mail`()
        async throws
    {
        try await Bench.run { bench in
            let casey = try await bench.signUp("casey@example.com")
            // Nobody has the address so far: nothing is found by it.
            let decoy = try await bench.start("casey@example.com")
            #expect(try bench.operation(decoy).account == nil)
            _ = try await bench.askForCode("casey@example.com")
            #expect(try await bench.mails().isEmpty)
            await #expect(throws: AccountError.unknownAccount("casey@example.com")) {
                try await bench.composition.accounts.show("casey@example.com")
            }
            let opened = try await bench.register("casey@example.com")
            #expect(opened.status == .created, "\(opened.text)")
            let owner = try opened.decode(SignInResponse.self).user.id
            #expect(try await bench.composition.accounts.show("casey@example.com").account.id.description == owner)
            #expect(try await bench.who(casey.cookie) == "casey@example.com")
            let again = try await bench.registrationOptions("Casey@example.com")
            try bench.expect(again, is: "username_taken", 409)
        }
    }

    @Test func `an address that is one person's and another's name signs in either of them, each with their passkey`()
        async throws
    {
        try await Bench.run { bench in
            let eve = try await bench.signUp(Self.address)
            // Ada gets a passkey of her own, by the name that she has: her address.
            let ada = try await bench.signIn()
            let options = try await bench.registrationOptions(Self.address, ada.bearer)
            #expect(options.status == .ok, "\(options.text)")
            let (credential, response) = try bench.browser.create(options.text)
            let made = try await bench.post("/api/verify-registration", Bench.answer(response, to: options), ada.bearer)
            #expect(made.status == .ok, "\(made.text)")
            for (passkey, isAda) in [(credential, true), (eve.credential, false)] {
                let answer = try await bench.signIn(passkey, Self.address)
                #expect(answer.status == .ok, "\(answer.text)")
                let email = try await bench.send(.get, "/api/auth/me", .cookies(answer.sessionCookies))
                    .decode(SignedInUserResponse.self).user.email
                #expect(email == (isAda ? Self.address : ""))
            }
            let mallory = try await bench.signUp("mallory")
            try bench.expect(try await bench.signIn(mallory.credential, Self.address), is: "passkey_refused", 400)
        }
    }

    @Test func `attack: whoever has the name learns nothing of whether somebody with the address has passkeys`()
        async throws
    {
        try await Bench.run { bench in
            var counts: [Int] = []
            for name in ["ada@example.com", "bob@example.com"] {
                _ = try await bench.signUp(name)
                if name == "ada@example.com" {
                    let ada = try await bench.signIn(name)
                    let options = try await bench.registrationOptions(name, ada.bearer)
                    let (_, response) = try bench.browser.create(options.text)
                    let body = try Bench.answer(response, to: options)
                    #expect(try await bench.post("/api/verify-registration", body, ada.bearer).status == .ok)
                }
                let options = try await bench.signInOptions(name).json()
                counts.append(try #require(options["allowCredentials"] as? [Any]).count)
            }
            #expect(counts.allSatisfy { $0 >= 2 }, "the name's own, and the address's or decoys: \(counts)")
        }
    }

    @Test func `everybody's list shows the name with its mark`() async throws {
        try await Bench.run {
            $0.passkeys.listUsers = true
        } _: { bench in
            _ = try await bench.signUp("casey@example.com")
            let users = try await bench.send(.get, "/api/users").decode([ListedPasskeyUser].self)
            #expect(users.map(\.username) == ["user:casey@example.com"])
        }
    }

    /// Opens an account by the surface with the cookie.
    private static func signUpByCookie(_ bench: Bench, _ name: String) async throws -> String {
        let options = try await bench.post(register + "/generate-options", #"{"username":"\#(name)"}"#)
        try #require(options.status == .ok, "\(options.text)")
        let (_, response) = try bench.browser.create(options.text)
        let answer = try await bench.post(register + "/verify", response, .cookies(options.sessionCookies))
        try #require(answer.status == .ok, "\(answer.text)")
        return try #require(answer.sessionCookies)
    }
}
