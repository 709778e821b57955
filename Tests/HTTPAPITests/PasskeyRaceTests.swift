import Accounts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import Passkeys
import Sessions
import Settings
import SignIn
import SoftwareAuthenticator
import Storage
import Testing

@testable import HTTPAPI
@testable import Vestibule

/// Answers that are in flight while the owner ends all by which somebody may act for the account.
struct PasskeyRaceTests {
    /// What the owner does after a thief's answer was looked at, and before it is kept.
    enum Ending: CaseIterable {
        case nothing, signsOutEverywhere, changesPassword, isDisabled
    }

    private static func end(_ ending: Ending, _ account: AccountID, _ bench: Bench) async throws {
        let composition = bench.composition
        switch ending {
        case .nothing: break
        case .signsOutEverywhere:
            let sessions = composition.sessions
            let ended = try await composition.unitOfWork.run {
                try sessions.revokeAll(of: account, because: .signedOutEverywhere, in: $0)
            }
            #expect(ended == 1)
        case .changesPassword:
            let access = composition.ending
            try await composition.unitOfWork.run {
                try access.endElsewhere(of: account, except: nil, because: .password, in: $0)
            }
        case .isDisabled: _ = try await composition.accounts.disable("ada")
        }
    }

    @Test(arguments: Ending.allCases)
    func `attack: an answer that was looked at before the owner ended the session keeps no passkey after it`(
        _ ending: Ending
    ) async throws {
        try await Bench.run { bench in
            let ada = try await bench.signUp("ada")
            let options = try await bench.registrationOptions("ada", ada.headers)
            let id = try #require(try options.json()["challengeId"] as? String)
            let response = try bench.browser.create(options.text).1
            let head = HTTPRequest(
                method: .post,
                scheme: "http",
                authority: "localhost",
                path: "/api/verify-registration",
                headerFields: ada.headers
            )
            let request = Request(head: head, body: .init(buffer: ByteBuffer()))
            let who = try await bench.api.gate.signedIn(request, .session.orWebSession)
            let surface = try #require(bench.api.surface("passkeys"))
            let signIns = bench.api.passkeySessions(surface)
            let (service, owned) = (bench.composition.passkeys.service, bench.composition.passkeys.owned)
            let checked = try await service.check(
                registration: try JSONReader.read(Array(response.utf8)),
                from: PasskeyAPI.binding(id, of: who)
            )
            try await Self.end(ending, who.account, bench)
            let before = try await owned.list(of: who.account).map(\.id)
            var isKept = true
            do { _ = try await signIns.register(checked, by: who, request) } catch { isKept = false }
            #expect(isKept == (ending == .nothing))
            let after = try await owned.list(of: who.account).map(\.id)
            #expect(after.count == before.count + (ending == .nothing ? 1 : 0))
        }
    }

    @Test func `attack: whichever comes first, after a change of the password no passkey is left`() async throws {
        try await Bench.run { bench in
            for round in 0..<6 {
                let name = "ada\(round)"
                let ada = try await bench.signUp(name)
                let account = try await bench.composition.accounts.show(name).account.id
                let options = try await bench.registrationOptions(name, ada.headers)
                let body = try Bench.answer(try bench.browser.create(options.text).1, to: options)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { _ = try await bench.post("/api/verify-registration", body, ada.headers) }
                    group.addTask { try await Self.end(.changesPassword, account, bench) }
                    try await group.waitForAll()
                }
                let left = try await bench.composition.passkeys.owned.list(of: account)
                #expect(left.isEmpty)
                #expect(try await bench.who(ada.cookie) == nil)
            }
        }
    }

    @Test func `attack: another session of the account keeps no passkey that it did not ask for`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signUp("ada")
            let other = HTTPFields.cookies(try await bench.signIn(ada.credential).cookie("yapt.sid="))
            let options = try await bench.registrationOptions("ada", ada.headers)
            let (credential, response) = try bench.browser.create(options.text)
            let body = try Bench.answer(response, to: options)
            let crossed = try await bench.post("/api/verify-registration", body, other)
            try bench.expect(crossed, is: "challenge_over", 400)
            let own = try await bench.post("/api/verify-registration", body, ada.headers)
            #expect(own.status == .ok, "\(own.text)")
            #expect(try await bench.signIn(credential, "ada").status == .ok)
        }
    }
}
