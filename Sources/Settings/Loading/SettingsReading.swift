import Kernel

/// The values that reading a config depends on.
struct ReadingContext: Sendable {
    let dataFolder: String
    let mode: Settings.Mode
    let environment: [String: String]
    let files: SettingsFiles
    /// The origin of findings about values that are not written.
    let root: ConfigOrigin
    /// The time of reading; `nil`: times are not checked.
    var now: Instant?
}

/// The state of reading a config, with its findings.
struct SettingsReading: Sendable {
    let context: ReadingContext
    var faults: [SettingsFinding]
    var warnings: [SettingsFinding] = []
    /// The origin of each key and each map that is written.
    var origins: [String: ConfigOrigin] = [:]
    /// The reference of each secret that is kept outside the config: `env:NAME` or `file:PATH`.
    var secretReferences: [String: String] = [:]

    init(_ context: ReadingContext, faults: [SettingsFinding] = []) {
        self.context = context
        self.faults = faults
    }

    /// Returns the origin of `key`, or otherwise of its nearest parent that is written.
    func origin(of key: String) -> ConfigOrigin {
        var path = Substring(key)
        while !path.isEmpty {
            if let origin = origins[String(path)] { return origin }
            guard let dot = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { break }
            path = path[..<dot]
        }
        return context.root
    }

    mutating func fault(_ key: String, _ message: String, at origin: ConfigOrigin? = nil) {
        faults.append(SettingsFinding(origin: origin ?? self.origin(of: key), key: key, message: message))
    }

    mutating func warn(_ key: String, _ message: String) {
        warnings.append(SettingsFinding(origin: origin(of: key), key: key, message: message))
    }
}

extension SettingsFiles {
    /// Returns the text and the permissions of a file that the config names.
    func text(of path: String) throws(SettingError) -> (text: String, permissions: Int) {
        switch read(path) {
        case .missing: throw SettingError(message: "the file \(path) does not exist")
        case .unreadable(let why): throw SettingError(message: "\(path) \(why)")
        case .text(let text, let permissions): return (text, permissions)
        }
    }
}
