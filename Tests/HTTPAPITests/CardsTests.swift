import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Testing
import Wallet
import Wire

@testable import Assembly
@testable import HTTPAPI

/// A wallet's cards, as their owner sees and orders them.
struct CardsTests {
    private static let path = "/api/mobile/wallet/cards"
    private static let banks = "/api/mobile/wallet/banks"
    private static let visa = BankCard(reference: "ref-1", lastFour: "4242", network: "VISA")
    private static let third = BankCard(reference: "ref-3", lastFour: "3333", network: "VISA")

    private static func sync(
        _ harness: Harness,
        _ phone: PhoneOfTest,
        at bank: String = "eb"
    ) async throws -> TestResponse {
        try await harness.send(.post, "\(banks)/\(bank)/sync", phone.bearer)
    }

    @Test func `a card shows its last four digits, and nothing that pays`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            #expect(try await harness.cards(ada).isEmpty)
            try await harness.enroll(ada)
            let response = try await harness.send(.get, Self.path, ada.bearer)
            #expect(!response.text.contains("ref-") && !response.text.contains("bank-access"))
            let cards = try response.decode(WalletCardsResponse.self).cards
            let first = try #require(cards.first { $0.lastFour == "4242" })
            #expect(first.cardType == "VISA" && first.bankName == "Example Bank" && first.bsimId == "eb")
            #expect(first.bankLogo == "https://bank.example.com/logo.png" && first.addedAt.hasSuffix("Z"))
            let summary = try await harness.send(.get, "/api/mobile/wallet/summary", ada.bearer)
            let shown = try summary.decode(WalletSummaryResponse.self)
            #expect(shown.cards == cards && shown.enrolledBanks.map(\.cardCount) == [2])
        }
    }

    @Test func `a card made the default is listed first`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            try await harness.enroll(ada)
            let second = try #require(try await harness.cards(ada).last)
            #expect(!second.isDefault)
            for _ in 0..<2 {
                let response = try await harness.send(.post, "\(Self.path)/\(second.id)/default", ada.bearer)
                let cards = try response.decode(WalletCardsResponse.self).cards
                #expect(cards.first?.id == second.id && cards.map(\.isDefault) == [true, false])
            }
        }
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a removed card is nowhere, the default passes on, and no sync brings it back`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            let ada = try await harness.phone()
            try await harness.enroll(ada)
            let first = try #require(try await harness.cards(ada).first)
            let removed = try await harness.send(.delete, "\(Self.path)/\(first.id)", ada.bearer)
            #expect(try removed.decode(ChangedResponse.self).success)
            var cards = try await harness.cards(ada)
            #expect(cards.count == 1 && cards.first?.isDefault == true && cards.first?.id != first.id)
            let gone = try await harness.send(.delete, "\(Self.path)/\(first.id)", ada.bearer)
            try harness.expect(gone, is: "card_not_found", 404)
            let chosen = try await harness.send(.post, "\(Self.path)/\(first.id)/default", ada.bearer)
            try harness.expect(chosen, is: "card_not_found", 404)
            #expect(try await Self.sync(harness, ada).status == .ok)
            try await harness.enroll(ada)
            cards = try await harness.cards(ada)
            #expect(cards.count == 1, "neither a sync nor a second enrolment brings it back")
            #expect(try await harness.send(.delete, "\(Self.banks)/eb", ada.bearer).status == .ok)
            try await harness.enroll(ada)
            #expect(try await harness.cards(ada).count == 2, "an enrolment after an unlink is a new beginning")
        }
    }

    // T-150
    @Test func `attack: another account's card answers 404 to its removal or to making it the default`() async throws {
        try await Harness.run { harness in
            let (ada, bob) = (try await harness.phone(), try await harness.phone("bob@example.com", Harness.otherPhone))
            try await harness.enroll(ada)
            let card = try #require(try await harness.cards(ada).last)
            for id in [card.id, card.id.uppercased(), "1", "nobody", UUIDBits(high: 1, low: 2).description] {
                let removed = try await harness.send(.delete, "\(Self.path)/\(id)", bob.bearer)
                try harness.expect(removed, is: "card_not_found", 404)
                let chosen = try await harness.send(.post, "\(Self.path)/\(id)/default", bob.bearer)
                try harness.expect(chosen, is: "card_not_found", 404)
            }
            try harness.expect(try await Self.sync(harness, bob), is: "bank_not_enrolled", 404)
            let unlinked = try await harness.send(.delete, "\(Self.banks)/eb", bob.bearer)
            try harness.expect(unlinked, is: "bank_not_enrolled", 404)
            #expect(try await harness.cards(bob).isEmpty)
            let cards = try await harness.cards(ada)
            #expect(cards.count == 2 && cards.last == card)
        }
    }

    @Test func `a sync says what came and what went`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            try await harness.enroll(ada)
            harness.bank.lists([Self.visa, Self.third])
            let answer = try await Self.sync(harness, ada).decode(SyncResponse.self)
            #expect(answer.added == 1 && answer.removed == 1)
            #expect(answer.cards.map(\.lastFour).sorted() == ["3333", "4242"])
            #expect(try await harness.cards(ada) == answer.cards)
            let again = try await Self.sync(harness, ada).decode(SyncResponse.self)
            #expect(again.added == 0 && again.removed == 0 && again.cards == answer.cards)
        }
    }

    @Test(arguments: [
        (BankError.unavailable(cause: "slow"), "bank_unavailable", 503),
        (BankError.unusable(cause: "no JSON"), "bank_unavailable", 502),
        (BankError.refused(cause: "invalid_grant"), "bank_sign_in_needed", 409),
    ])
    func `a bank that fails takes no card away`(_ fault: BankError, _ code: String, _ status: Int) async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            try await harness.enroll(ada)
            harness.bank.fail(with: fault)
            let refused = try await Self.sync(harness, ada)
            try harness.expect(refused, is: code, status)
            #expect(refused.headers[.retryAfter] == (status == 503 ? "30" : nil))
            #expect(!refused.text.contains("slow") && !refused.text.contains("invalid_grant"))
            #expect(try await harness.cards(ada).count == 2)
            harness.bank.fail(with: nil)
            try await harness.enroll(ada)
            #expect(try await Self.sync(harness, ada).status == .ok)
        }
    }

    @Test func `an unlinked bank is gone with its cards, and can be added again`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            try await harness.enroll(ada)
            try await harness.enroll(ada, at: "ob")
            #expect(try await harness.cards(ada).count == 4)
            let answer = try await harness.send(.delete, "\(Self.banks)/eb", ada.bearer)
            #expect(try answer.decode(ChangedResponse.self).success)
            let cards = try await harness.cards(ada)
            #expect(cards.map(\.bsimId) == ["ob", "ob"] && cards.map(\.isDefault) == [true, false])
            try harness.expect(try await Self.sync(harness, ada), is: "bank_not_enrolled", 404)
            let again = try await harness.send(.delete, "\(Self.banks)/eb", ada.bearer)
            try harness.expect(again, is: "bank_not_enrolled", 404)
            let summary = try await harness.send(.get, "/api/mobile/wallet/summary", ada.bearer)
            #expect(try summary.decode(WalletSummaryResponse.self).enrolledBanks.map(\.bsimId) == ["ob"])
            try harness.expect(try await Self.sync(harness, ada, at: "nobank"), is: "bank_not_enrolled", 404)
        }
    }

    // T-250
    @Test func `the 21st synchronisation of a bank in a row gets 429`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            try await harness.enroll(ada)
            for _ in 0..<20 { #expect(try await Self.sync(harness, ada).status == .ok) }
            try harness.expect(try await Self.sync(harness, ada), is: "rate_limited", 429)
            harness.time.advance(by: .seconds(15))
            #expect(try await Self.sync(harness, ada).status == .ok)
        }
    }
}
