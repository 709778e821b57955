import Crypto
import Kernel
import MemoryStore
import Testing

@testable import Wallet

/// The way to a bank and back, where nobody means ill.
struct EnrolmentTests {
    private let fixture = BankFixture()

    // T-217
    @Test func `the bank's address has all parameters of OAuth, and the store has no secret`() async throws {
        let started = try await fixture.start()
        let parts = started.authURL.split(separator: "?", maxSplits: 1)
        #expect(parts[0] == "https://bank.example.com/authorize")
        let pairs = parts[1].split(separator: "&").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let query = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
        #expect(query["brand"] == "1")
        #expect(query["response_type"] == "code")
        #expect(query["client_id"] == "wallet")
        #expect(query["redirect_uri"] == "https%3A%2F%2Fid.example.com%2Fapi%2Fenrollment%2Fcallback%2Feb")
        #expect(query["scope"] == "cards%20offline_access")
        #expect(query["code_challenge_method"] == "S256")
        #expect(query["state"] == started.state.expose())
        #expect(started.expiresIn == .seconds(600))

        _ = try await fixture.handleCallback(started.state)
        let verifier = try #require(fixture.scripted.seen.verifiers.first)
        #expect(verifier.utf8.count == 43)
        // RFC 7636 §4.2.
        #expect(query["code_challenge"] == Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8)))))
        #expect(fixture.scripted.seen.redirectURIs == ["https://id.example.com/api/enrollment/callback/eb"])
        #expect(!"\(fixture.disk.tables.bankEnrolments)".contains(started.state.expose()))
    }

    @Test func `the cards are in the wallet, and the app is told so`() async throws {
        let outcome = try await fixture.enrol([1, 2])
        guard case .ended(let end) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let link =
            "mwsim://enrollment/callback?success=true&bsimId=eb&bankName=Example%20Bank%20%26%20S%C3%B6ner&cardCount=2"
        #expect(end.link() == link)
        let wallet = try await fixture.wallet()
        #expect(wallet.map(\.label.lastFour).sorted() == ["0001", "0002"])
        #expect(wallet[0].isDefault && wallet[0].label.lastFour == "0001", "the first of the bank's list")
        #expect(wallet[0].bankLogo == "https://bank.example.com/logo.svg")
        let tokens = try #require(try await fixture.link()?.tokens)
        let context: EncryptionContext = "wallet wallet/bank/\(BankFixture.account)/eb/access"
        #expect(fixture.encryptor.decrypt(tokens.access, as: context) == Secret("access-1"))
        let refresh = try #require(tokens.refresh)
        let ofRefresh: EncryptionContext = "wallet wallet/bank/\(BankFixture.account)/eb/refresh"
        #expect(fixture.encryptor.decrypt(refresh, as: ofRefresh) == Secret("refresh-1"))
        #expect(fixture.encryptor.decrypt(refresh, as: context) == nil, "it decrypts in its own context alone")
        #expect(fixture.notes == ["bank.enrolled eb, cards: 2"])
    }

    @Test func `no cards are a success too`() async throws {
        #expect(try await fixture.enrol([]).outcome == .success(cardCount: 0))
        #expect(try await fixture.cards.contents(of: BankFixture.account).banks.map(\.id) == ["eb"])
    }

    @Test(arguments: [EnrolmentDestination.page, .app(deepLink: nil)])
    func `an end that is a page has no link`(_ destination: EnrolmentDestination) {
        let end = EnrolmentEnd(
            destination: destination,
            bankID: "eb",
            bankName: "Example Bank",
            result: .success(cardCount: 1)
        )
        #expect(end.link() == nil)
    }

    @Test(arguments: BankLinkError.allCases)
    func `a failure speaks both dialects in one link`(_ fault: BankLinkError) throws {
        let end = EnrolmentEnd(
            destination: .app(deepLink: "mwsim://enrollment/callback?v=2"),
            bankID: "e&b",
            bankName: "Example Bank",
            result: .failure(fault)
        )
        let link = try #require(end.link())
        #expect(link.hasPrefix("mwsim://enrollment/callback?v=2&success=false&error=\(fault.rawValue)&message="))
        #expect(link.hasSuffix("&bsimId=e%26b"))
    }

