/// Ids and secrets that a provider hands out: visible ASCII without blanks (RFC 5234's VCHAR), so that they are safe
/// in headers, URLs and rows.
enum PrintableToken {
    static func isOne(_ text: String, upTo limit: Int) -> Bool {
        !text.isEmpty && text.utf8.count <= limit && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
