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
import Testing

@testable import Assembly
@testable import HTTPAPI

/// Answers that are in flight while the owner ends all by which somebody may act for the account.
struct PasskeyRaceTests {
    /// What the owner does after an attacker's answer was looked at, and before it is kept.
    enum Ending: CaseIterable {
        case nothing, signsOutEverywhere, changesPassword, isDisabled
    }

    private static func end(_ ending: Ending, _ account: AccountID, _ harness: Harness) async throws {
        let composition = harness.composition
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

    // T-099
    @Test(arguments: Ending.allCases)
    func `attack: a registration checked before its session ended adds no passkey afterwards`(
        _ ending: Ending
    ) async throws {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let options = try await harness.registrationOptions("ada", ada.headers)
            let id = try #require(try options.json()["challengeId"] as? String)
            let response = try harness.browser.create(options.text).1
            let head = HTTPRequest(
                method: .post,
                scheme: "http",
                authority: "localhost",
                path: "/api/verify-registration",
                headerFields: ada.headers
            )
            let request = Request(head: head, body: .init(buffer: ByteBuffer()))
            let who = try await harness.api.gate.signedIn(request, .session.orWebSession)
            let surface = try #require(harness.api.surface("passkeys"))
            let signIns = harness.api.passkeySessions(surface)
            let (service, owned) = (harness.composition.passkeys.service, harness.composition.passkeys.owned)
            let checked = try await service.check(
                registration: try JSONReader.read(Array(response.utf8)),
                from: PasskeyAPI.binding(id, of: who)
            )
            try await Self.end(ending, who.account, harness)
            let before = try await owned.list(of: who.account).map(\.id)
            var isKept = true
            do { _ = try await signIns.register(checked, by: who, request, requester: "en") } catch { isKept = false }
            #expect(isKept == (ending == .nothing))
            let after = try await owned.list(of: who.account).map(\.id)
            #expect(after.count == before.count + (ending == .nothing ? 1 : 0))
        }
    }

    // T-099
    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `attack: a registration concurrent with a password change leaves no passkey`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            for round in 0..<6 {
                let name = "ada\(round)"
                let ada = try await harness.signUp(name)
                let account = try await harness.composition.accounts.show(name).account.id
                let options = try await harness.registrationOptions(name, ada.headers)
                let body = try Harness.answer(try harness.browser.create(options.text).1, to: options)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { _ = try await harness.post("/api/verify-registration", body, ada.headers) }
                    group.addTask { try await Self.end(.changesPassword, account, harness) }
                    try await group.waitForAll()
                }
                let left = try await harness.composition.passkeys.owned.list(of: account)
                #expect(left.isEmpty)
                #expect(try await harness.who(ada.cookie) == nil)
            }
        }
    }

    // T-099
    @Test func `attack: a session can't finish a passkey registration that another session of the account began`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let other = HTTPFields.cookies(try await harness.signIn(ada.credential).cookie("yapt.sid="))
            let options = try await harness.registrationOptions("ada", ada.headers)
            let (credential, response) = try harness.browser.create(options.text)
            let body = try Harness.answer(response, to: options)
            let crossed = try await harness.post("/api/verify-registration", body, other)
            try harness.expect(crossed, is: "challenge_over", 400)
            let own = try await harness.post("/api/verify-registration", body, ada.headers)
            #expect(own.status == .ok, "\(own.text)")
            #expect(try await harness.signIn(credential, "ada").status == .ok)
        }
    }
}
