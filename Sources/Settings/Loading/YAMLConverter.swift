import Yams

/// Converts Yams's nodes to ``ConfigNode``s, and reports duplicate keys.
///
/// An alias is replaced by a copy, so that a few lines of nested aliases could create millions of values (CWE-776).
/// The values are counted during the conversion, up to ``most``.
struct YAMLConverter {
    /// The limit on the values of one file, copies for aliases included: the largest configs have some thousands.
    static let most = 100_000

    let file: String
    private(set) var findings: [SettingsFinding] = []
    private var count = 0
    /// The key at the file's root that is being converted, for the finding about too many values.
    private var outermost: (mark: Mark?, path: String)?
    private var hidden: [Unicode.Scalar: (name: String, line: Int)] = [:]

    init(file: String) { self.file = file }

    /// Returns a private-use character (Unicode §23.5), to which the first of two equal keys is renamed.
    ///
    /// - Returns: `nil` after a thousand of them.
    mutating func standIn(for name: String, line: Int) -> Unicode.Scalar? {
        guard hidden.count < 1000, let scalar = Unicode.Scalar(0xE000 + UInt32(hidden.count)) else { return nil }
        hidden[scalar] = (name, line)
        return scalar
    }

    /// Whether values were left out because there were too many.
    var isFull: Bool { count > Self.most }

    /// Returns the converted node; `path` is its key with all its parents.
    mutating func convert(_ node: Node, path: String) -> ConfigNode {
        count += 1
        guard !isFull else {
            let position = outermost ?? (node.mark, path)
            add(
                "expands to more than \(Self.most) values because of aliases (*name). Write values instead of aliases",
                to: position.path,
                at: position.mark
            )
            return ConfigNode(content: .nothing, origin: origin(node.mark))
        }
        switch node {
        case .scalar(let scalar):
            let isNothing = scalar.style == .plain && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
            return ConfigNode(content: isNothing ? .nothing : .scalar(scalar.string), origin: origin(scalar.mark))
        case .sequence(let sequence):
            var items: [ConfigNode] = []
            for (index, item) in sequence.enumerated() {
                if isFull { break }
                items.append(convert(item, path: "\(path)[\(index)]"))
            }
            return ConfigNode(content: .list(items), origin: origin(sequence.mark))
        case .mapping(let mapping):
            return ConfigNode(content: .map(entries(of: mapping, path: path)), origin: origin(mapping.mark))
        case .alias(let alias):
            add("is an alias that cannot be followed", to: path, at: alias.mark)
            return ConfigNode(content: .nothing, origin: origin(alias.mark))
        }
    }

    private mutating func entries(of mapping: Node.Mapping, path: String) -> [ConfigNode.ConfigEntry] {
        var entries: [ConfigNode.ConfigEntry] = []
        var firsts: [String: Int] = [:]
        let isRoot = count == 1
        for (keyNode, valueNode) in mapping {
            if isFull { break }
            guard let key = keyNode.scalar else {
                add("has a key that is not a word", to: path, at: keyNode.mark)
                continue
            }
            if let first = key.string.unicodeScalars.first.flatMap({ hidden[$0] }) {
                if let earliest = firsts[first.name] {
                    let below = KeyPathText.join(path, first.name)
                    add("is written twice. The first is on line \(earliest)", to: below, at: key.mark)
                } else {
                    firsts[first.name] = first.line
                }
                continue
            }
            let name = key.string
            let below = KeyPathText.join(path, name)
            if isRoot { outermost = (key.mark, below) }
            if let first = firsts[name] {
                add("is written twice. The first is on line \(first)", to: below, at: key.mark)
            }
            entries.append(.init(name: name, origin: origin(key.mark), node: convert(valueNode, path: below)))
        }
        return entries
    }

    private func origin(_ mark: Mark?) -> ConfigOrigin { .file(file, line: mark?.line ?? 0) }

    private mutating func add(_ message: String, to path: String, at mark: Mark?) {
        findings.append(SettingsFinding(origin: origin(mark), key: path, message: message))
    }
}

/// Keys with all their parents, as in findings and `--set`.
enum KeyPathText {
    static func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : path + "." + name }
}
