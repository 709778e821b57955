import CodeFlow
import Kernel
import MemoryStore
import Testing
import Wallet

/// Ways to get a card into somebody's wallet, or a second use out of a state.
struct EnrolmentAttackTests {
    private let fixture = BankFixture()

    init() { fixture.scripted.list([1, 2]) }

    // T-152
    /// RFC 9700 §4.2.4: a state is valid once, however many callbacks present it at once.
    @Test func `of eight returns with one state at once one is taken`() async throws {
        let state = try await fixture.start().state
        let outcomes = try await together(8) { try await fixture.handleCallback(state, code: "code").outcome }
        #expect(outcomes.count { $0 == .success(cardCount: 2) } == 1)
        #expect(outcomes.count { $0 == .failure(.stateUsed) } == 7)
        #expect(fixture.scripted.seen.codes.count == 1, "the bank sees one code")
        #expect(try await fixture.wallet().count == 2)
        #expect(fixture.notes == ["bank.enrolled eb, cards: 2"])
    }

    // T-152
    @Test func `a callback that comes twice adds nothing`() async throws {
        let state = try await fixture.start().state
        #expect(try await fixture.handleCallback(state).outcome == .success(cardCount: 2))
        #expect(try await fixture.handleCallback(state, code: "another").outcome == .failure(.stateUsed))
        #expect(fixture.scripted.seen.codes == ["code"])
    }

