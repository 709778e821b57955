/// A sum of money in the form that readers of a language expect.
///
/// The digits are those of the request, never rounded, because its token has the same ones. Zeros are added up to the
/// currency's usual number, and removed beyond it.
enum AmountText {
    /// Returns the sum with its currency: `€1,234.50`, or `1 234,50 kr`.
    ///
    /// - Parameters:
    ///   - value: A decimal number without a sign: `1234.50`.
    ///   - currency: Three capital letters (ISO 4217).
    ///   - language: The page's language; the form of the request is returned for one without a form here.
    /// - Returns: The text, in which only no-break spaces separate digits and currency.
    static func of(_ value: String, _ currency: String, in language: String) -> String {
        let parts = value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let form = forms[language], let whole = parts.first else { return "\(value) \(currency)" }
        let fraction = fraction(parts.count == 2 ? parts[1] : "", digits: fractionDigits[currency] ?? 2)
        let number =
            grouped(whole, by: form.group, from: form.groupsFrom) + (fraction.isEmpty ? "" : form.decimal + fraction)
        guard let symbol = form.symbols[currency] ?? symbols[currency] else {
            return form.isCurrencyFirst ? "\(currency)\(noBreak)\(number)" : "\(number)\(noBreak)\(currency)"
        }
        return form.isCurrencyFirst ? symbol + number : "\(number)\(noBreak)\(symbol)"
    }

    /// The form of numbers and sums in a language (Unicode CLDR).
    private struct Form {
        let decimal: String
        let group: String
        /// The number of digits from which on they are grouped.
        var groupsFrom = 4
        var isCurrencyFirst = false
        /// The language's own symbols of currencies.
        var symbols: [String: String] = [:]
    }

    private static let noBreak = "\u{A0}"
    private static let forms = [
        "de": Form(decimal: ",", group: "."),
        "en": Form(decimal: ".", group: ",", isCurrencyFirst: true),
        "es": Form(decimal: ",", group: ".", groupsFrom: 5),
        "fr": Form(decimal: ",", group: "\u{202F}", symbols: ["USD": "$US"]),
        "sv": Form(decimal: ",", group: noBreak, symbols: ["SEK": "kr"]),
    ]

    /// The symbols that mean one currency to every reader; all other currencies have their code.
    private static let symbols = ["EUR": "€", "GBP": "£", "JPY": "¥", "USD": "US$"]

    /// The currencies whose sums do not have two digits after the point (ISO 4217).
    private static let fractionDigits: [String: Int] = {
        let none = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
        let three = "BHD IQD JOD KWD LYD OMR TND"
        let four = "CLF UYW"
        let pairs = [(none, 0), (three, 3), (four, 4)].flatMap { codes, digits in
            codes.split(separator: " ").map { (String($0), digits) }
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }()

    private static func fraction(_ given: Substring, digits: Int) -> String {
        var fraction = String(given)
        while fraction.utf8.count < digits { fraction += "0" }
        while fraction.utf8.count > digits, fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
        return fraction
    }

    private static func grouped(_ digits: Substring, by separator: String, from least: Int) -> String {
        let count = digits.utf8.count
        guard count >= least else { return String(digits) }
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (count - index).isMultiple(of: 3) { text += separator }
            text.append(digit)
        }
        return text
    }
}
