import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Testing
import Wire

@testable import Assembly

/// The powers of somebody who started a login for another person, or learned one of its secrets.
struct BindingAttackTests {
    // T-013
    @Test func `attack: with initiators of known devices, the initiator's own browser is sent to no provider page`()
        async throws
    {
        try await Harness.run { settings in
            settings.clients[0].initiators = .knownDevice
        } _: { harness in
            for landing in ["ada@example.com", "bob@example.com", "nobody@example.com"] {
                let login = try await harness.start(landing, isChallenged: true)
                let page = try await harness.open(login)
                #expect(page.status == .ok && page.headers[.location] == nil && page.headers[.setCookie] == nil)
                #expect(page.text.contains("We could not start the scan on this device"))
                await harness.pass(.seconds(60))
                #expect(try await harness.word(login, Harness.proof) == "created")
            }
            #expect(harness.provider.calls.isEmpty, "there is no scan that anybody could do for him")
        }
    }

    // T-001
    @Test func `attack: a leaked operation id collects nothing with the attacker's cookies or without cookies`()
        async throws
    {
        try await Harness.run { harness in
            let victims = try await harness.start()
            let attackers = try await harness.start("bob@example.com")
            try await harness.approve(attackers)
            let device = try #require(try await harness.poll(attackers, attackers.bound).cookie("vst_device"))
            #expect(try await harness.word(victims, victims.bound) == "created")
            try await harness.approve(victims)
            let forged = "\(victims.cookie.prefix { $0 != "=" })=\(attackers.cookie.drop { $0 != "=" }.dropFirst())"
            let tries: [HTTPFields] = [
                [:], attackers.bound, .cookies(attackers.cookie, device), .cookies(device), .cookies(forged),
                .cookies(forged, device), Harness.proof, .cookies(forged).adding(.codeVerifier, Harness.verifier),
            ]
            for headers in tries {
                #expect(try await harness.word(victims, headers) == "created", "\(headers)")
                for path in [victims.ackPath, victims.cancelPath] {
                    try harness.expect(try await harness.send(.post, path, headers), is: "unauthorized", 401)
                }
            }
            #expect(try harness.operation(victims).state.name == .approved)
            #expect(try await harness.word(victims, victims.bound) == "completed")
            for headers in tries { #expect(try await harness.word(victims, headers) == "created", "after it too") }
        }
    }

    // T-004
    @Test func `attack: a stolen code verifier collects nothing from another login, nor after its own is closed`()
        async throws
    {
        try await Harness.run { harness in
            let first = try await harness.start(isChallenged: true)
            try await harness.approve(first)
            #expect(try await harness.word(first, Harness.proof) == "completed")
            try await harness.send(.post, first.ackPath, Harness.proof)
            let replayed = try await harness.poll(first, Harness.proof)
            #expect(try replayed.decode(PollLoginResponse.self).delivery == "closed")
            #expect(!replayed.text.contains("Token") && replayed.headers[.setCookie] == nil)

            let other = Base64URL.encode(Array(Digest256(sha256: String(repeating: "v", count: 43)).bytes))
            let body = #"{"email":"ada@example.com","codeChallenge":"\#(other)"}"#
            let answer = try await harness.post(Harness.initiatePath, body).decode(InitiateLoginResponse.self)
            let second = "/auth/biometric-login/poll/\(answer.operationId)"
            let page = "/go/" + (answer.authUrl.split(separator: "/").last ?? "")
            #expect(try await harness.send(.post, page).status == .seeOther)
            try await harness.judge(.approved)
            let stolen = try await harness.send(.get, second, Harness.proof).decode(PollLoginResponse.self)
            #expect(stolen.status == .pending && stolen.hint == "created")
            let own: HTTPFields = [.codeVerifier: String(repeating: "v", count: 43)]
            #expect(try await harness.send(.get, second, own).decode(PollLoginResponse.self).status == .completed)
        }
    }
}
