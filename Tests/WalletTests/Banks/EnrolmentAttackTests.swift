import CodeFlow
import Kernel
import MemoryStore
import Testing
import Wallet

/// Ways to get a card into somebody's wallet, or a second use out of a state.
struct EnrolmentAttackTests {
    private let stage = BankStage()

    init() { stage.scripted.list([1, 2]) }

    /// RFC 9700 §4.2.4: a state is good once, whoever brings it how often at once.
    @Test func `of eight returns with one state at once one is taken`() async throws {
        let state = try await stage.start().state
        let outcomes = try await together(8) { try await stage.arrive(state, code: "code").outcome }
        #expect(outcomes.count { $0 == .success(cardCount: 2) } == 1)
        #expect(outcomes.count { $0 == .failure(.stateUsed) } == 7)
        #expect(stage.scripted.seen.codes.count == 1, "the bank sees one code")
        #expect(try await stage.wallet().count == 2)
        #expect(stage.notes == ["bank.enrolled eb, cards: 2"])
    }

    @Test func `a callback that comes twice adds nothing`() async throws {
        let state = try await stage.start().state
        #expect(try await stage.arrive(state).outcome == .success(cardCount: 2))
        #expect(try await stage.arrive(state, code: "another").outcome == .failure(.stateUsed))
        #expect(stage.scripted.seen.codes == ["code"])
    }

    @Test func `a state that nobody gave out leads to a page`() async throws {
        #expect(try await stage.arrive(Secret("made-up")) == .refused(.unknown))
        let started = try await stage.start()
        #expect(try await stage.arrive(started.state, banks: []) == .refused(.unknown), "the bank left the config")
        let none = AuthorizationCallback(state: nil, code: "code", error: nil, issuer: nil)
        let arrival = try await stage.service.arrive(
            none,
            bankID: "eb",
            bank: { _ in nil },
            browser: nil,
            question: nil,
            webAccount: nil
        )
        #expect(arrival == .refused(.unknown))
    }

    @Test func `a state is over after ten minutes`() async throws {
        let (early, late) = (try await stage.start().state, try await stage.start().state)
        stage.time.advance(by: .seconds(599))
        #expect(try await stage.arrive(early).outcome == .success(cardCount: 2))
        stage.time.advance(by: .seconds(1))
        #expect(try await stage.arrive(late).outcome == .failure(.stateExpired))
        #expect(stage.scripted.seen.codes.count == 1)
    }

    /// RFC 9700 §4.4: a bank that was told to sign somebody in sends the browser on to another bank's callback.
    @Test func `a state at another bank's callback is refused and used up`() async throws {
        let state = try await stage.start().state
        #expect(try await stage.arrive(state, at: "other") == .refused(.otherBank))
        #expect(stage.notes == ["bank.enrolment_refused eb: other_bank"])
        #expect(try await stage.arrive(state).outcome == .failure(.stateUsed))
        #expect(stage.scripted.seen.codes.isEmpty)
    }

    /// RFC 9207 §2.4.
    @Test(arguments: [nil, "https://evil.example.com", "https://bank.example.com/"])
    func `an answer of another issuer is refused`(_ issuer: String?) async throws {
        let bank = BankStage.bank("eb", issuer: "https://bank.example.com")
        let state = try await stage.service.start(stage.order(bank)).state
        for code in ["code", nil] {
            let arrival = try await stage.arrive(
                state,
                code: code,
                error: code == nil ? "access_denied" : nil,
                issuer: issuer,
                banks: [bank]
            )
            #expect(arrival == .refused(.otherIssuer))
        }
        #expect(stage.scripted.seen.codes.isEmpty)
        let good = try await stage.service.start(stage.order(bank)).state
        let arrival = try await stage.arrive(good, issuer: "https://bank.example.com", banks: [bank])
        #expect(arrival.outcome == .success(cardCount: 2))
    }

    /// RFC 9700 §4.7: somebody else's browser is sent to a callback that was begun in another one.
    @Test(arguments: [nil, "another cookie", ""])
    func `a state that was begun in another browser is refused`(_ cookie: String?) async throws {
        let state = try await stage.start(browser: "cookie").state
        #expect(try await stage.arrive(state, browser: cookie) == .refused(.otherBrowser))
        #expect(try await stage.wallet().isEmpty)
        #expect(try await stage.arrive(state, browser: "cookie").outcome == .failure(.stateUsed), "it is used up")
    }

