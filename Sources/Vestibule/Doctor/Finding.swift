/// One result of `vestibule doctor`.
struct Finding: Encodable, Equatable, Sendable {
    enum Level: String, Encodable, CaseIterable, Sendable {
        case ok, warning, error
        /// The check could not be done, so its result is unknown.
        case notChecked = "not_checked"
    }

    /// The name of the check, like `dns`.
    let check: String
    let level: Level
    let found: String
    /// The next step; `nil` where nothing has to be done.
    let remedy: String?

    static func ok(_ check: String, _ found: String) -> Self {
        Finding(check: check, level: .ok, found: found, remedy: nil)
    }

    static func warning(_ check: String, _ found: String, remedy: String) -> Self {
        Finding(check: check, level: .warning, found: found, remedy: remedy)
    }

    static func error(_ check: String, _ found: String, remedy: String) -> Self {
        Finding(check: check, level: .error, found: found, remedy: remedy)
    }

    static func notChecked(_ check: String, _ found: String, remedy: String? = nil) -> Self {
        Finding(check: check, level: .notChecked, found: found, remedy: remedy)
    }

    /// The lines for people: the finding, and below it the remedy.
    var lines: [String] {
        let text = level == .notChecked ? "not checked: \(found)" : found
        let mark =
            switch level {
            case .ok: "ok       "
            case .warning: "warning  "
            case .error: "error    "
            case .notChecked: "-        "
            }
        return ["\(mark)\(check): \(text)"] + (remedy.map { ["         \($0)"] } ?? [])
    }
}

extension [Finding] {
    var hasErrors: Bool { contains { $0.level == .error } }

    /// The last line: the number of findings of each level.
    var summary: String {
        let words: [(Finding.Level, String)] = [
            (.ok, "ok"), (.warning, "warnings"), (.error, "errors"), (.notChecked, "not checked"),
        ]
        return words.map { level, word in "\(count { $0.level == level }) \(word)" }.joined(separator: ", ") + "."
    }
}
