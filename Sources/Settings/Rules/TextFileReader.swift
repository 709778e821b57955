import Web

/// Reads a file of an operator's texts, and checks each text against the built-in English one.
struct TextFileReader {
    /// The longest text in characters.
    private static let longest = 1000

    let text: String
    let language: String
    private(set) var faults: [Fault] = []

    struct Fault: Equatable {
        let line: Int
        /// The section and the key.
        let key: String
        let message: String
    }

    init(text: String, language: String) {
        self.text = text
        self.language = language
    }

    /// Returns the texts without those that have faults; `nil` for a file that can't be read at all.
    mutating func read() -> TextFile? {
        // An editor may have put a byte order mark there.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        guard let written = try? LocalizedStrings.reading(of: text) else {
            let message =
                "is not a JSON object of sections with texts, each once, like {\"signIn\": {\"allow\": \"Yes\"}}"
            faults.append(Fault(line: 0, key: "", message: message))
            return nil
        }
        let lines = JSONLines.lines(in: text)
        for path in written.invalid {
            let message = path.contains(".") ? "is not a text" : "is not an object of texts"
            faults.append(Fault(line: lines[path] ?? 0, key: path, message: message))
        }
        var sections: [String: [String: String]] = [:]
        for (section, texts) in written.sections {
            for (key, value) in texts {
                let whole = "\(section).\(key)"
                if let message = Self.complaint(about: value, section, key) {
                    faults.append(Fault(line: lines[whole] ?? 0, key: whole, message: message))
                } else {
                    sections[section, default: [:]][key] = value
                }
            }
        }
        return TextFile(language: language, sections: sections)
    }

    private static func complaint(about text: String, _ section: String, _ key: String) -> String? {
        guard let usual = LocalizedStrings.english.sections[section]?[key] else {
            let known = LocalizedStrings.english.sections.flatMap { name, texts in texts.keys.map { "\(name).\($0)" } }
            if let near = DidYouMean.to("\(section).\(key)", among: known.sorted()) {
                return "unknown text. Did you mean \(near)?"
            }
            return "unknown text. The keys are those of the built-in en.json"
        }
        guard text.contains(where: { !$0.isWhitespace }), text.count <= longest else {
            return "is not a text of 1 to \(longest) characters"
        }
        guard text.unicodeScalars.allSatisfy(ShownScalar.isPlain) else {
            return "has a line break, or a character that controls how others are shown"
        }
        let (own, needed) = (placeholders(in: text), placeholders(in: usual))
        guard own != needed else { return nil }
        let missing = needed.subtracting(own).sorted().map { "lacks \($0)" }
        let surplus = own.subtracting(needed).sorted().map { "must not have \($0)" }
        return (missing + surplus).joined(separator: ", and ") + ". The built-in text is \(SettingError.quoted(usual))"
    }

    /// The placeholders of values: `%`, `#`, and `{NAME}` in texts of scripts.
    static func placeholders(in text: String) -> Set<String> {
        Set(text.matches(of: #/%|#|\{\w+\}/#).map { String($0.output) })
    }
}
