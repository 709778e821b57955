import HTTPTypes
import HummingbirdTesting
import Kernel
import Operations
import Settings
import Testing
import Wire

@testable import Assembly

/// The callers that may acknowledge and cancel.
struct EndLoginTests {
    @Test(arguments: ["", "/api"])
    func `a cancelled login stays canceled, and its link is gone`(_ prefix: String) async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let response = try await harness.send(.post, prefix + login.cancelPath, login.bound)
            #expect(response.status == .ok)
            let receipt = try response.decode(OperationReceipt.self)
            #expect(receipt.status == .failed && receipt.code == "canceled" && receipt.seq == 2)
            #expect(receipt.message?.isEmpty == false)
            #expect(try await harness.word(login, login.bound) == "canceled")
            #expect(try await harness.open(login).status == .gone)
            let again = try await harness.send(.post, login.cancelPath, login.bound)
            #expect(again.text == response.text, "a second time changes nothing")
        }
    }

    @Test func `an approval after the cancellation grants nothing`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.open(login)
            try await harness.send(.post, login.cancelPath, login.bound)
            try await harness.judge(.approved)
            #expect(try await harness.word(login, login.bound) == "canceled")
        }
    }

    @Test(.alsoSpread) func `an acknowledged login hands out nothing more`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            #expect(try await harness.word(login, login.bound) == "completed")
            let receipt = try await harness.send(.post, login.ackPath, login.bound).decode(OperationReceipt.self)
            #expect(receipt.status == .completed)
            #expect(try await harness.word(login, login.bound) == "delivered")
            #expect(try await harness.send(.post, login.ackPath, login.bound).status == .ok, "twice is no fault")
        }
    }

    @Test func `there is nothing to acknowledge before the tokens are out`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            let receipt = try await harness.send(.post, login.ackPath, login.bound).decode(OperationReceipt.self)
            #expect(receipt.status == .pending)
            #expect(try await harness.word(login, login.bound) == "completed", "and it can be collected still")
        }
    }

    @Test func `cancelling a collected login changes nothing`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            #expect(try await harness.word(login, login.bound) == "completed")
            let receipt = try await harness.send(.post, login.cancelPath, login.bound).decode(OperationReceipt.self)
            #expect(receipt.status == .completed)
            #expect(try await harness.word(login, login.bound) == "completed")
        }
    }

    /// The ways in which a request may try to prove that it may.
    @Test func `attack: cancelling or acknowledging a login without its own proof is refused`() async throws {
        try await Harness.run { harness in
            let outsider = try await Self.signIn(harness, "bob@example.com")
            let login = try await harness.start()
            let other = try await harness.start()
            let wrong: [HTTPFields] = [
                [:], other.bound, .cookies("vst_device=x"), [.authorization: "Bearer \(outsider.accessToken)"],
                [.authorization: "Bearer x.y.z"], [.authorization: "Bearer "], Harness.proof,
                [.authorization: "Bearer \(outsider.refreshToken)"],
            ]
            for headers in wrong {
                for path in [login.cancelPath, login.ackPath, "/api" + login.cancelPath] {
                    let response = try await harness.send(.post, path, headers)
                    try harness.expect(response, is: "unauthorized", 401)
                    #expect(response.headers[.wwwAuthenticate] == #"Bearer, DPoP algs="ES256 EdDSA""#)
                }
            }
            #expect(try harness.operation(login).state == .created)
        }
    }

    @Test func `with a challenge it takes the verifier; the cookie alone is not enough`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start(isChallenged: true)
            try harness.expect(try await harness.send(.post, login.cancelPath, login.bound), is: "unauthorized", 401)
            let body = "{\"codeVerifier\":\"\(Harness.verifier)\"}"
            #expect(try await harness.post(login.cancelPath, body).status == .ok)
            let other = try await harness.start(isChallenged: true)
            #expect(try await harness.send(.post, other.cancelPath, Harness.proof).status == .ok)
        }
    }

    @Test func `an access token of the login's own session may acknowledge it`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            let tokens = try #require(
                try await harness.poll(login, [.userAgent: "App/1"]).decode(PollLoginResponse.self).tokens
            )
            for token in [tokens.refreshToken, tokens.accessToken + "x"] {
                let response = try await harness.send(.post, login.ackPath, [.authorization: "Bearer \(token)"])
                try harness.expect(response, is: "unauthorized", 401)
            }
            let response = try await harness.send(
                .post,
                login.ackPath,
                [.authorization: "bearer \(tokens.accessToken)"]
            )
            #expect(response.status == .ok)
            #expect(try harness.operation(login).state.name == .closed)
        }
    }

    @Test func `attack: an expired access token of the session does not acknowledge its login`() async throws {
        try await Harness.run { settings in
            settings.clients[0].accessTokenLifetime = .seconds(30)
        } _: { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            let token = try await harness.poll(login).decode(PollLoginResponse.self).accessToken
            await harness.pass(.seconds(31))
            let response = try await harness.send(
                .post,
                login.ackPath,
                [.authorization: "Bearer \(try #require(token))"]
            )
            try harness.expect(response, is: "unauthorized", 401)
        }
    }

    private static func signIn(_ harness: Harness, _ email: String) async throws -> LoginTokens {
        let login = try await harness.start(email)
        try await harness.approve(login)
        return try #require(try await harness.poll(login).decode(PollLoginResponse.self).tokens)
    }
}
