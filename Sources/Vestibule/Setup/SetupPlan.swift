import FoundationEssentials
import Kernel
import Settings

/// The files that `vestibule init` creates, all planned before the first is written.
struct SetupPlan: Sendable {
    struct File: Equatable, Sendable {
        let path: String
        let text: String
        let mode: UInt32

        var folder: String { Self.folder(of: path) }
        var name: String { String(path.dropFirst(folder == "/" ? 1 : folder.count + 1)) }

        static func folder(of path: String) -> String {
            let end = path.lastIndex(of: "/") ?? path.startIndex
            return end == path.startIndex ? "/" : String(path[..<end])
        }
    }

    let answers: SetupAnswers
    /// The secrets are first and the config is last, so that an existing config finds all files that it names.
    let files: [File]

    /// `sealingKey`: a new key of at least 32 characters.
    init(_ answers: SetupAnswers, sealingKey: Secret) {
        self.answers = answers
        let secrets = File.folder(of: answers.configFile) + "/secrets"
        var files: [File] = []
        /// Returns the file that holds the secret. For a typed secret it is a planned file.
        func file(of source: SecretSource, _ name: String) -> String {
            switch source {
            case .file(let path): return path
            case .typed(let secret):
                files.append(File(path: "\(secrets)/\(name)", text: secret.expose() + "\n", mode: 0o600))
                return "\(secrets)/\(name)"
            }
        }
        var paths = SetupConfig.SecretFiles(sealingKey: file(of: .typed(sealingKey), "sealing-key"))
        if let password = answers.database?.password {
            paths.databasePassword = file(of: password, "database-password")
        }
        if let password = answers.mail?.password { paths.mailPassword = file(of: password, "smtp-password") }
        if case .authID(let keyID, let keyValue) = answers.provider {
            paths.keyID = file(of: keyID, "authid-key-id")
            paths.keyValue = file(of: keyValue, "authid-key-value")
        }
        let config = SetupConfig.text(answers, paths)
        self.files = files + [File(path: answers.configFile, text: config, mode: 0o640)]
    }

    /// Checks the config as `config check` does, as if the planned files were written.
    ///
    /// - Throws: `SettingsErrors`.
    func check(
        environment: [String: String],
        workingFolder: String,
        disk: SettingsFiles = .disk
    ) throws(SettingsErrors) -> LoadedSettings {
        let planned = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let overlay = SettingsFiles { path in
            planned[path].map { .text($0.text, permissions: Int($0.mode)) } ?? disk.read(path)
        }
        return try SettingsLoader(files: overlay).load(
            SettingsSources(
                configFile: answers.configFile,
                workingFolder: workingFolder,
                dataFolder: answers.dataFolder,
                environment: environment
            )
        )
    }

    /// The commands to run next.
    var nextCommands: [String] {
        let options = "--config \(Self.quoted(answers.configFile)) --data \(Self.quoted(answers.dataFolder))"
        return (answers.database == nil ? [] : ["vestibule migrate \(options)"]) + [
            "vestibule serve \(options)", "vestibule doctor \(options)",
            "vestibule accounts add --email you@example.com --enroll \(answers.provider.name) \(options)",
        ]
    }

    /// Returns a word, quoted for a shell if necessary.
    static func quoted(_ word: String) -> String {
        let plain = word.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "/._-".unicodeScalars.contains($0))
        }
        return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
