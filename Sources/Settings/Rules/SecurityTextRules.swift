import Kernel

extension SettingRule where Value == Instant {
    /// A time with its zone (RFC 3339 §5.6).
    static var date: Self {
        parsing(
            { InternetTimestamp.parse($0) },
            expected: "a time like 2027-06-30T00:00:00Z",
            otherwise: "is not a time. Write one like 2027-06-30T00:00:00Z",
            text: \.internetDate
        )
    }
}

extension SettingRule where Value == String {
    /// An address for reports (RFC 9116 §2.5.3).
    static var contactURI: Self {
        uri(["https", "mailto", "tel"], expected: "an address like mailto:security@example.com") { text in
            text.contains("@") && !text.contains(":") ? "mailto:\(text)" : nil
        }
    }

    /// The address of a key (RFC 9116 §2.5.4).
    static var keyURI: Self {
        uri(["https", "dns", "openpgp4fpr"], expected: "an address like https://example.com/pgp-key.txt")
    }

    /// A page that anybody can open, by https.
    static var publicPage: Self { uri(["https"], expected: "an https URL like https://example.com/policy") }

    /// A language (RFC 5646 §2.1).
    static var languageTag: Self {
        Self(expected: "a language like en or pt-BR") { text, _, _ throws(SettingError) in
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            let isTag = parts.allSatisfy { part in
                (1...8).contains(part.utf8.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
            guard isTag, text.utf8.count <= 35, (parts.first?.utf8.count ?? 0) >= 2 else {
                throw .refusing(text, "is not a language. Write a tag like en or pt-BR")
            }
            return text
        }
    }

    /// An absolute address with one of these schemes, kept as written.
    ///
    /// `suggestion`: Returns the address that was likely meant by a text without a scheme.
    private static func uri(
        _ schemes: [String],
        expected: String,
        suggestion: @escaping @Sendable (String) -> String? = { _ in nil }
    ) -> Self {
        Self(expected: expected) { text, _, _ throws(SettingError) in
            if let meant = suggestion(text) {
                throw .refusing(text, "has no scheme. Did you mean \(SettingError.quoted(meant))?")
            }
            let parts = try URLCheck.absolute(text)
            guard schemes.contains(parts.scheme) else {
                throw .refusing(text, "does not begin with \(schemes.map { $0 + ":" }.joined(separator: " or "))")
            }
            guard text.utf8.count <= 500 else { throw .refusing(text, "is longer than 500 characters") }
            guard parts.scheme != "https" || !parts.host.isEmpty else { throw .refusing(text, "has no host") }
            guard parts.scheme == "https" || text.utf8.count > parts.scheme.utf8.count + 1 else {
                throw .refusing(text, "is only a scheme")
            }
            return text
        }
    }
}
