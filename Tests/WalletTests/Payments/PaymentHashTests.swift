import Crypto
import Kernel
import StoreContract
import Testing

@testable import Wallet

/// Tests the confirmed hash, which is specific to the amount and the payee.
///
/// RTS (EU) 2018/389 Art. 5.
struct PaymentHashTests {
    private static let ada = PaymentFixture.ada

    private static func payment(
        id: UInt64 = 1,
        of account: AccountID = ada,
        card: UInt64 = 1,
        money: (String, String) = ("12.50", "EUR"),
        merchant: (String, String?) = ("Shop", "shop-7"),
        nonce: UInt8 = 1,
        expiresAt: Int64 = 1_800_000_300_123
    ) throws -> Payment {
        Payment(
            id: PaymentID(UUIDBits(high: 0, low: id)),
            payer: Payment.Payer(account: account, session: PaymentFixture.phone, client: "wallet-app"),
            contents: Payment.Contents(
                card: CardID(UUIDBits(high: 0, low: card)),
                label: PaymentSample.label,
                money: try #require(Money(value: money.0, currency: money.1)),
                merchant: try #require(Merchant(name: merchant.0, id: merchant.1)),
                nonce: PaymentSample.digest(1, nonce)
            ),
            validity: ValidityPeriod(createdAt: PaymentSample.now, expiresAt: Instant(milliseconds: expiresAt))
        )
    }

    @Test func `the hash is of the lines that the contract names, in their order`() throws {
        let payment = try Self.payment()
        let nonce = Base64URL.encode(PaymentSample.digest(1, 1).bytes)
        let text = """
            vestibule-payment-v1
            00000000-0000-0000-0000-000000000001
            \(Self.ada)
            00000000-0000-0000-0000-000000000001
            12.50
            EUR
            Shop
            shop-7
            \(nonce)
            1800000300123
            """
        let expected = SHA256.hash(data: Array(text.utf8))
        #expect(payment.hash.bytes == Array(expected))
        #expect(payment.challenge == Base64URL.encode(expected))
        let signed = """
            vestibule-payment-v1
            00000000-0000-0000-0000-000000000001
            12.50 EUR
            Shop
            \(payment.challenge)
            """
        #expect(payment.textToSign == signed)
    }

    @Test func `attack: any change of a payment changes its hash and its text`() throws {
        let changed = try [
            Self.payment(), Self.payment(id: 2), Self.payment(of: PaymentFixture.bob), Self.payment(card: 2),
            Self.payment(money: ("12.51", "EUR")), Self.payment(money: ("12.5", "EUR")),
            Self.payment(money: ("12.50", "USD")), Self.payment(money: ("112.50", "EUR")),
            Self.payment(merchant: ("Shops", "shop-7")), Self.payment(merchant: ("shop", "shop-7")),
            Self.payment(merchant: ("Shop", "shop-8")), Self.payment(merchant: ("Shop", nil)),
            Self.payment(nonce: 2), Self.payment(expiresAt: 1_800_000_300_124),
        ]
        #expect(Set(changed.map(\.hash)).count == changed.count)
        #expect(Set(changed.map(\.challenge)).count == changed.count)
        #expect(Set(changed.map(\.textToSign)).count == changed.count)
    }

    @Test func `attack: moving text between a payment's fields changes its hash and its text`() throws {
        let shifted = try [
            Self.payment(merchant: ("Shop", "7")), Self.payment(merchant: ("Shop7", nil)),
            Self.payment(merchant: ("Shop 7", nil)), Self.payment(merchant: ("7", "Shop")),
            Self.payment(merchant: ("EUR Shop", "7")),
            Self.payment(money: ("1.5", "EUR"), merchant: ("2 Shop", "7")),
            Self.payment(money: ("11.5", "EUR"), merchant: ("Shop", "7")),
        ]
        #expect(Set(shifted.map(\.hash)).count == shifted.count)
        #expect(Set(shifted.map(\.textToSign)).count == shifted.count)
        // It takes a line break, which no part can hold.
        for payment in shifted {
            #expect(payment.textToSign.utf8.filter { $0 == UInt8(ascii: "\n") }.count == 4)
        }
        #expect(Merchant(name: "Shop\n7") == nil && Merchant(name: "Shop", id: "7\n") == nil)
        #expect(Money(value: "1\n", currency: "EUR") == nil)
    }

    @Test func `two spellings of a name that Unicode holds equal have two hashes`() throws {
        let composed = try Self.payment(merchant: ("Caf\u{E9}", nil))
        let decomposed = try Self.payment(merchant: ("Cafe\u{301}", nil))
        #expect(composed.hash != decomposed.hash)
        #expect(composed != decomposed)
    }

    @Test func `no event changes the confirmed payment`() throws {
        let payment = try Self.payment()
        for state in PaymentSample.everyState {
            let next = payment.advanced(to: state, wrongProofs: 3)
            #expect(next.hash == payment.hash && next.textToSign == payment.textToSign)
        }
    }

    @Test func `an app must show the payment's text, byte by byte`() throws {
        let payment = try Self.payment(money: ("12.50", "SEK"), merchant: ("Caf\u{E9}", nil))
        #expect(payment.isFor(value: nil, currency: nil, merchantName: nil))
        #expect(payment.isFor(value: "12.50", currency: "SEK", merchantName: "Caf\u{E9}"))
        #expect(!payment.isFor(value: "12.5", currency: nil, merchantName: nil))
        #expect(!payment.isFor(value: nil, currency: "SE\u{212A}", merchantName: nil))
        #expect(!payment.isFor(value: nil, currency: nil, merchantName: "Cafe\u{301}"))
        #expect(!payment.isFor(value: "12.50", currency: "SEK", merchantName: "Cafe"))
    }
}
