/// An element of a document that was read whole.
package struct XMLElement: Sendable, Equatable {
    /// As it is written, with its prefix if it has one.
    package let name: String
    /// By name as written; a name comes once (XML 1.0 §3.1).
    package internal(set) var attributes: [String: String]
    /// The character data directly below it, with its references undone and its CDATA taken over.
    package internal(set) var text = ""
    package internal(set) var children: [XMLElement] = []

    init(name: String, attributes: [String: String]) {
        self.name = name
        self.attributes = attributes
    }
}

/// Why a document is not read.
///
/// It does not say where: the text may be an attacker's, and nobody is told.
package enum XMLError: Error, Equatable, Sendable, CaseIterable {
    /// More bytes, elements or attributes than are read, or names or values that are too long.
    case tooLarge
    case tooDeep
    /// A document type: with it come entities, which grow, and fetch files and addresses.
    case documentType
    /// A processing instruction.
    case instruction
    /// Another encoding than UTF-8, or bytes that are not.
    case encoding
    /// Not well formed.
    case malformed
}

/// What is read of a document at the most.
package struct XMLLimits: Sendable, Equatable {
    package var bytes = 65_536
    package var depth = 32
    package var elements = 4096
    /// Of one element.
    package var attributes = 64
    /// Bytes.
    package var name = 256

    package init() {}
}
