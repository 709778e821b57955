import Kernel

/// The payee of a payment, exactly as the person is shown it.
///
/// A confirmation is bound to the payee (dynamic linking): RTS (EU) 2018/389 Art. 5.
package struct Merchant: Sendable, Hashable {
    /// The most scalars of a name.
    package static let nameLimit = 100
    /// The most bytes of an id.
    package static let idLimit = 64

    /// The name, one line of plain text (``ShownText``).
    package let name: String
    /// The id in the merchant's system, of visible ASCII.
    package let id: String?

    /// Creates a merchant; `nil` for a name that could look like another, or an invalid id.
    package init?(name: String, id: String? = nil) {
        guard ShownText.isPlain(name, limit: Self.nameLimit) else { return nil }
        if let id { guard Self.isID(id) else { return nil } }
        self.name = name
        self.id = id
    }

    private static func isID(_ text: String) -> Bool {
        (1...idLimit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Compares bytes: names that are equal in Unicode can have different bytes, and so give a payment different
    /// hashes.
    package static func == (left: Merchant, right: Merchant) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8) && left.id == right.id
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(Array(name.utf8))
        hasher.combine(id)
    }
}
