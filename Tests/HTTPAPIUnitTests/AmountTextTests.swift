import Testing

@testable import HTTPAPI

/// Sums of money in the form of the page's language.
struct AmountTextTests {
    private struct Sum: Sendable, CustomTestStringConvertible {
        let value: String
        let currency: String
        let texts: [String: String]

        var testDescription: String { "\(value) \(currency)" }
    }

    private static let sums = [
        Sum(
            value: "1234.50",
            currency: "EUR",
            texts: [
                "en": "€1,234.50", "de": "1.234,50 €", "es": "1234,50 €", "fr": "1\u{202F}234,50 €", "sv": "1 234,50 €",
            ]
        ),
        Sum(
            value: "1234.5",
            currency: "SEK",
            texts: [
                "en": "SEK 1,234.50", "de": "1.234,50 SEK", "es": "1234,50 SEK", "fr": "1\u{202F}234,50 SEK",
                "sv": "1 234,50 kr",
            ]
        ),
        Sum(
            value: "12345678",
            currency: "USD",
            texts: [
                "en": "US$12,345,678.00", "de": "12.345.678,00 US$", "es": "12.345.678,00 US$",
                "fr": "12\u{202F}345\u{202F}678,00 $US", "sv": "12 345 678,00 US$",
            ]
        ),
        Sum(
            value: "1000",
            currency: "JPY",
            texts: ["en": "¥1,000", "de": "1.000 ¥", "es": "1000 ¥", "fr": "1\u{202F}000 ¥", "sv": "1 000 ¥"]
        ),
        Sum(
            value: "1.5",
            currency: "KWD",
            texts: ["en": "KWD 1.500", "de": "1,500 KWD", "es": "1,500 KWD", "fr": "1,500 KWD", "sv": "1,500 KWD"]
        ),
    ]

    @Test func `a sum has the separators, the digits and the currency of each language`() {
        for sum in Self.sums {
            for (language, text) in sum.texts {
                let shown = AmountText.of(sum.value, sum.currency, in: language)
                #expect(shown.replacing("\u{A0}", with: " ") == text, "\(sum) in \(language)")
                #expect(!shown.contains(" "), "a line never breaks within a sum")
            }
        }
    }

    @Test(arguments: [
        ("0.129", "EUR", "€0.129"), ("5.1000", "EUR", "€5.10"), ("7.00", "JPY", "¥7"), ("7.5", "JPY", "¥7.5"),
        ("1.0005", "KWD", "KWD\u{A0}1.0005"), ("999", "GBP", "£999.00"), ("1000", "XXX", "XXX\u{A0}1,000.00"),
        ("123456789012.1234", "EUR", "€123,456,789,012.1234"),
    ])
    func `no digit of the request is rounded away`(_ value: String, _ currency: String, _ text: String) {
        #expect(AmountText.of(value, currency, in: "en") == text)
    }

    @Test func `a language without a form of its own shows the request's`() {
        #expect(AmountText.of("1234.50", "EUR", in: "nl") == "1234.50 EUR")
    }
}
