/// Ids and secrets that a provider issues: visible ASCII without spaces (RFC 5234's VCHAR).
///
/// Such texts are safe in headers, URLs and database rows.
enum PrintableToken {
    static func isOne(_ text: String, upTo limit: Int) -> Bool {
        !text.isEmpty && text.utf8.count <= limit && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
