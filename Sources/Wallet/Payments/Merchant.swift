import Kernel

/// Who is paid, exactly as the person is shown it.
///
/// The payee of dynamic linking: RTS (EU) 2018/389 Art. 5.
package struct Merchant: Sendable, Hashable {
    /// Scalars of a name, at the most.
    package static let nameLimit = 100
    /// Bytes of an id, at the most.
    package static let idLimit = 64

    /// Plain text of one line: ``ShownText``.
    package let name: String
    /// What the merchant's side calls them: visible ASCII.
    package let id: String?

    /// `nil` for a name that could look like another, and for an id that is no id.
    package init?(name: String, id: String? = nil) {
        guard ShownText.isPlain(name, limit: Self.nameLimit) else { return nil }
        if let id { guard Self.isID(id) else { return nil } }
        self.name = name
        self.id = id
    }

    private static func isID(_ text: String) -> Bool {
        (1...idLimit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// By bytes: two spellings that Unicode holds equal have two hashes, and are two names here.
    package static func == (left: Merchant, right: Merchant) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8) && left.id == right.id
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(Array(name.utf8))
        hasher.combine(id)
    }
}
