extension BidirectionalCollection {
    /// Returns what is left without the leading and trailing elements that the condition holds for.
    package func trimming(while isTrimmed: (Element) -> Bool) -> SubSequence {
        guard let first = firstIndex(where: { !isTrimmed($0) }), let last = lastIndex(where: { !isTrimmed($0) }) else {
            return self[endIndex...]
        }
        return self[first...last]
    }
}

extension StringProtocol {
    /// Returns the text without the white space around it, as Unicode defines it.
    package var trimmed: SubSequence { trimming { $0.isWhitespace } }

    /// Returns the text without the spaces and tabs around it: the optional white space of HTTP's fields (RFC 9110 §5.6.3).
    package var trimmedOfBlanks: SubSequence { trimming { $0 == " " || $0 == "\t" } }
}
