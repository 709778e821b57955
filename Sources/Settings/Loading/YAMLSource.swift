import Yams

/// The text of a YAML file, and its name in findings.
struct YAMLSource: Sendable {
    let name: String
    let text: String

    /// Returns the file's tree, with every syntax fault.
    ///
    /// - Parameter path: The keys above the file's root: empty for the main file.
    /// - Returns: An empty map for an empty file. `nil` for text that is not YAML or exceeds the limit.
    func parse(under path: String = "") -> (node: ConfigNode?, findings: [SettingsFinding]) {
        var converter = YAMLConverter(file: name)
        do {
            let composed = try compose(&converter)
            var node = ConfigNode(content: .map([]), origin: .file(name, line: 0))
            if let composed { node.content = converter.convert(composed, path: path).content }
            // A tree that was cut off would give faults that the file does not have.
            if converter.isFull { return (nil, converter.findings) }
            return (node, converter.findings)
        } catch {
            return (nil, [finding(for: error)])
        }
    }

    /// Returns Yams's tree of the text.
    ///
    /// The converter reports duplicate keys.
    ///
    /// Yams stops at a duplicate key. So that the file's other faults are found too, the first of the two is renamed
    /// to a text that no key has.
    private func compose(_ converter: inout YAMLConverter) throws -> Node? {
        // A file may begin with a byte order mark (YAML 1.2.2 §5.2). The parser would count it as the first line's
        // indent.
        let scalars =
            text.unicodeScalars.first == "\u{FEFF}" ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
        var lines = scalars.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
        while true {
            do {
                return try Parser(yaml: lines.map(Self.string).joined(separator: "\n"), encoding: .utf8).singleRoot()
            } catch YamlError.duplicatedKeysInMapping(let names, let context) {
                let (row, column) = (context.mark.line - 1, context.mark.column - 1)
                guard let name = names.first, lines.indices.contains(row),
                    lines[row].dropFirst(column).starts(with: name.unicodeScalars),
                    let stand = converter.standIn(for: name, line: context.mark.line)
                else { throw YamlError.duplicatedKeysInMapping(duplicates: names, context: context) }
                lines[row].replaceSubrange(column..<column + name.unicodeScalars.count, with: [stand])
            }
        }
    }

    /// The line of the first character that YAML forbids (YAML 1.2.2 §5.1), or 0 if all are allowed.
    private var lineOfFirstControl: Int {
        var line = 1
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: line += 1
            case 0x09, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xFFFD, 0x10000...0x10FFFF: break
            default: return line
            }
        }
        return 0
    }

    private static func string(_ scalars: [Unicode.Scalar]) -> String {
        scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
    }

    /// Yams's excerpt of the text is left out: it may contain a secret.
    private func finding(for error: any Error) -> SettingsFinding {
        let (line, problem): (Int, String) =
            switch error {
            case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
                YamlError.composer(_, let problem, let mark, _):
                (mark.line, problem)
            case YamlError.reader(let problem, _, _, _): (lineOfFirstControl, problem)
            case YamlError.duplicatedKeysInMapping(let names, let context):
                (context.mark.line, "\(names.first ?? "") is written twice in one map")
            default: (0, "it cannot be read")
            }
        return SettingsFinding(origin: .file(name, line: line), key: "", message: "not YAML: \(problem)")
    }
}
