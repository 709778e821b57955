/// The origin of a value: where it was written.
package enum ConfigOrigin: Hashable, Sendable {
    /// Not written: the default.
    case builtIn
    /// A line of a file, counted from 1. 0 is the file as a whole.
    case file(String, line: Int)
    /// An environment variable, and the key that it sets.
    case environment(String, key: String)
    /// `--set KEY=…`.
    case option(String)

    /// The text that `config show` prints.
    var text: String {
        switch self {
        case .builtIn: "default"
        case .file(let name, 0): name
        case .file(let name, let line): "\(name):\(line)"
        case .environment(let name, _): name
        case .option(let key): "--set \(key)"
        }
    }

    /// Whether the value is from the command line or the environment, where lists are written with commas.
    var isOverride: Bool {
        switch self {
        case .environment, .option: true
        case .builtIn, .file: false
        }
    }

    /// The sort order: files first, by name and line, then the environment, then `--set`.
    var order: (Int, String, Int) {
        switch self {
        case .builtIn: (0, "", 0)
        case .file(let name, let line): (1, name, line)
        case .environment(let name, _): (2, name, 0)
        case .option(let key): (3, key, 0)
        }
    }
}
