/// A colour of sRGB, and how well it contrasts with others (WCAG 2.2).
package struct BrandColour: Sendable, Hashable {
    /// The parts red, green and blue.
    let parts: [UInt8]

    /// Reads six hexadecimal digits, with or without `#` before them; `nil` for anything else.
    package init?(_ text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == 6 else { return nil }
        parts = stride(from: 0, to: 6, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

    private init(parts: [UInt8]) { self.parts = parts }

    private init(literal hex: UInt32) {
        parts = [UInt8(hex >> 16 & 0xFF), UInt8(hex >> 8 & 0xFF), UInt8(hex & 0xFF)]
    }

    /// The colour as style sheets write it: `#` and six digits.
    package var hex: String {
        let digits = Array("0123456789abcdef")
        return "#" + String(parts.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] })
    }

    /// The colour as mails write it: without six digits in a row, which only a code has.
    package var rgb: String { "rgb(\(parts.map(String.init).joined(separator: ", ")))" }

    /// The relative luminance, from 0 for black to 1 for white (WCAG 2.2, "relative luminance").
    private var luminance: Double {
        zip(parts, [0.2126, 0.7152, 0.0722]).reduce(0) { $0 + Self.linear[Int($1.0)] * $1.1 }
    }

    /// Returns the contrast with another colour, from 1 to 21 (WCAG 2.2, "contrast ratio").
    package func contrast(with other: BrandColour) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// Returns the colour that is seen if this one covers `other` with an opacity in 255ths.
    func over(_ other: BrandColour, opacity: Int) -> BrandColour {
        BrandColour(
            parts: zip(parts, other.parts).map { UInt8((Int($0) * opacity + Int($1) * (255 - opacity) + 127) / 255) }
        )
    }

    /// The share of light of each value of a part: a table, because the exponent 2.4 needs no library this way.
    private static let linear: [Double] = (0...255).map { value in
        let share = Double(value) / 255
        return share <= 0.04045 ? share / 12.92 : fifthRoot((share + 0.055) / 1.055)
    }

    /// Returns the power 2.4 of a number from 0 to 1: the fifth root of its twelfth power, by Newton's method.
    private static func fifthRoot(_ number: Double) -> Double {
        let square = number * number
        let target = square * square * square * square * square * square
        var root = square
        for _ in 0..<60 {
            let fourth = root * root * root * root
            root -= (fourth * root - target) / (5 * fourth)
        }
        return root
    }
}

extension BrandColour {
    static let white = BrandColour(literal: 0xFFFFFF)
    static let black = BrandColour(literal: 0x000000)
    /// The dark text on buttons.
    static let night = BrandColour(literal: 0x0B1220)

    /// The colour of buttons and links, in light and dark, without a brand.
    static let usualLight = BrandColour(literal: 0x1F5EFF)
    static let usualDark = BrandColour(literal: 0x7AA2FF)
}
