/// The name of a daemon among those that share a database: `local`, `node-1`, `node-2`.
///
/// It comes from the daemon's slot: the lowest number that no other daemon has. SQLite has one daemon, in slot 0.
package struct NodeName: Sendable, Hashable {
    package let slot: Int

    /// The name of the only daemon, and of the first of several.
    package static let first = NodeName(slot: 0)

    private static let prefix = "node-"

    package init(slot: Int) {
        precondition(slot >= 0, "a slot is a number from 0")
        self.slot = slot
    }

    /// Reads a stored name; `nil` for a text that is none.
    package init?(_ text: String) {
        if text == Self.first.text {
            self = .first
            return
        }
        guard text.hasPrefix(Self.prefix), let slot = Int(text.dropFirst(Self.prefix.count)), slot > 0,
            text == "\(Self.prefix)\(slot)"
        else { return nil }
        self.slot = slot
    }

    package var text: String { slot == 0 ? "local" : "\(Self.prefix)\(slot)" }
}

extension NodeName: CustomStringConvertible {
    package var description: String { text }
}