    @Test(arguments: [
        ("access_denied", BankLinkError.userCancelled), ("temporarily_unavailable", .bankUnavailable),
        ("server_error", .bankUnavailable), ("invalid_scope", .bankRefused), ("<script>", .bankRefused),
    ])
    func `the bank's error reaches the app as an error code of the server's own`(
        _ word: String,
        _ fault: BankLinkError
    ) async throws {
        let state = try await fixture.start().state
        #expect(try await fixture.handleCallback(state, code: nil, error: word).outcome == .failure(fault))
        #expect(fixture.scripted.seen.codes.isEmpty)
        #expect(fixture.notes == ["bank.enrolment_refused eb: \(fault.rawValue)"])
        #expect(try await fixture.handleCallback(state).outcome == .failure(.stateUsed), "it is over")
    }

    @Test(arguments: [
        (BankError.unavailable(cause: "timeout"), BankLinkError.bankUnavailable),
        (.unusable(cause: "garbage"), .bankUnavailable), (.refused(cause: "invalid_grant"), .bankRefused),
    ])
    func `a bank that fails leaves nothing behind`(_ failure: BankError, _ fault: BankLinkError) async throws {
        for atTokens in [true, false] {
            fixture.scripted.set {
                $0.tokenFault = atTokens ? failure : nil
                $0.cardsFault = atTokens ? nil : failure
            }
            let state = try await fixture.start().state
            #expect(try await fixture.handleCallback(state).outcome == .failure(fault))
            #expect(try await fixture.handleCallback(state).outcome == .failure(.stateUsed))
        }
        #expect(try await fixture.link() == nil)
        #expect(try await fixture.wallet().isEmpty)
    }

    @Test func `a person who is asked and says yes has the cards`() async throws {
        fixture.scripted.list([1])
        let asked = try await fixture.handleCallback(try await fixture.start(asks: true).state)
        guard case .confirm(let token, let account, let bank, let cards) = asked else {
            Issue.record("\(asked)")
            return
        }
        #expect(account == BankFixture.account)
        #expect(bank == fixture.bank)
        #expect(cards == [ScriptedBank.card(1)])
        #expect(try await fixture.wallet().isEmpty)
        #expect(try await fixture.confirm(token).outcome == .success(cardCount: 1))
        #expect(try await fixture.digits() == ["0001"])
    }

    @Test func `a browser that has the cookie is not asked besides`() async throws {
        fixture.scripted.list([1])
        let state = try await fixture.start(browser: "cookie", asks: true).state
        #expect(try await fixture.handleCallback(state, browser: "cookie").outcome == .success(cardCount: 1))
    }

    @Test func `a second enrolment does not add a card that the person removed`() async throws {
        try await fixture.enrol([1, 2])
        let gone = try #require(try await fixture.wallet().first { $0.label.lastFour == "0001" })
        #expect(try await fixture.cards.remove(gone.id, of: BankFixture.account))
        #expect(try await fixture.enrol([1, 2, 3]).outcome == .success(cardCount: 2))
        #expect(try await fixture.digits().sorted() == ["0002", "0003"])
    }

    @Test func `an enrolment after an unlink is a new beginning`() async throws {
        try await fixture.enrol([1, 2])
        let gone = try #require(try await fixture.wallet().first { $0.label.lastFour == "0001" })
        #expect(try await fixture.cards.remove(gone.id, of: BankFixture.account))
        #expect(try await fixture.service.unlink(bankID: "eb", of: BankFixture.account))
        #expect(try await fixture.wallet().isEmpty)
        #expect(try await fixture.cards.contents(of: BankFixture.account).banks.isEmpty)
        let link = try #require(try await fixture.link())
        #expect(link.tokens == nil, "no token outlives it")
        #expect(try await !fixture.service.unlink(bankID: "eb", of: BankFixture.account), "once")
        #expect(try await fixture.enrol([1, 2]).outcome == .success(cardCount: 2))
        #expect(try await fixture.wallet().contains { $0.isDefault })
    }
}
