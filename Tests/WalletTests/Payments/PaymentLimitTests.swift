import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import Wallet

/// Keys that make a request safe to repeat, and how much may be asked for.
struct PaymentLimitTests {
    private let fixture = PaymentFixture()

    @Test func `a request with a known key gets its payment again, in its present state`() async throws {
        let draft = try PaymentFixture.draft(key: "k-1")
        let first = try await fixture.service.initiate(draft)
        #expect(try await fixture.service.initiate(draft) == InitiatedPayment(payment: first.payment, isNew: false))
        let elsewhere = try PaymentFixture.draft(in: PaymentFixture.tablet, key: "k-1")
        #expect(try await fixture.service.initiate(elsewhere).payment.id == first.payment.id)
        fixture.time.advance(by: .seconds(300))
        let again = try await fixture.service.initiate(draft)
        #expect(!again.isNew && again.payment.id == first.payment.id && again.payment.state == .expired)
        #expect(fixture.disk.tables.payments.count == 1)
    }

    @Test func `a repeated request for the default card is for the one that it was then`() async throws {
        let first = try await fixture.service.initiate(PaymentFixture.draft(key: "k-1"))
        fixture.world.change { $0.defaults[PaymentFixture.ada] = PaymentFixture.otherCard }
        let again = try await fixture.service.initiate(PaymentFixture.draft(key: "k-1"))
        #expect(again.payment == first.payment && again.payment.contents.card == PaymentFixture.card)
    }

    @Test func `attack: an idempotency key with another card, amount or merchant is refused as a mismatch`()
        async throws
    {
        let payment = try await fixture.begun(PaymentFixture.draft(key: "k-1"))
        let drafts = try [
            PaymentFixture.draft(card: PaymentFixture.card, key: "k-1"),
            PaymentFixture.draft(card: PaymentFixture.otherCard, key: "k-1"),
            PaymentFixture.draft(value: "12.51", key: "k-1"), PaymentFixture.draft(value: "12.5", key: "k-1"),
            PaymentFixture.draft(currency: "USD", key: "k-1"), PaymentFixture.draft(merchant: "Thief", key: "k-1"),
            PaymentFixture.draft(merchantID: "shop-8", key: "k-1"), PaymentFixture.draft(merchantID: nil, key: "k-1"),
        ]
        for draft in drafts {
            let refusal = try await fixture.refusal { _ = try await fixture.service.initiate(draft) }
            #expect(refusal == .idempotencyMismatch, "\(draft)")
        }
        #expect(fixture.disk.tables.payments == [payment.id: payment])
    }

    @Test func `a key is its account's and its client's own, byte by byte`() async throws {
        let drafts = try [
            PaymentFixture.draft(key: "k-1"), PaymentFixture.draft(key: "K-1"), PaymentFixture.draft(key: "k-1 "),
            PaymentFixture.draft(client: "wallet-app2", key: "k-1"),
            // A border between client and key that could be shifted would make these two one.
            PaymentFixture.draft(client: "wallet-ap", key: "pk-1"),
            PaymentFixture.draft(client: "wallet-app1:", key: "k-1"),
            PaymentFixture.draft(PaymentFixture.bob, in: PaymentFixture.bobsPhone, key: "k-1"), PaymentFixture.draft(),
            PaymentFixture.draft(),
        ]
        for draft in drafts { #expect(try await fixture.service.initiate(draft).isNew, "\(draft)") }
    }

    @Test(arguments: ["", String(repeating: "k", count: 256), "k\n", "k\u{7F}", "é", "k\u{0}", "\u{202E}k"])
    func `a key is printable ASCII`(_ key: String) { #expect(!PaymentDraft.isIdempotencyKey(key)) }

    @Test(arguments: ["k", "a key", String(repeating: "k", count: 255), "~"])
    func `a key may be a text of a line`(_ key: String) { #expect(PaymentDraft.isIdempotencyKey(key)) }

    @Test func `attack: a payment above the limit of its currency is refused`() async throws {
        let bounds = try ["1000.00 EUR", "0.50 USD"].map { try #require(Money(parsing: $0)) }
        let fixture = PaymentFixture(policy: PaymentPolicy(largest: bounds))
        for (value, currency, refusal) in [
            ("1000", "EUR", nil), ("1000.00", "EUR", nil), ("0.5", "USD", nil),
            ("1000.01", "EUR", PaymentError.tooLarge),
            ("999999999999.99", "EUR", .tooLarge), ("0.51", "USD", .tooLarge), ("1", "USD", .tooLarge),
            ("0.01", "CHF", .tooLarge),
        ] {
            let draft = try PaymentFixture.draft(value: value, currency: currency)
            let found = try await fixture.refusal { _ = try await fixture.begun(draft) }
            #expect(found == refusal, "\(value) \(currency)")
        }
    }

    @Test func `open payments are limited per account, and a refusal says when the next may be`() async throws {
        let fixture = PaymentFixture(policy: PaymentPolicy(openPerAccount: 3))
        var begun: [Payment] = []
        for _ in 0..<3 {
            begun.append(try await fixture.begun())
            fixture.time.advance(by: .seconds(10))
        }
        func refusal() async throws -> PaymentError? {
            try await fixture.refusal { _ = try await fixture.begun() }
        }
        #expect(try await refusal() == .tooManyOpen(retryAfter: .seconds(270)))
        _ = try await fixture.begun(PaymentFixture.draft(PaymentFixture.bob, in: PaymentFixture.bobsPhone))
        try await fixture.service.cancel(begun[1].id, of: PaymentFixture.ada)
        #expect(try await refusal() == nil)
        #expect(try await refusal() == .tooManyOpen(retryAfter: .seconds(270)))
        _ = try await fixture.confirm(begun[2])
        #expect(try await refusal() == nil)
        fixture.time.advance(by: .seconds(270))
        #expect(try await refusal() == nil, "the first has expired")
    }

    @Test func `attack: payments begun in a day are limited, also when they were cancelled`() async throws {
        let fixture = PaymentFixture(policy: PaymentPolicy(perDay: 4))
        func refusal(_ draft: PaymentDraft? = nil) async throws -> PaymentError? {
            try await fixture.refusal { _ = try await fixture.begun(draft) }
        }
        let keyed = try PaymentFixture.draft(key: "k-1")
        #expect(try await refusal(keyed) == nil)
        for _ in 0..<2 {
            let payment = try await fixture.begun()
            try await fixture.service.cancel(payment.id, of: PaymentFixture.ada)
        }
        _ = try await fixture.confirmed()
        #expect(try await refusal() == .tooManyToday)
        #expect(try await refusal(keyed) == nil, "a repeated request begins none")
        let bobs = try PaymentFixture.draft(PaymentFixture.bob, in: PaymentFixture.bobsPhone)
        #expect(try await refusal(bobs) == nil)
        fixture.time.advance(by: .seconds(86_400))
        #expect(try await refusal() == .tooManyToday, "up to the last millisecond of it")
        fixture.time.advance(by: .milliseconds(1))
        #expect(try await refusal() == nil)
    }
}
