import Kernel

/// The address of a page: its path in decoded parts, and its query.
struct PageAddress: Sendable, Equatable {
    /// The parts between the slashes; empty for the first page.
    let parts: [String]
    let query: FormValues

    /// A path with a part that is empty, or that leads up, is no page's: its parts match none.
    init(path: String, query: String?) {
        parts = path.split(separator: "/").map { QueryText.decode($0.replacing("+", with: "%2B")[...]) }
        self.query = FormValues(query ?? "")
    }

    /// Returns an address of these parts, whatever they hold.
    static func path(_ parts: String...) -> String {
        "/" + parts.map(PercentEncoding.component).joined(separator: "/")
    }

    /// Returns an address of a path with a query.
    static func path(_ path: String, _ query: [(String, String)]) -> String { QueryText.add(query, to: path) }
}
