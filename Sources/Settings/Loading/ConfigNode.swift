/// A node of a config, and its origin.
struct ConfigNode: Sendable {
    var content: Content
    var origin: ConfigOrigin

    /// YAML without tags: only the key's rule decides what a value means.
    enum Content: Sendable {
        /// An empty value, `~` or `null`. It counts as if the key were missing.
        case nothing
        case scalar(String)
        case list([ConfigNode])
        case map([ConfigEntry])
        /// The content of a file that could not be read. The fault is noted, and further faults of its keys are not
        /// reported.
        case unread
    }

    /// A key of a map, and its origin.
    struct ConfigEntry: Sendable {
        let name: String
        var origin: ConfigOrigin
        var node: ConfigNode
    }

    /// The entries of a map, or none for any other content.
    var entries: [ConfigEntry] {
        if case .map(let entries) = content { entries } else { [] }
    }

    /// The text of a scalar, or `nil` for any other content.
    var scalar: String? {
        if case .scalar(let text) = content { text } else { nil }
    }

    subscript(name: String) -> ConfigNode? { entries.first { $0.name == name }?.node }

    /// Sets a value at `path`, replacing what was there and creating missing maps on the way.
    mutating func set(_ path: ArraySlice<String>, to text: String, origin newOrigin: ConfigOrigin) {
        guard let name = path.first else {
            self = ConfigNode(content: .scalar(text), origin: newOrigin)
            return
        }
        if case .unread = content { return }
        var children = entries
        if case .map = content {} else { origin = newOrigin }
        let index = children.firstIndex { $0.name == name } ?? children.count
        if index == children.count {
            let blank = ConfigNode(content: .nothing, origin: newOrigin)
            children.append(ConfigEntry(name: name, origin: newOrigin, node: blank))
        }
        if path.count == 1 { children[index].origin = newOrigin }
        children[index].node.set(path.dropFirst(), to: text, origin: newOrigin)
        content = .map(children)
    }
}
