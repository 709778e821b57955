/// A piece of a config, and where it was written.
struct ConfigNode: Sendable {
    var content: Content
    var origin: ConfigOrigin

    /// YAML without tags: what a value means is decided by the key's rule alone.
    enum Content: Sendable {
        /// Nothing, `~` or `null`: as if the key were not there.
        case nothing
        case scalar(String)
        case list([ConfigNode])
        case map([ConfigEntry])
        /// A file that could not be read; the fault is noted, and nothing more is to be said about its keys.
        case unread
    }

    /// A key of a map, and where the key was written.
    struct ConfigEntry: Sendable {
        let name: String
        var origin: ConfigOrigin
        var node: ConfigNode
    }

    /// The keys of a map, none when it is something else.
    var entries: [ConfigEntry] {
        if case .map(let entries) = content { entries } else { [] }
    }

    /// The text of a scalar.
    var scalar: String? {
        if case .scalar(let text) = content { text } else { nil }
    }

    subscript(name: String) -> ConfigNode? { entries.first { $0.name == name }?.node }

    /// Puts a value at `path`, in the place of what was there; maps on the way to it are made.
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
