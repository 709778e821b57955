import Kernel

/// An address that mail can be sent to or from, with an optional display name.
///
/// It has only characters that SMTP commands and headers allow unescaped (RFC 5321 §4.1.2, RFC 5322 §3.4). No
/// character in it can end a line, a command or a list.
package struct MailAddress: Sendable, Equatable {
    /// `local@domain`.
    package let address: String
    package let name: String?

    /// Reads `person@example.com` or `A Name <person@example.com>`; `nil` for anything else.
    package init?(parsing text: String) {
        guard let open = text.firstIndex(of: "<") else {
            self.init(text, name: nil)
            return
        }
        guard text.last == ">" else { return nil }
        let name = Self.trimmed(text[..<open])
        self.init(String(text[text.index(after: open)...].dropLast()), name: name.isEmpty ? nil : name)
    }

    /// Returns `nil` unless the text is an address that mail can be sent to, as the type describes.
    package init?(_ address: String, name: String?) {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count), (1...253).contains(parts[1].utf8.count),
            parts[0].unicodeScalars.allSatisfy(Self.isLocal), !Self.hasLooseDot(parts[0]),
            parts[1].unicodeScalars.allSatisfy(Self.isDomain), !Self.hasLooseDot(parts[1]), parts[1].first != "-"
        else { return nil }
        if let name {
            guard name.utf8.count <= 200, name.unicodeScalars.allSatisfy(HeaderText.isPrintable) else { return nil }
        }
        self.address = address
        self.name = name
    }

    /// An address that nobody has (RFC 2606 §2).
    package static let nobody = MailAddress(domain: "invalid")

    private init(domain: String) {
        address = "nobody@\(domain)"
        name = nil
    }

    /// The part after the `@`.
    package var domain: String { String(address.drop { $0 != "@" }.dropFirst()) }

    /// The address as a header writes it.
    var headerText: String {
        guard let name else { return address }
        let phrase = HeaderText.phrase(name)
        return phrase.hasPrefix("=?") ? "\(phrase)\r\n <\(address)>" : "\(phrase) <\(address)>"
    }

    /// Whether the scalar may be in the local part: `atext` and dots (RFC 5322 §3.2.3).
    ///
    /// Beyond ASCII it may be what people's names are written in (RFC 6532 §3.2).
    private static func isLocal(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "!#$%&'*+-/=?^_`{|}~.".unicodeScalars.contains(scalar)
        }
        return HeaderText.isPrintable(scalar) && !scalar.properties.isWhitespace
    }

    private static func isDomain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "."
    }

    private static func hasLooseDot(_ part: Substring) -> Bool {
        part.hasPrefix(".") || part.hasSuffix(".") || part.contains("..")
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.trimming { $0 == " " || $0 == "\"" })
    }
}
