package import Web

/// The operator's texts, and the folder that they were read from.
package struct TextsFolder: Sendable, Equatable {
    package let path: String
    package let files: [TextFile]

    package init(path: String, files: [TextFile]) {
        self.path = path
        self.files = files
    }
}

extension SettingRule where Value == TextsFolder {
    /// A folder of files with texts, each fault of which is reported at its own line.
    static var texts: Self {
        Self(expected: "a folder, relative to the data folder or absolute") { text, _, reading throws(SettingError) in
            guard !text.isEmpty, !text.utf8.contains(0) else { throw .refusing(text, "is not a path") }
            let path = SettingsFiles.resolve(text, against: reading.context.dataFolder)
            return TextsFolder(path: path, files: try TextsFolder.read(path, in: &reading))
        } show: {
            .text($0.path)
        }
    }
}

extension TextsFolder {
    /// The most files of a folder.
    private static let mostFiles = 40

    fileprivate static func read(_ folder: String, in reading: inout SettingsReading) throws(SettingError) -> [TextFile]
    {
        guard let names = reading.context.files.names(folder)?.filter({ !$0.hasPrefix(".") }) else {
            throw SettingError(message: "the folder \(folder) does not exist or may not be read")
        }
        guard names.count <= mostFiles else {
            throw SettingError(message: "\(folder) has more than \(mostFiles) files. Keep only texts there")
        }
        var files: [TextFile] = []
        for name in names {
            let path = "\(folder)/\(name)"
            guard let language = language(of: name) else {
                add(
                    "is not named like a language's file. Name it by the language's code, like pt.json",
                    at: path,
                    in: &reading
                )
                continue
            }
            switch reading.context.files.read(path) {
            case .missing: add("does not exist", at: path, in: &reading)
            case .unreadable(let why): add(why, at: path, in: &reading)
            case .text(let text, _):
                var reader = TextFileReader(text: text, language: language)
                let file = reader.read()
                for fault in reader.faults {
                    add(fault.message, at: path, line: fault.line, key: fault.key, in: &reading)
                }
                if let file { files.append(file) }
                if let missing = file?.missingTexts, missing > 0 {
                    let message = "has not \(missing) of the \(TextFile.builtInCount) texts, which are shown in English"
                    reading.warnings.append(
                        SettingsFinding(origin: .file(path, line: 0), key: "texts", message: message)
                    )
                }
            }
        }
        return files
    }

    /// Returns the language's code (ISO 639) that the file is named by.
    private static func language(of name: String) -> String? {
        guard name.hasSuffix(".json") else { return nil }
        let code = name.dropLast(".json".utf8.count)
        let isCode = (2...3).contains(code.utf8.count) && code.utf8.allSatisfy { (0x61...0x7A).contains($0) }
        return isCode ? String(code) : nil
    }

    private static func add(
        _ message: String,
        at path: String,
        line: Int = 0,
        key: String = "",
        in reading: inout SettingsReading
    ) {
        reading.faults.append(SettingsFinding(origin: .file(path, line: line), key: key, message: message))
    }
}

extension TextFile {
    static let builtInCount = LocalizedStrings.english.sections.values.reduce(0) { $0 + $1.count }

    /// The number of texts that a language which is not built in lacks; 0 for a built-in language.
    fileprivate var missingTexts: Int {
        LocalizedStrings.builtIn.contains { $0.language == language } ? 0 : Self.builtInCount - count
    }
}
