import Kernel

/// The path of one value in an XML document: `/PersonalInformation/BPId`, or `/Person/@id` for an attribute.
///
/// A step without a prefix matches the name after any prefix; one with a prefix matches the name as written. Each step must
/// match exactly one element: an ambiguous path has no value.
package struct XMLPath: Sendable, Equatable {
    private static let longest = 512
    private static let mostSteps = 16

    /// The path as it was written.
    package let text: String
    private let steps: [String]
    private let attribute: String?

    /// Parses a path; `nil` if it is malformed.
    package init?(_ text: String) {
        guard text.hasPrefix("/"), text.utf8.count <= Self.longest else { return nil }
        var parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= Self.mostSteps, let last = parts.last else { return nil }
        if last.hasPrefix("@") {
            attribute = String(last.dropFirst())
            parts.removeLast()
        } else {
            attribute = nil
        }
        guard !parts.isEmpty, (parts + [attribute].compactMap(\.self)).allSatisfy(Self.isName) else { return nil }
        self.text = text
        steps = parts
    }

    /// Returns the trimmed text at the path; `nil` if the document has none, or several.
    package func value(in root: XMLElement) -> String? {
        guard let first = steps.first, Self.fits(root.name, first) else { return nil }
        var element = root
        for step in steps.dropFirst() {
            let fitting = element.children.filter { Self.fits($0.name, step) }
            guard fitting.count == 1, let only = fitting.first else { return nil }
            element = only
        }
        if let attribute {
            let fitting = element.attributes.filter { Self.fits($0.key, attribute) }
            return fitting.count == 1 ? fitting.first.map { String($0.value.trimmed) } : nil
        }
        // An element with child elements has more than one piece of text.
        return element.children.isEmpty ? String(element.text.trimmed) : nil
    }

    private static func fits(_ name: String, _ step: String) -> Bool {
        guard !step.contains(":"), let colon = name.firstIndex(of: ":") else { return name == step }
        return name[name.index(after: colon)...] == step
    }

    private static func isName(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count <= 2
            && parts.allSatisfy { part in
                guard let first = part.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else {
                    return false
                }
                return part.unicodeScalars.allSatisfy {
                    $0 == "_" || $0 == "-" || $0 == "." || $0.properties.isAlphabetic || ("0"..."9").contains($0)
                }
            }
    }
}
