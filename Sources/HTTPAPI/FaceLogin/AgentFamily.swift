/// The browser and the system that a User-Agent field names.
///
/// The sender writes the field, so none of its text gets onto a page: only names from these tables do.
enum AgentFamily {
    /// Returns a text like `Firefox, Windows`; empty where neither table has a match.
    static func describe(_ userAgent: String?) -> String {
        guard let userAgent = userAgent?.prefix(512) else { return "" }
        let found = [browsers, systems].compactMap { table in
            table.first { userAgent.contains($0.mark) }?.name
        }
        return found.joined(separator: ", ")
    }

    /// The marks of browsers, with the more specific first: nearly every browser also claims to be another.
    private static let browsers: [(mark: String, name: String)] = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]

    private static let systems: [(mark: String, name: String)] = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Macintosh", "macOS"), ("Linux", "Linux"), ("Darwin/", "iOS / macOS"),
    ]
}
