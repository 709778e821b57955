import FaceProviders
import Foundation
import Operations
import ScriptedServer
import Testing

struct AuthIDAccountTests {
    private typealias Replies = FakeAuthID.Replies

    private func lookUp(
        _ reply: ScriptedReply,
        _ number: String = "link-1"
    ) async throws -> Result<Bool, ProviderError> {
        var found: Result<Bool, ProviderError> = .success(false)
        try await FakeAuthID.run(Replies(findAccount: { _ in reply })) { authID in
            do throws(ProviderError) {
                found = .success(try await authID.provider.account(number))
            } catch {
                found = .failure(error)
            }
        }
        return found
    }

    private func create(_ reply: ScriptedReply) async throws -> Result<AccountCreation, ProviderError> {
        var outcome: Result<AccountCreation, ProviderError> = .success(.created)
        try await FakeAuthID.run(Replies(createAccount: { _ in reply })) { authID in
            do throws(ProviderError) {
                outcome = .success(
                    try await authID.provider.createAccount(number: "link-1", displayName: "Ada", email: nil)
                )
            } catch {
                outcome = .failure(error)
            }
        }
        return outcome
    }

    @Test func `null means an unknown account`() async throws {
        #expect(try await lookUp(.json("null")) == .success(false))
    }

    @Test func `an account of that number exists`() async throws {
        #expect(try await lookUp(.json(#"{"AccountNumber":"link-1","DisplayName":"Ada"}"#)) == .success(true))
    }

    @Test(arguments: ["", "{}", "[]", "garbage", #"{"AccountNumber":"link-2"}"#, #"{"AccountNumber":null}"#])
    func `an answer that can't be read says neither`(_ body: String) async throws {
        let failure = ProviderError.unavailable(cause: "looking an account up: the answer cannot be read")
        #expect(try await lookUp(.json(body)) == .failure(failure))
    }

    @Test func `a refused lookup says neither`() async throws {
        let failure = ProviderError.refused(cause: "looking an account up: HTTP 400 E_X: No.")
        #expect(try await lookUp(Replies.error(400, "E_X")) == .failure(failure))
    }

    @Test func `an account's number is one segment of the path`() async throws {
        try await FakeAuthID.run { authID in
            _ = try await authID.provider.account("a/b c?d")
            #expect(authID.requests(.findAccount).first?.path.hasSuffix("/v1/accounts/a%2Fb%20c%3Fd") == true)
        }
    }

    @Test func `an account is created with the fields that authID wants`() async throws {
        try await FakeAuthID.run { authID in
            let outcome = try await authID.provider.createAccount(
                number: "link-1",
                displayName: "Ada",
                email: "ada@example.com"
            )
            #expect(outcome == .created)
            let body = try #require(authID.requests(.createAccount).first?.body)
            let sent = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? NSDictionary)
            let expected: NSDictionary = [
                "AccountNumber": "link-1", "DisplayName": "Ada", "Email": "ada@example.com", "Enabled": true,
                "Custom": true, "Rules": 1, "Version": 0,
            ]
            #expect(sent == expected)
        }
    }

    @Test func `a person without an e-mail is sent without one`() async throws {
        try await FakeAuthID.run { authID in
            _ = try await authID.provider.createAccount(number: "link-1", displayName: "Ada", email: nil)
            #expect(authID.requests(.createAccount).first?.text.contains("Email") == false)
        }
    }

    @Test func `an existing account is reported as such`() async throws {
        #expect(try await create(Replies.error(409, "E_ACCOUNT_ALREADY_EXISTS")) == .success(.existed))
    }

    @Test func `any other conflict is a refusal`() async throws {
        let failure = ProviderError.refused(cause: "creating an account: HTTP 409 E_OTHER: No.")
        #expect(try await create(Replies.error(409, "E_OTHER")) == .failure(failure))
        let elsewhere = ProviderError.refused(cause: "creating an account: HTTP 400 E_ACCOUNT_ALREADY_EXISTS: No.")
        #expect(try await create(Replies.error(400, "E_ACCOUNT_ALREADY_EXISTS")) == .failure(elsewhere))
    }

    @Test(arguments: [200, 201, 204]) func `any good status means created`(_ status: Int) async throws {
        #expect(try await create(.answer(status)) == .success(.created))
    }

    @Test func `a provider that is down creates nothing`() async throws {
        let failure = ProviderError.unavailable(cause: "creating an account: HTTP 503 E_X: No.")
        #expect(try await create(Replies.error(503, "E_X")) == .failure(failure))
    }
}
