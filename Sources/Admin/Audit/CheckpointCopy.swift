/// The newest lines of a copy of the checkpoints, as many as fit into a request to the daemon.
struct CheckpointCopy {
    /// The size in bytes of the lines that fit.
    private static let limit = 12 * 1024 * 1024

    /// Oldest first.
    let lines: [String]
    /// The number of older lines, which don't fit.
    let leftOut: Int

    init(_ text: String, limit: Int = Self.limit) {
        let all = text.split(separator: "\n")
        var size = 0
        let newest = all.reversed().prefix { line in
            // Quotes, comma and a byte to spare.
            size += line.utf8.count + 4
            return size <= limit
        }
        lines = newest.reversed().map(String.init)
        leftOut = all.count - lines.count
    }
}
