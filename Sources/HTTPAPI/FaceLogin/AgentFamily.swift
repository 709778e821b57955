/// What a User-Agent field says of a browser and its system, in words of ours.
///
/// The field is the sender's to write, so that none of its text gets onto a page: only names from these tables do.
enum AgentFamily {
    /// Like `Firefox, Windows`; empty for what is in neither table.
    static func describe(_ userAgent: String?) -> String {
        guard let userAgent = userAgent?.prefix(512) else { return "" }
        let found = [browsers, systems].compactMap { table in
            table.first { userAgent.contains($0.mark) }?.name
        }
        return found.joined(separator: ", ")
    }

    /// The more telling mark first: nearly every browser also claims to be some other.
    private static let browsers: [(mark: String, name: String)] = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]

    private static let systems: [(mark: String, name: String)] = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Macintosh", "macOS"), ("Linux", "Linux"), ("Darwin/", "iOS / macOS"),
    ]
}
