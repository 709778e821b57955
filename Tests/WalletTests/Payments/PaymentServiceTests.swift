import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import Wallet

/// A payment from its beginning to its card.
struct PaymentServiceTests {
    private let fixture = PaymentFixture()

    @Test(arguments: PaymentStoreContract.allCases)
    func `payments in memory keep the contract`(_ promise: PaymentStoreContract) async throws {
        let storage = MemoryDisk().open()
        try await promise.check(
            over: storage.payments,
            purge: MemoryExpiringRows.payments.purge,
            storage.unitOfWork,
            account: PaymentFixture.ada,
            other: PaymentFixture.bob
        )
    }

    @Test func `a payment is requested, confirmed and carried out, and is in the audit log`() async throws {
        let begun = try await fixture.service.initiate(PaymentFixture.draft())
        let payment = begun.payment
        #expect(begun.isNew && payment.state == .pending && payment.contents.card == PaymentFixture.card)
        #expect(payment.contents.label == PaymentSample.label && payment.contents.money.text == "12.50 EUR")
        #expect(payment.validity.expiresAt == fixture.time.wall + .seconds(300))
        fixture.time.advance(by: .seconds(20))
        let confirmed = try await fixture.confirm(payment, by: .passkey)
        #expect(confirmed.payment.state == .confirmed(confirmed.confirmation))
        #expect(confirmed.confirmation.at == fixture.time.wall && confirmed.confirmation.method == .passkey)
        #expect(confirmed.cardTokenExpiresIn == .seconds(120))
        fixture.time.advance(by: .seconds(20))
        let redeemed = try #require(try await fixture.service.redeem(cardToken: confirmed.cardToken))
        #expect(redeemed.cardReference == "reference-of-\(PaymentFixture.card)")
        #expect(redeemed.confirmation.redeemedAt == fixture.time.wall)
        #expect(try await fixture.service.find(payment.id, of: PaymentFixture.ada) == redeemed.payment)
        #expect(
            fixture.world.auditLog == [
                "payment.initiated \(payment.id) 12.50 EUR", "payment.confirmed \(payment.id) 12.50 EUR passkey",
                "payment.redeemed \(payment.id) 12.50 EUR",
            ]
        )
    }

    @Test func `a named card pays, and otherwise the default one`() async throws {
        #expect(
            try await fixture.begun(PaymentFixture.draft(card: PaymentFixture.otherCard)).contents.card
                == PaymentFixture.otherCard
        )
        #expect(try await fixture.begun().contents.card == PaymentFixture.card)
        fixture.world.change { $0.defaults = [:] }
        let refusal = try await fixture.refusal { _ = try await fixture.begun() }
        #expect(refusal == .cardNotFound)
    }

    @Test func `a payment is confirmed in any session of its account`() async throws {
        let payment = try await fixture.begun()
        let confirmed = try await fixture.confirm(payment, in: PaymentFixture.tablet)
        #expect(confirmed.confirmation.session == PaymentFixture.tablet)
        let seen = try await fixture.service.find(payment.id, of: PaymentFixture.ada)
        #expect(fixture.service.cardToken(of: seen, for: PaymentFixture.tablet) == confirmed.cardToken)
        #expect(fixture.service.cardToken(of: seen, for: PaymentFixture.phone) == nil, "it did not confirm")
    }

    @Test func `an answer that was lost is found again until the token is spent or over`() async throws {
        let confirmed = try await fixture.confirmed()
        let id = confirmed.payment.id
        let service = fixture.service
        func token() async throws -> Secret? {
            service.cardToken(of: try await service.find(id, of: PaymentFixture.ada), for: PaymentFixture.phone)
        }
        fixture.time.advance(by: .milliseconds(119_999))
        #expect(try await token() == confirmed.cardToken)
        #expect(try await service.redeem(cardToken: confirmed.cardToken) != nil)
        #expect(try await token() == nil, "it is spent")
        let second = try await fixture.confirmed()
        fixture.time.advance(by: .seconds(120))
        let seen = try await service.find(second.payment.id, of: PaymentFixture.ada)
        #expect(service.cardToken(of: seen, for: PaymentFixture.phone) == nil, "it is over")
        #expect(service.cardToken(of: try await fixture.begun(), for: PaymentFixture.phone) == nil, "nobody confirmed")
    }

    @Test func `a token made with another key is not accepted`() async throws {
        let confirmed = try await fixture.confirmed()
        let other = PaymentFixture(key: PaymentSample.digest(8, 8))
        #expect(other.service.cardToken(of: confirmed.payment, for: PaymentFixture.phone) == nil)
        let forged = CardTokenFactory(key: PaymentSample.digest(8, 8)).token(of: confirmed.payment.id)
        #expect(forged != confirmed.cardToken)
        #expect(try await fixture.service.redeem(cardToken: forged) == nil)
    }

    @Test func `a card token has 256 bits, a prefix of its own, and is in no row`() async throws {
        let confirmed = try await fixture.confirmed()
        let text = confirmed.cardToken.expose()
        #expect(text.wholeMatch(of: #/vct_[A-Za-z0-9_-]{43}/#) != nil)
        #expect(!String(reflecting: fixture.disk.tables).contains(text.dropFirst(4)))
        #expect(!fixture.world.auditLog.contains { $0.contains(text) })
        #expect(fixture.factory.digest(confirmed.cardToken) == confirmed.confirmation.tokenDigest)
    }

    @Test func `payments are listed by account, in pages, the newest first, in their present state`() async throws {
        var begun: [PaymentID] = []
        for _ in 0..<5 {
            begun.append(try await fixture.begun().id)
            fixture.time.advance(by: .seconds(70))
        }
        let bobs = try await fixture.begun(PaymentFixture.draft(PaymentFixture.bob, in: PaymentFixture.bobsPhone))
        let all = try await fixture.service.list(of: PaymentFixture.ada, before: nil, limit: 50)
        #expect(all.map(\.id) == begun.reversed())
        #expect(all.map(\.state.status) == [.pending, .pending, .pending, .pending, .expired])
        let page = try await fixture.service.list(of: PaymentFixture.ada, before: begun[3], limit: 2)
        #expect(page.map(\.id) == [begun[2], begun[1]])
        for limit in [0, -1, Int.min] {
            #expect(try await fixture.service.list(of: PaymentFixture.ada, before: nil, limit: limit).count == 1)
        }
        #expect(try await fixture.service.list(of: PaymentFixture.ada, before: bobs.id, limit: 50).isEmpty)
    }

    @Test func `no more than fifty are listed at once`() async throws {
        let fixture = PaymentFixture(policy: PaymentPolicy(openPerAccount: 99))
        for _ in 0..<51 { _ = try await fixture.begun() }
        #expect(try await fixture.service.list(of: PaymentFixture.ada, before: nil, limit: Int.max).count == 50)
    }

    @Test func `a payment is cancelled once or again, and not once it is over`() async throws {
        let payment = try await fixture.begun()
        for _ in 0..<2 {
            let cancelled = try await fixture.service.cancel(payment.id, of: PaymentFixture.ada)
            #expect(cancelled.state == .cancelled(at: fixture.time.wall))
        }
        #expect(try fixture.row(payment).version == 2, "the second wrote nothing")
        #expect(fixture.world.auditLog.filter { $0.hasPrefix("payment.cancelled") }.count == 1)
        let (confirmed, expired) = (try await fixture.confirmed().payment, try await fixture.begun())
        let first = try await fixture.refusal { try await fixture.service.cancel(confirmed.id, of: PaymentFixture.ada) }
        #expect(first == .over(.confirmed))
        fixture.time.advance(by: .seconds(300))
        let second = try await fixture.refusal { try await fixture.service.cancel(expired.id, of: PaymentFixture.ada) }
        #expect(second == .over(.expired))
    }
}
