import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import Wallet

/// Keys that make a request safe to repeat, and how much may be asked for.
struct PaymentLimitTests {
    private let stage = PaymentStage()

    @Test func `a request with a known key is given what it was given, as that stands now`() async throws {
        let order = try PaymentStage.order(key: "k-1")
        let first = try await stage.service.initiate(order)
        #expect(try await stage.service.initiate(order) == InitiatedPayment(payment: first.payment, isNew: false))
        let elsewhere = try PaymentStage.order(in: PaymentStage.tablet, key: "k-1")
        #expect(try await stage.service.initiate(elsewhere).payment.id == first.payment.id)
        stage.time.advance(by: .seconds(300))
        let again = try await stage.service.initiate(order)
        #expect(!again.isNew && again.payment.id == first.payment.id && again.payment.state == .expired)
        #expect(stage.disk.tables.payments.count == 1)
    }

    @Test func `a repeated request for the default card is for the one that it was then`() async throws {
        let first = try await stage.service.initiate(PaymentStage.order(key: "k-1"))
        stage.world.change { $0.defaults[PaymentStage.ada] = PaymentStage.otherCard }
        let again = try await stage.service.initiate(PaymentStage.order(key: "k-1"))
        #expect(again.payment == first.payment && again.payment.card == PaymentStage.card)
    }

    @Test func `attack: a known key with anything else is a mismatch`() async throws {
        let payment = try await stage.begun(PaymentStage.order(key: "k-1"))
        let orders = try [
            PaymentStage.order(card: PaymentStage.card, key: "k-1"),
            PaymentStage.order(card: PaymentStage.otherCard, key: "k-1"),
            PaymentStage.order(value: "12.51", key: "k-1"), PaymentStage.order(value: "12.5", key: "k-1"),
            PaymentStage.order(currency: "USD", key: "k-1"), PaymentStage.order(merchant: "Thief", key: "k-1"),
            PaymentStage.order(merchantID: "shop-8", key: "k-1"), PaymentStage.order(merchantID: nil, key: "k-1"),
        ]
        for order in orders {
            let refusal = try await stage.refusal { _ = try await stage.service.initiate(order) }
            #expect(refusal == .idempotencyMismatch, "\(order)")
        }
        #expect(stage.disk.tables.payments == [payment.id: payment])
    }

    @Test func `a key is its account's and its client's own, byte by byte`() async throws {
        let orders = try [
            PaymentStage.order(key: "k-1"), PaymentStage.order(key: "K-1"), PaymentStage.order(key: "k-1 "),
            PaymentStage.order(client: "wallet-app2", key: "k-1"),
            // A border between client and key that could be shifted would make these two one.
            PaymentStage.order(client: "wallet-ap", key: "pk-1"),
            PaymentStage.order(client: "wallet-app1:", key: "k-1"),
            PaymentStage.order(PaymentStage.bob, in: PaymentStage.bobsPhone, key: "k-1"), PaymentStage.order(),
            PaymentStage.order(),
        ]
        for order in orders { #expect(try await stage.service.initiate(order).isNew, "\(order)") }
    }

    @Test(arguments: ["", String(repeating: "k", count: 256), "k\n", "k\u{7F}", "é", "k\u{0}", "\u{202E}k"])
    func `a key is printable ASCII`(_ key: String) { #expect(!PaymentDraft.isIdempotencyKey(key)) }

    @Test(arguments: ["k", "a key", String(repeating: "k", count: 255), "~"])
    func `a key may be a text of a line`(_ key: String) { #expect(PaymentDraft.isIdempotencyKey(key)) }

    @Test func `attack: a payment above the largest is refused, to the last digit`() async throws {
        let bounds = try ["1000.00 EUR", "0.50 USD"].map { try #require(Money(parsing: $0)) }
        let stage = PaymentStage(policy: PaymentPolicy(largest: bounds))
        for (value, currency, refusal) in [
            ("1000", "EUR", nil), ("1000.00", "EUR", nil), ("0.5", "USD", nil),
            ("1000.01", "EUR", PaymentError.tooLarge),
            ("999999999999.99", "EUR", .tooLarge), ("0.51", "USD", .tooLarge), ("1", "USD", .tooLarge),
            ("0.01", "CHF", .tooLarge),
        ] {
            let order = try PaymentStage.order(value: value, currency: currency)
            let found = try await stage.refusal { _ = try await stage.begun(order) }
            #expect(found == refusal, "\(value) \(currency)")
        }
    }

    @Test func `what is open at a time is bounded per account, and says when the next may be`() async throws {
        let stage = PaymentStage(policy: PaymentPolicy(openPerAccount: 3))
        var begun: [Payment] = []
        for _ in 0..<3 {
            begun.append(try await stage.begun())
            stage.time.advance(by: .seconds(10))
        }
        func refusal() async throws -> PaymentError? {
            try await stage.refusal { _ = try await stage.begun() }
        }
        #expect(try await refusal() == .tooManyOpen(retryAfter: .seconds(270)))
        _ = try await stage.begun(PaymentStage.order(PaymentStage.bob, in: PaymentStage.bobsPhone))
        try await stage.service.cancel(begun[1].id, of: PaymentStage.ada)
        #expect(try await refusal() == nil)
        #expect(try await refusal() == .tooManyOpen(retryAfter: .seconds(270)))
        _ = try await stage.confirm(begun[2])
        #expect(try await refusal() == nil)
        stage.time.advance(by: .seconds(270))
        #expect(try await refusal() == nil, "the first has expired")
    }

    @Test func `attack: what is begun in a day is bounded, whatever became of it`() async throws {
        let stage = PaymentStage(policy: PaymentPolicy(perDay: 4))
        func refusal(_ order: PaymentDraft? = nil) async throws -> PaymentError? {
            try await stage.refusal { _ = try await stage.begun(order) }
        }
        let keyed = try PaymentStage.order(key: "k-1")
        #expect(try await refusal(keyed) == nil)
        for _ in 0..<2 {
            let payment = try await stage.begun()
            try await stage.service.cancel(payment.id, of: PaymentStage.ada)
        }
        _ = try await stage.confirmed()
        #expect(try await refusal() == .tooManyToday)
        #expect(try await refusal(keyed) == nil, "a repeated request begins none")
        let bobs = try PaymentStage.order(PaymentStage.bob, in: PaymentStage.bobsPhone)
        #expect(try await refusal(bobs) == nil)
        stage.time.advance(by: .seconds(86_400))
        #expect(try await refusal() == .tooManyToday, "up to the last millisecond of it")
        stage.time.advance(by: .milliseconds(1))
        #expect(try await refusal() == nil)
    }
}
