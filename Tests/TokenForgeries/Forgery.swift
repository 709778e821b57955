/// An invalid access token, and its error.
package struct Forgery: Sendable, CustomStringConvertible {
    package let name: String
    package let token: String

    package var description: String { name }
}

extension Workshop {
    /// Every forgery; the one list that all verifiers are held against.
    package func forgeries() throws -> [Forgery] {
        try algorithms() + keys() + headers() + types() + claimFaults() + forms() + signatures()
            + others.map { Forgery(name: "a genuine \($0.kind)", token: $0.token) }
    }
}
