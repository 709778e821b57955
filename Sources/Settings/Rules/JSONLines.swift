/// The lines on which the members of a valid JSON text begin, for findings about them.
enum JSONLines {
    /// Returns the line of each member by its path, like `signIn.allow`.
    static func lines(in text: String) -> [String: Int] {
        var walk = Walk(bytes: Array(text.utf8))
        walk.run()
        return walk.lines
    }

    /// A walk over the bytes: strings are skipped whole, so that no sign in them is taken for structure.
    private struct Walk {
        let bytes: [UInt8]
        var lines: [String: Int] = [:]
        private var position = 0
        private var line = 1
        /// The names of the members that enclose the position.
        private var path: [String] = []
        /// The string before the position, which is a name if a colon follows.
        private var last = (text: "", line: 1)

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func run() {
            while position < bytes.count {
                let byte = bytes[position]
                position += 1
                switch byte {
                case UInt8(ascii: "\n"): line += 1
                case UInt8(ascii: "\""): last = (string(), line)
                case UInt8(ascii: ":"):
                    path.append(last.text)
                    lines[path.joined(separator: ".")] = last.line
                case UInt8(ascii: ",") where open.last?.isArray != true: _ = path.popLast()
                case UInt8(ascii: "{"), UInt8(ascii: "["): open.append((path.count, byte == UInt8(ascii: "[")))
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    path.removeLast(max(0, path.count - (open.popLast()?.depth ?? 0)))
                default: break
                }
            }
        }

        /// The objects and arrays that enclose the position, each with the length of the path at its start.
        private var open: [(depth: Int, isArray: Bool)] = []

        private mutating func string() -> String {
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            let end = min(position, bytes.count)
            position += 1
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }
    }
}
