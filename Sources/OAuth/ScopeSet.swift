/// A set of scope tokens (RFC 6749 §3.3).
package struct ScopeSet: Sendable, Equatable, Hashable {
    package let values: Set<String>

    package init(_ values: Set<String>) { self.values = values }

    /// Parses the `scope` of a request; `nil` for an invalid character or too many scopes.
    package init?(parsing text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let parts = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        guard parts.count <= Self.most, parts.allSatisfy(Self.isToken) else { return nil }
        values = Set(parts)
    }

    /// The scopes that OpenID Connect defines (Core §5.4 and §11).
    package static let openID = "openid"
    package static let profile = "profile"
    package static let email = "email"
    package static let offlineAccess = "offline_access"

    private static let longest = 1024
    private static let most = 32

    package var isEmpty: Bool { values.isEmpty }

    package func contains(_ scope: String) -> Bool { values.contains(scope) }

    package func isSubset(of other: ScopeSet) -> Bool { values.isSubset(of: other.values) }

    /// The scopes in alphabetical order, so that equal sets have equal texts.
    package var text: String { values.sorted().joined(separator: " ") }

    /// Whether a text has only NQCHAR of RFC 6749 appendix A.4: printable ASCII without space, quotation mark and backslash.
    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0) }
    }
}
