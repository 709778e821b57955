/// The names of the browser and the system in a User-Agent field.
///
/// The client writes the field, so pages show only names from these tables and none of the field's text.
enum AgentFamily {
    /// Returns a text like `Firefox, Windows`, or an empty one if neither table has a match.
    static func describe(_ userAgent: String?) -> String {
        guard let userAgent = userAgent?.prefix(512) else { return "" }
        let found = [browsers, systems].compactMap { table in
            table.first { userAgent.contains($0.mark) }?.name
        }
        return found.joined(separator: ", ")
    }

    /// Texts that identify browsers, the more specific first: nearly every browser also claims to be another one.
    private static let browsers: [(mark: String, name: String)] = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]

    private static let systems: [(mark: String, name: String)] = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Macintosh", "macOS"), ("Linux", "Linux"), ("Darwin/", "iOS / macOS"),
    ]
}
