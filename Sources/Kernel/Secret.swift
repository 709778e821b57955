/// A value that must not reach a log, an error text or a debugger's print-out by accident.
///
/// Printing it gives `<secret>`. Only ``expose()`` returns the text, so that a search finds every use.
package struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    package init(_ text: String) { self.text = text }

    /// Returns the text itself.
    ///
    /// Hand it to the wire or to a cipher, never to a log.
    package func expose() -> String { text }

    package var isEmpty: Bool { text.isEmpty }
    package var description: String { "<secret>" }
    package var debugDescription: String { "<secret>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Equatable {
    /// Takes the same time wherever the first difference is, but does not hide the length.
    package static func == (left: Secret, right: Secret) -> Bool {
        ConstantTime.equal(Array(left.text.utf8), Array(right.text.utf8))
    }
}

/// Comparisons that take the same time wherever the first difference is.
package enum ConstantTime {
    /// Returns whether two byte strings are equal, at once for different lengths.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
