import Testing

@testable import Wallet

/// Sums as they may be written.
struct MoneyTests {
    @Test(arguments: [
        ("0.01", "EUR"), ("0.1", "EUR"), ("1", "EUR"), ("10", "EUR"), ("12.50", "EUR"), ("999999999999.99", "EUR"),
        ("100", "JPY"), ("100.00", "JPY"), ("0.001", "KWD"), ("1.2345", "CLF"), ("999999999999.9999", "UYW"),
    ])
    func `a sum is taken as it is written`(_ value: String, _ currency: String) throws {
        let money = try #require(Money(value: value, currency: currency))
        #expect(money.value == value && money.currency == currency && money.text == "\(value) \(currency)")
        #expect(Money(parsing: money.text) == money)
    }

    @Test(arguments: [
        "", "0", "0.0", "0.00", "00", "007", "01.00", "1.", ".5", ".", "1..0", "1.0.0", "1.234", "1,00", "1 000", " 1",
        "1 ",
        "1e3", "1E3", "-1", "+1", "-0.01", "0x10", "１２", "１２.５０", "\u{0661}", "1\u{0}", "1\n", "\u{2212}1", "NaN",
        "Infinity",
        "1234567890123", "1234567890123.00", "1_000", "½", "²", "1.0\u{0301}",
        String(repeating: "1", count: 100),
    ])
    func `attack: a zero, negative or ambiguous amount is refused`(_ value: String) {
        #expect(Money(value: value, currency: "EUR") == nil)
    }

    @Test(arguments: [("12.50", "JPY"), ("0.01", "KRW"), ("1.1", "ISK")])
    func `a currency without a smaller unit has no part of one`(_ value: String, _ currency: String) {
        #expect(Money(value: value, currency: currency) == nil)
    }

    @Test(arguments: ["", "eur", "EU", "EURO", "EU1", "ЕUR", "\u{212A}RW", "EU\u{301}", "EUR ", "€"])
    func `attack: a currency that is not three ASCII capitals is refused`(_ currency: String) {
        #expect(Money(value: "1.00", currency: currency) == nil)
    }

    @Test(arguments: ["1.00", "1.00EUR", "1.00  EUR", " 1.00 EUR", "1.00 EUR ", "EUR 1.00", "1.00\u{A0}EUR", ""])
    func `a bound that is written otherwise is none`(_ text: String) { #expect(Money(parsing: text) == nil) }

    @Test(arguments: [
        ("0.02", "0.01"), ("0.1", "0.09"), ("1", "0.99"), ("10", "9.99"), ("100", "99"), ("1000.01", "1000"),
        ("999999999999.99", "999999999999.98"), ("2", "1.99"),
        ("10.1", "10.09"),
    ])
    func `sums are compared to the last digit, whatever a Double makes of them`(_ more: String, _ less: String) throws {
        let larger = try #require(Money(value: more, currency: "EUR"))
        let smaller = try #require(Money(value: less, currency: "EUR"))
        #expect(larger.isAbove(smaller))
        #expect(!smaller.isAbove(larger))
        #expect(!larger.isAbove(larger))
    }

    @Test func `sums that are the same in two spellings are neither above the other`() throws {
        let spellings = try ["5", "5.0", "5.00"].map { try #require(Money(value: $0, currency: "EUR")) }
        for left in spellings { for right in spellings { #expect(!left.isAbove(right)) } }
    }

    @Test func `the smallest step counts up to the largest sums, where a Double has none so small`() throws {
        let more = try #require(Money(value: "999999999999.0003", currency: "CLF"))
        let less = try #require(Money(value: "999999999999.0002", currency: "CLF"))
        #expect(Double(more.value) == Double(less.value), "or this test shows nothing")
        #expect(more.isAbove(less) && !less.isAbove(more))
    }

    @Test func `attack: a payment in a currency without a limit is refused where another has one`() throws {
        let bound = try #require(Money(value: "1000.00", currency: "EUR"))
        let policy = PaymentPolicy(largest: [bound])
        for (value, currency, isAllowed) in [
            ("1000", "EUR", true), ("1000.00", "EUR", true), ("1000.01", "EUR", false), ("0.01", "USD", false),
            ("999999999999.99", "EUR", false),
        ] {
            let money = try #require(Money(value: value, currency: currency))
            #expect(policy.allows(money) == isAllowed, "\(money.text)")
        }
        #expect(PaymentPolicy().allows(try #require(Money(value: "999999999999.99", currency: "USD"))))
    }
}
