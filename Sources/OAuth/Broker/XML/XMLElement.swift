/// An element of a completely read document.
package struct XMLElement: Sendable, Equatable {
    /// The name as written, with its prefix if it has one.
    package let name: String
    /// The attributes by name as written; a name is unique (XML 1.0 §3.1).
    package internal(set) var attributes: [String: String]
    /// The character data directly below the element, with references resolved and CDATA included.
    package internal(set) var text = ""
    package internal(set) var children: [XMLElement] = []

    init(name: String, attributes: [String: String]) {
        self.name = name
        self.attributes = attributes
    }
}

/// The reason why a document is refused.
///
/// It has no position in the document, because no person is shown it and the text may be an attacker's.
package enum XMLError: Error, Equatable, Sendable, CaseIterable {
    /// The document has too many bytes, elements or attributes, or a name or value that is too long.
    case tooLarge
    case tooDeep
    /// The document has a document type. Its entities could expand without bound, or fetch files and addresses.
    case documentType
    /// The document has a processing instruction.
    case instruction
    /// The document is not UTF-8, or declares another encoding.
    case encoding
    /// The document is not well-formed.
    case malformed
}

/// The limits of a document.
package struct XMLLimits: Sendable, Equatable {
    package var bytes = 65_536
    package var depth = 32
    package var elements = 4096
    /// The most attributes of one element.
    package var attributes = 64
    /// The most bytes of a name.
    package var name = 256

    package init() {}
}