    @Test func `a browser that is signed in to another account is refused`() async throws {
        let state = try await stage.start().state
        #expect(try await stage.arrive(state, webAccount: BankStage.other) == .refused(.otherAccount))
        #expect(stage.notes == ["bank.enrolment_refused eb: other_account"])
        let good = try await stage.start().state
        #expect(try await stage.arrive(good, webAccount: BankStage.account).outcome == .success(cardCount: 2))
    }

    @Test(arguments: [nil, "", String(repeating: "c", count: 4097)])
    func `a return without a code that can be one is refused`(_ code: String?) async throws {
        let state = try await stage.start().state
        #expect(try await stage.arrive(state, code: code) == .refused(.malformed))
        #expect(try await stage.arrive(state).outcome == .success(cardCount: 2), "nothing was lost by it")
    }

    @Test func `whoever is signed out, or disabled, begins nothing and ends nothing`() async throws {
        let state = try await stage.start().state
        let asked = try #require(try await stage.arrive(try await stage.start(asks: true).state).question)
        stage.sessions.end()
        #expect(try await stage.arrive(state).outcome == .failure(.accountUnavailable))
        #expect(stage.scripted.seen.codes.count == 1, "the bank is not asked")
        #expect(try await stage.confirm(asked).outcome == .failure(.accountUnavailable))
        await #expect(throws: EnrolmentRefusal.sessionOver) { try await stage.start() }
        #expect(try await stage.wallet().isEmpty)
        #expect(stage.disk.tables.bankEnrolments.allSatisfy { $0.stage.name == .ended })
    }

    @Test func `a session that ends while the bank is asked brings no cards`() async throws {
        let state = try await stage.start().state
        stage.scripted.onList { [stage] in stage.sessions.end() }
        #expect(try await stage.arrive(state).outcome == .failure(.accountUnavailable))
        #expect(try await stage.link() == nil)
    }

    @Test func `of eight answers to one question one counts`() async throws {
        let token = try #require(try await stage.arrive(try await stage.start(asks: true).state).question)
        let outcomes = try await together(8) { try await stage.confirm(token).outcome }
        #expect(outcomes.count { $0 == .success(cardCount: 2) } == 1)
        #expect(outcomes.count { $0 == .failure(.stateUsed) } == 7)
        #expect(stage.notes == ["bank.enrolled eb, cards: 2"])
    }

    /// RFC 9700 §4.7: the page's address, which has the state, is known to whoever began.
    @Test func `a question is shown again to the browser that was asked, and to no other`() async throws {
        let started = try await stage.start(asks: true)
        let asked = try await stage.arrive(started.state)
        let token = try #require(asked.question)
        let another = try #require(try await stage.arrive(try await stage.start(asks: true).state).question)
        for foreign in [nil, Secret("made-up"), Secret(""), started.state, another] {
            #expect(try await stage.arrive(started.state, question: foreign).outcome == .failure(.stateUsed))
        }
        #expect(try await stage.arrive(started.state, at: "other", question: token) == .refused(.otherBank))
        let elsewhere = try await stage.arrive(started.state, question: token, webAccount: BankStage.other)
        #expect(elsewhere == .refused(.otherAccount))
        #expect(try await stage.arrive(started.state, question: token) == asked)
        #expect(try await stage.arrive(started.state, code: nil, error: "access_denied", question: token) == asked)
        #expect(stage.scripted.seen.codes.count == 2, "the bank is asked once for each")
        #expect(try await stage.confirm(token).outcome == .success(cardCount: 2))
        #expect(try await stage.arrive(started.state, question: token).outcome == .failure(.stateUsed))
        #expect(stage.notes == ["bank.enrolled eb, cards: 2"])
    }

    @Test func `a question is shown again for as long as it can be answered`() async throws {
        let state = try await stage.start(asks: true).state
        let token = try #require(try await stage.arrive(state).question)
        stage.time.advance(by: .seconds(599))
        #expect(try await stage.arrive(state, question: token).question == token)
        stage.time.advance(by: .seconds(1))
        #expect(try await stage.arrive(state, question: token).outcome == .failure(.stateExpired))
    }

