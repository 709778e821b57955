import Operations

/// What people read, by key; one file per language.
struct Texts: Sendable {
    /// The language's tag (RFC 5646).
    let language: String
    let failures: [FailureCode: String]
    let pages: [LandingPages.Page: PageText]

    /// A page's words.
    struct PageText: Sendable {
        let title: String
        let body: String
        /// The button's label, where the page has one.
        let button: String?
    }

    /// The sentence for a failed login.
    func failure(_ code: FailureCode) -> String { failures[code] ?? code.rawValue }
}
