import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Testing
import Wire

@testable import Vestibule

/// The powers of somebody who started a login for another person, or learned one of its secrets.
struct BindingAttackTests {
    @Test func `attack: an initiator who opens the link himself has no provider's page to forward`() async throws {
        try await Bench.run { settings in
            settings.clients[0].initiators = .knownDevice
        } _: { bench in
            for landing in ["ada@example.com", "bob@example.com", "nobody@example.com"] {
                let login = try await bench.start(landing, isChallenged: true)
                let page = try await bench.open(login)
                #expect(page.status == .ok && page.headers[.location] == nil && page.headers[.setCookie] == nil)
                #expect(page.text.contains("We could not start the scan on this device"))
                await bench.pass(.seconds(60))
                #expect(try await bench.word(login, Bench.proof) == "created")
            }
            #expect(bench.provider.calls.isEmpty, "there is no scan that anybody could do for him")
        }
    }

    @Test func `attack: a leaked id is worth nothing, with the thief's own cookies and without any`() async throws {
        try await Bench.run { bench in
            let victims = try await bench.start()
            let thiefs = try await bench.start("bob@example.com")
            try await bench.approve(thiefs)
            let device = try #require(try await bench.poll(thiefs, thiefs.bound).cookie("vst_device"))
            #expect(try await bench.word(victims, victims.bound) == "created")
            try await bench.approve(victims)
            let forged = "\(victims.cookie.prefix { $0 != "=" })=\(thiefs.cookie.drop { $0 != "=" }.dropFirst())"
            let tries: [HTTPFields] = [
                [:], thiefs.bound, .cookies(thiefs.cookie, device), .cookies(device), .cookies(forged),
                .cookies(forged, device), Bench.proof, .cookies(forged).adding(.codeVerifier, Bench.verifier),
            ]
            for headers in tries {
                #expect(try await bench.word(victims, headers) == "created", "\(headers)")
                for path in [victims.ackPath, victims.cancelPath] {
                    try bench.expect(try await bench.send(.post, path, headers), is: "unauthorized", 401)
                }
            }
            #expect(try bench.operation(victims).state.name == .approved)
            #expect(try await bench.word(victims, victims.bound) == "completed")
            for headers in tries { #expect(try await bench.word(victims, headers) == "created", "after it too") }
        }
    }

    @Test func `attack: a verifier that was caught is worth nothing for another login, nor after the end`() async throws
    {
        try await Bench.run { bench in
            let first = try await bench.start(isChallenged: true)
            try await bench.approve(first)
            #expect(try await bench.word(first, Bench.proof) == "completed")
            try await bench.send(.post, first.ackPath, Bench.proof)
            let replayed = try await bench.poll(first, Bench.proof)
            #expect(try replayed.decode(PollLoginResponse.self).delivery == "closed")
            #expect(!replayed.text.contains("Token") && replayed.headers[.setCookie] == nil)

            let other = Base64URL.encode(Array(Digest256(sha256: String(repeating: "v", count: 43)).bytes))
            let body = #"{"email":"ada@example.com","codeChallenge":"\#(other)"}"#
            let answer = try await bench.post(Bench.initiatePath, body).decode(InitiateLoginResponse.self)
            let second = "/auth/biometric-login/poll/\(answer.operationId)"
            let page = "/go/" + (answer.authUrl.split(separator: "/").last ?? "")
            #expect(try await bench.send(.post, page).status == .seeOther)
            try await bench.judge(.approved)
            let stolen = try await bench.send(.get, second, Bench.proof).decode(PollLoginResponse.self)
            #expect(stolen.status == .pending && stolen.hint == "created")
            let own: HTTPFields = [.codeVerifier: String(repeating: "v", count: 43)]
            #expect(try await bench.send(.get, second, own).decode(PollLoginResponse.self).status == .completed)
        }
    }
}