    @Test func `a no is the last word, and forgets what the bank gave`() async throws {
        let token = try #require(try await stage.arrive(try await stage.start(asks: true).state).question)
        #expect(try await stage.confirm(token, agrees: false).outcome == .failure(.userCancelled))
        #expect(try await stage.confirm(token).outcome == .failure(.stateUsed))
        #expect(!"\(stage.disk.tables.bankEnrolments)".contains("access-1"))
        #expect(try await stage.wallet().isEmpty)
    }

    @Test func `a question waits for ten minutes, and a made-up answer is none`() async throws {
        let state = try await stage.start(asks: true).state
        stage.time.advance(by: .seconds(500))
        let token = try #require(try await stage.arrive(state).question)
        stage.time.advance(by: .seconds(600))
        #expect(try await stage.confirm(token).outcome == .failure(.stateExpired))
        #expect(try await stage.confirm(Secret("made-up")) == .refused(.unknown))
        #expect(try await stage.confirm(state) == .refused(.unknown), "the state is no answer")
    }

    @Test func `what was sealed with another key ends the attempt`() async throws {
        let state = try await stage.start().state
        let token = try #require(try await stage.arrive(try await stage.start(asks: true).state).question)
        let asked = try await stage.start(asks: true).state
        let shown = try #require(try await stage.arrive(asked).question)
        stage.encryptor.changeKey()
        #expect(try await stage.arrive(state).outcome == .failure(.stateExpired))
        #expect(try await stage.arrive(asked, question: shown).outcome == .failure(.stateExpired))
        #expect(try await stage.confirm(token).outcome == .failure(.stateExpired))
    }

    @Test func `an account has ten attempts, and the newest stay`() async throws {
        var states: [Secret] = []
        for _ in 0...BankService.attemptsPerAccount { states.append(try await stage.start().state) }
        #expect(try await stage.arrive(states[0]) == .refused(.unknown))
        #expect(try await stage.arrive(states[1]).outcome == .success(cardCount: 2))
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
    func `a list that no honest bank sends brings nothing`(_ cards: [BankCard]) async throws {
        stage.scripted.set { $0.cards = cards }
        #expect(try await stage.arrive(try await stage.start().state).outcome == .failure(.bankUnavailable))
        #expect(try await stage.wallet().isEmpty)
        try await stage.enrol([7])
        stage.scripted.set { $0.cards = cards }
        await #expect(throws: SyncError.unusable) { try await stage.service.sync(stage.bank, of: BankStage.account) }
        #expect(try await stage.digits() == ["0007"])
    }

    /// PCI DSS v4.0, requirement 3: what is not stored need not be protected.
    @Test(arguments: [
        "4242424242424242", "4242-4242-4242-4242", "4242 4242 4242 4242", "4222222222222", "6304000000000000000",
        "-4242424242424242-",
    ])
    func `attack: a bank that tells a card's number in the place of its reference brings nothing`(
        _ reference: String
    ) async throws {
        let listed = [ScriptedBank.card(1), BankCard(reference: reference, lastFour: "4242", network: "VISA")]
        stage.scripted.set { $0.cards = listed }
        #expect(try await stage.arrive(try await stage.start().state).outcome == .failure(.bankUnavailable))
        let asking = try await stage.start(asks: true).state
        #expect(try await stage.arrive(asking).outcome == .failure(.bankUnavailable), "nothing is held meanwhile")
        try await stage.enrol([7])
        stage.scripted.set { $0.cards = listed }
        await #expect(throws: SyncError.unusable) { try await stage.service.sync(stage.bank, of: BankStage.account) }
        #expect(!"\(stage.disk.tables)".contains(reference))
        #expect(try await stage.digits() == ["0007"])
    }

    @Test(arguments: [
        "4242424242424241", "1234567890123456789", "424242424242", "42424242424242424242", "tok_4242424242424242",
        "4242.4242.4242.4242",
    ])
    func `a reference that is no card number is kept, however many digits it has`(_ reference: String) async throws {
        stage.scripted.set { $0.cards = [BankCard(reference: reference, lastFour: "4242", network: "VISA")] }
        #expect(try await stage.arrive(try await stage.start().state).outcome == .success(cardCount: 1))
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
