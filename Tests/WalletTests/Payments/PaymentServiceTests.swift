import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import Wallet

/// A payment from its beginning to its card.
struct PaymentServiceTests {
    private let stage = PaymentStage()

    @Test(arguments: PaymentStoreContract.allCases)
    func `payments in memory keep the contract`(_ promise: PaymentStoreContract) async throws {
        let storage = MemoryDisk().open()
        try await promise.check(
            over: storage.payments,
            storage.unitOfWork,
            account: PaymentStage.ada,
            other: PaymentStage.bob
        )
    }

    @Test func `a payment is asked for, confirmed and carried out, and the audit log says so`() async throws {
        let begun = try await stage.service.initiate(PaymentStage.order())
        let payment = begun.payment
        #expect(begun.isNew && payment.state == .pending && payment.card == PaymentStage.card)
        #expect(payment.label == PaymentSample.label && payment.money.text == "12.50 EUR")
        #expect(payment.expiresAt == stage.time.wall + .seconds(300))
        stage.time.advance(by: .seconds(20))
        let confirmed = try await stage.confirm(payment, by: .passkey)
        #expect(confirmed.payment.state == .confirmed(confirmed.confirmation))
        #expect(confirmed.confirmation.at == stage.time.wall && confirmed.confirmation.method == .passkey)
        #expect(confirmed.cardTokenExpiresIn == .seconds(120))
        stage.time.advance(by: .seconds(20))
        let redeemed = try #require(try await stage.service.redeem(cardToken: confirmed.cardToken))
        #expect(redeemed.cardReference == "reference-of-\(PaymentStage.card)")
        #expect(redeemed.confirmation.redeemedAt == stage.time.wall)
        #expect(try await stage.service.find(payment.id, of: PaymentStage.ada) == redeemed.payment)
        #expect(
            stage.world.auditLog == [
                "payment.initiated \(payment.id) 12.50 EUR", "payment.confirmed \(payment.id) 12.50 EUR passkey",
                "payment.redeemed \(payment.id) 12.50 EUR",
            ]
        )
    }

    @Test func `a named card pays, and otherwise the default one`() async throws {
        #expect(try await stage.begun(PaymentStage.order(card: PaymentStage.otherCard)).card == PaymentStage.otherCard)
        #expect(try await stage.begun().card == PaymentStage.card)
        stage.world.change { $0.defaults = [:] }
        let refusal = try await stage.refusal { _ = try await stage.begun() }
        #expect(refusal == .cardNotFound)
    }

    @Test func `a payment is confirmed in any session of its account`() async throws {
        let payment = try await stage.begun()
        let confirmed = try await stage.confirm(payment, in: PaymentStage.tablet)
        #expect(confirmed.confirmation.session == PaymentStage.tablet)
        let seen = try await stage.service.find(payment.id, of: PaymentStage.ada)
        #expect(stage.service.cardToken(of: seen, for: PaymentStage.tablet) == confirmed.cardToken)
        #expect(stage.service.cardToken(of: seen, for: PaymentStage.phone) == nil, "it did not confirm")
    }

    @Test func `an answer that was lost is found again until the token is spent or over`() async throws {
        let confirmed = try await stage.confirmed()
        let id = confirmed.payment.id
        let service = stage.service
        func token() async throws -> Secret? {
            service.cardToken(of: try await service.find(id, of: PaymentStage.ada), for: PaymentStage.phone)
        }
        stage.time.advance(by: .milliseconds(119_999))
        #expect(try await token() == confirmed.cardToken)
        #expect(try await service.redeem(cardToken: confirmed.cardToken) != nil)
        #expect(try await token() == nil, "it is spent")
        let second = try await stage.confirmed()
        stage.time.advance(by: .seconds(120))
        let seen = try await service.find(second.payment.id, of: PaymentStage.ada)
        #expect(service.cardToken(of: seen, for: PaymentStage.phone) == nil, "it is over")
        #expect(service.cardToken(of: try await stage.begun(), for: PaymentStage.phone) == nil, "nobody confirmed")
    }

    @Test func `a token made with another key is not told, and is none`() async throws {
        let confirmed = try await stage.confirmed()
        let other = PaymentStage(key: PaymentSample.digest(8, 8))
        #expect(other.service.cardToken(of: confirmed.payment, for: PaymentStage.phone) == nil)
        let forged = CardTokenFactory(key: PaymentSample.digest(8, 8)).token(of: confirmed.payment.id)
        #expect(forged != confirmed.cardToken)
        #expect(try await stage.service.redeem(cardToken: forged) == nil)
    }

    @Test func `a card token has 256 bits, a name of its own, and stands in no row`() async throws {
        let confirmed = try await stage.confirmed()
        let text = confirmed.cardToken.expose()
        #expect(text.wholeMatch(of: #/vct_[A-Za-z0-9_-]{43}/#) != nil)
        #expect(!String(reflecting: stage.disk.tables).contains(text.dropFirst(4)))
        #expect(!stage.world.auditLog.contains { $0.contains(text) })
        #expect(stage.mint.digest(confirmed.cardToken) == confirmed.confirmation.tokenDigest)
    }

    @Test func `payments are listed by account, in pages, the newest first, as they stand now`() async throws {
        var begun: [PaymentID] = []
        for _ in 0..<5 {
            begun.append(try await stage.begun().id)
            stage.time.advance(by: .seconds(70))
        }
        let bobs = try await stage.begun(PaymentStage.order(PaymentStage.bob, in: PaymentStage.bobsPhone))
        let all = try await stage.service.list(of: PaymentStage.ada, before: nil, limit: 50)
        #expect(all.map(\.id) == begun.reversed())
        #expect(all.map(\.state.status) == [.pending, .pending, .pending, .pending, .expired])
        let page = try await stage.service.list(of: PaymentStage.ada, before: begun[3], limit: 2)
        #expect(page.map(\.id) == [begun[2], begun[1]])
        for limit in [0, -1, Int.min] {
            #expect(try await stage.service.list(of: PaymentStage.ada, before: nil, limit: limit).count == 1)
        }
        #expect(try await stage.service.list(of: PaymentStage.ada, before: bobs.id, limit: 50).isEmpty)
    }

    @Test func `no more than fifty are listed at once`() async throws {
        let stage = PaymentStage(policy: PaymentPolicy(openPerAccount: 99))
        for _ in 0..<51 { _ = try await stage.begun() }
        #expect(try await stage.service.list(of: PaymentStage.ada, before: nil, limit: Int.max).count == 50)
    }

    @Test func `a payment is cancelled once or again, and not once it is over`() async throws {
        let payment = try await stage.begun()
        for _ in 0..<2 {
            let cancelled = try await stage.service.cancel(payment.id, of: PaymentStage.ada)
            #expect(cancelled.state == .cancelled(at: stage.time.wall))
        }
        #expect(try stage.row(payment).version == 2, "the second wrote nothing")
        #expect(stage.world.auditLog.filter { $0.hasPrefix("payment.cancelled") }.count == 1)
        let (confirmed, expired) = (try await stage.confirmed().payment, try await stage.begun())
        let first = try await stage.refusal { try await stage.service.cancel(confirmed.id, of: PaymentStage.ada) }
        #expect(first == .over(.confirmed))
        stage.time.advance(by: .seconds(300))
        let second = try await stage.refusal { try await stage.service.cancel(expired.id, of: PaymentStage.ada) }
        #expect(second == .over(.expired))
    }
}