    // T-152
    @Test func `a state that nobody gave out leads to a page`() async throws {
        #expect(try await fixture.handleCallback(Secret("made-up")) == .refused(.unknown))
        let started = try await fixture.start()
        #expect(
            try await fixture.handleCallback(started.state, banks: []) == .refused(.unknown),
            "the bank left the config"
        )
        let none = AuthorizationCallback(state: nil, code: "code", error: nil, issuer: nil)
        let outcome = try await fixture.service.handleCallback(
            none,
            bankID: "eb",
            bank: { _ in nil },
            browser: nil,
            question: nil,
            webAccount: nil
        )
        #expect(outcome == .refused(.unknown))
    }

    // T-152
    @Test func `a state is over after ten minutes`() async throws {
        let (early, late) = (try await fixture.start().state, try await fixture.start().state)
        fixture.time.advance(by: .seconds(599))
        #expect(try await fixture.handleCallback(early).outcome == .success(cardCount: 2))
        fixture.time.advance(by: .seconds(1))
        #expect(try await fixture.handleCallback(late).outcome == .failure(.stateExpired))
        #expect(fixture.scripted.seen.codes.count == 1)
    }

    // T-152, T-153
    /// RFC 9700 §4.4: a bank that was told to sign somebody in sends the browser on to another bank's callback.
    @Test func `a state at another bank's callback is refused and used up`() async throws {
        let state = try await fixture.start().state
        #expect(try await fixture.handleCallback(state, at: "other") == .refused(.otherBank))
        #expect(fixture.notes == ["bank.enrolment_refused eb: other_bank"])
        #expect(try await fixture.handleCallback(state).outcome == .failure(.stateUsed))
        #expect(fixture.scripted.seen.codes.isEmpty)
    }

    // T-153
    /// RFC 9207 §2.4.
    @Test(arguments: [nil, "https://evil.example.com", "https://bank.example.com/"])
    func `an answer of another issuer is refused`(_ issuer: String?) async throws {
        let bank = BankFixture.bank("eb", issuer: "https://bank.example.com")
        let state = try await fixture.service.start(fixture.order(bank)).state
        for code in ["code", nil] {
            let outcome = try await fixture.handleCallback(
                state,
                code: code,
                error: code == nil ? "access_denied" : nil,
                issuer: issuer,
                banks: [bank]
            )
            #expect(outcome == .refused(.otherIssuer))
        }
        #expect(fixture.scripted.seen.codes.isEmpty)
        let good = try await fixture.service.start(fixture.order(bank)).state
        let outcome = try await fixture.handleCallback(good, issuer: "https://bank.example.com", banks: [bank])
        #expect(outcome.outcome == .success(cardCount: 2))
    }

    // T-152
    /// RFC 9700 §4.7: a victim's browser is sent to a callback that was begun in another browser.
    @Test(arguments: [nil, "another cookie", ""])
    func `a state that was begun in another browser is refused`(_ cookie: String?) async throws {
        let state = try await fixture.start(browser: "cookie").state
        #expect(try await fixture.handleCallback(state, browser: cookie) == .refused(.otherBrowser))
        #expect(try await fixture.wallet().isEmpty)
        #expect(
            try await fixture.handleCallback(state, browser: "cookie").outcome == .failure(.stateUsed),
            "it is used up"
        )
    }

    // T-152
    @Test func `a browser that is signed in to another account is refused`() async throws {
        let state = try await fixture.start().state
        #expect(try await fixture.handleCallback(state, webAccount: BankFixture.other) == .refused(.otherAccount))
        #expect(fixture.notes == ["bank.enrolment_refused eb: other_account"])
        let good = try await fixture.start().state
        #expect(
            try await fixture.handleCallback(good, webAccount: BankFixture.account).outcome == .success(cardCount: 2)
        )
    }

    @Test(arguments: [nil, "", String(repeating: "c", count: 4097)])
    func `a return without a code that can be one is refused`(_ code: String?) async throws {
        let state = try await fixture.start().state
        #expect(try await fixture.handleCallback(state, code: code) == .refused(.malformed))
        #expect(try await fixture.handleCallback(state).outcome == .success(cardCount: 2), "nothing was lost by it")
    }

    @Test func `a signed-out or disabled account begins nothing and ends nothing`() async throws {
        let state = try await fixture.start().state
        let asked = try #require(try await fixture.handleCallback(try await fixture.start(asks: true).state).question)
        fixture.sessions.end()
        #expect(try await fixture.handleCallback(state).outcome == .failure(.accountUnavailable))
        #expect(fixture.scripted.seen.codes.count == 1, "the bank is not asked")
        #expect(try await fixture.confirm(asked).outcome == .failure(.accountUnavailable))
        await #expect(throws: BankEnrolmentError.sessionOver) { try await fixture.start() }
        #expect(try await fixture.wallet().isEmpty)
        #expect(fixture.disk.tables.bankEnrolments.allSatisfy { $0.stage.name == .ended })
    }

    @Test func `a session that ends during the request to the bank gets no cards`() async throws {
        let state = try await fixture.start().state
        fixture.scripted.onList { [fixture] in fixture.sessions.end() }
        #expect(try await fixture.handleCallback(state).outcome == .failure(.accountUnavailable))
        #expect(try await fixture.link() == nil)
    }

    @Test func `of eight answers to one question one counts`() async throws {
        let token = try #require(try await fixture.handleCallback(try await fixture.start(asks: true).state).question)
        let outcomes = try await together(8) { try await fixture.confirm(token).outcome }
        #expect(outcomes.count { $0 == .success(cardCount: 2) } == 1)
        #expect(outcomes.count { $0 == .failure(.stateUsed) } == 7)
        #expect(fixture.notes == ["bank.enrolled eb, cards: 2"])
    }

    /// RFC 9700 §4.7: the one who began knows the page's address, which has the state.
    @Test func `a question is shown again to the browser that was asked, and to no other`() async throws {
        let started = try await fixture.start(asks: true)
        let asked = try await fixture.handleCallback(started.state)
        let token = try #require(asked.question)
        let another = try #require(try await fixture.handleCallback(try await fixture.start(asks: true).state).question)
        for foreign in [nil, Secret("made-up"), Secret(""), started.state, another] {
            #expect(try await fixture.handleCallback(started.state, question: foreign).outcome == .failure(.stateUsed))
        }
        #expect(try await fixture.handleCallback(started.state, at: "other", question: token) == .refused(.otherBank))
        let elsewhere = try await fixture.handleCallback(started.state, question: token, webAccount: BankFixture.other)
        #expect(elsewhere == .refused(.otherAccount))
        #expect(try await fixture.handleCallback(started.state, question: token) == asked)
        #expect(
            try await fixture.handleCallback(started.state, code: nil, error: "access_denied", question: token) == asked
        )
        #expect(fixture.scripted.seen.codes.count == 2, "the bank is asked once for each")
        #expect(try await fixture.confirm(token).outcome == .success(cardCount: 2))
        #expect(try await fixture.handleCallback(started.state, question: token).outcome == .failure(.stateUsed))
        #expect(fixture.notes == ["bank.enrolled eb, cards: 2"])
    }

    @Test func `a question is shown again for as long as it can be answered`() async throws {
        let state = try await fixture.start(asks: true).state
        let token = try #require(try await fixture.handleCallback(state).question)
        fixture.time.advance(by: .seconds(599))
        #expect(try await fixture.handleCallback(state, question: token).question == token)
        fixture.time.advance(by: .seconds(1))
        #expect(try await fixture.handleCallback(state, question: token).outcome == .failure(.stateExpired))
    }

    @Test func `a refusal is final, and drops the bank's tokens`() async throws {
        let token = try #require(try await fixture.handleCallback(try await fixture.start(asks: true).state).question)
        #expect(try await fixture.confirm(token, agrees: false).outcome == .failure(.userCancelled))
        #expect(try await fixture.confirm(token).outcome == .failure(.stateUsed))
        #expect(!"\(fixture.disk.tables.bankEnrolments)".contains("access-1"))
        #expect(try await fixture.wallet().isEmpty)
    }

    @Test func `a question waits for ten minutes, and a made-up answer is none`() async throws {
        let state = try await fixture.start(asks: true).state
        fixture.time.advance(by: .seconds(500))
        let token = try #require(try await fixture.handleCallback(state).question)
        fixture.time.advance(by: .seconds(600))
        #expect(try await fixture.confirm(token).outcome == .failure(.stateExpired))
        #expect(try await fixture.confirm(Secret("made-up")) == .refused(.unknown))
        #expect(try await fixture.confirm(state) == .refused(.unknown), "the state is not an answer")
    }

    @Test func `a verifier that was encrypted with another key ends the attempt`() async throws {
        let state = try await fixture.start().state
        let token = try #require(try await fixture.handleCallback(try await fixture.start(asks: true).state).question)
        let asked = try await fixture.start(asks: true).state
        let shown = try #require(try await fixture.handleCallback(asked).question)
        fixture.encryptor.changeKey()
        #expect(try await fixture.handleCallback(state).outcome == .failure(.stateExpired))
        #expect(try await fixture.handleCallback(asked, question: shown).outcome == .failure(.stateExpired))
        #expect(try await fixture.confirm(token).outcome == .failure(.stateExpired))
    }

    // T-250
    @Test func `an account has ten attempts, and the newest stay`() async throws {
        var states: [Secret] = []
        for _ in 0...BankService.attemptsPerAccount { states.append(try await fixture.start().state) }
        #expect(try await fixture.handleCallback(states[0]) == .refused(.unknown))
        #expect(try await fixture.handleCallback(states[1]).outcome == .success(cardCount: 2))
    }

    @Test(arguments: [
        [BankCard](repeating: ScriptedBank.card(1), count: 10_000), (0..<51).map(ScriptedBank.card),
        [ScriptedBank.card(1), ScriptedBank.card(1)],
        [BankCard(reference: "r", lastFour: "42424", network: "VISA")],
        [BankCard(reference: "r", lastFour: "４２４２", network: "VISA")],
        [BankCard(reference: "r", lastFour: "424x", network: "VISA")],
        [BankCard(reference: "r", lastFour: "4242", network: "")],
        [BankCard(reference: "r", lastFour: "4242", network: "VISA\u{202E}ASIV")],
        [BankCard(reference: "r", lastFour: "4242", network: "VI\nSA")],
        [BankCard(reference: "r", lastFour: "4242", network: String(repeating: "V", count: 41))],
        [BankCard(reference: "", lastFour: "4242", network: "VISA")],
        [BankCard(reference: "r r", lastFour: "4242", network: "VISA")],
        [BankCard(reference: String(repeating: "r", count: 257), lastFour: "4242", network: "VISA")],
    ])
    func `a list that no honest bank sends adds nothing`(_ cards: [BankCard]) async throws {
        fixture.scripted.set { $0.cards = cards }
        #expect(try await fixture.handleCallback(try await fixture.start().state).outcome == .failure(.bankUnavailable))
        #expect(try await fixture.wallet().isEmpty)
        try await fixture.enrol([7])
        fixture.scripted.set { $0.cards = cards }
        await #expect(throws: SyncError.unusable) {
            try await fixture.service.sync(fixture.bank, of: BankFixture.account)
        }
        #expect(try await fixture.digits() == ["0007"])
    }

    // T-156
    /// PCI DSS v4.0, requirement 3: what is not stored need not be protected.
    @Test(arguments: [
        "4242424242424242", "4242-4242-4242-4242", "4242 4242 4242 4242", "4222222222222", "6304000000000000000",
        "-4242424242424242-",
    ])
    func `attack: a bank's card list with a card number as a reference adds no card and is not stored`(
        _ reference: String
    ) async throws {
        let listed = [ScriptedBank.card(1), BankCard(reference: reference, lastFour: "4242", network: "VISA")]
        fixture.scripted.set { $0.cards = listed }
        #expect(try await fixture.handleCallback(try await fixture.start().state).outcome == .failure(.bankUnavailable))
        let asking = try await fixture.start(asks: true).state
        #expect(
            try await fixture.handleCallback(asking).outcome == .failure(.bankUnavailable),
            "nothing is held meanwhile"
        )
        try await fixture.enrol([7])
        fixture.scripted.set { $0.cards = listed }
        await #expect(throws: SyncError.unusable) {
            try await fixture.service.sync(fixture.bank, of: BankFixture.account)
        }
        #expect(!"\(fixture.disk.tables)".contains(reference))
        #expect(try await fixture.digits() == ["0007"])
    }

    // T-156
    @Test(arguments: [
        "4242424242424241", "1234567890123456789", "424242424242", "42424242424242424242", "tok_4242424242424242",
        "4242.4242.4242.4242",
    ])
    func `a reference that is not a card number is kept, however many digits it has`(_ reference: String) async throws {
        fixture.scripted.set { $0.cards = [BankCard(reference: reference, lastFour: "4242", network: "VISA")] }
        #expect(try await fixture.handleCallback(try await fixture.start().state).outcome == .success(cardCount: 1))
    }

    private func together<T: Sendable>(
        _ count: Int,
        _ body: @escaping @Sendable () async throws -> T
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: T.self) { group in
            for _ in 0..<count { group.addTask { try await body() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
