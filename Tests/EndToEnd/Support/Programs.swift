import Foundation

/// Where the programs under test are: built beside the test bundle.
enum Programs {
    static let daemon = "vestibule"
    static let mock = "authid-mock"

    /// The folder that holds both.
    static let folder: Result<String, MissingProgramsError> = find()

    struct MissingProgramsError: Error, CustomStringConvertible {
        let searched: [String]

        var description: String {
            "\(daemon) and \(mock) are in none of \(searched.joined(separator: ", ")). Build them first: swift build "
                + "--build-tests, or name their folder in VESTIBULE_E2E_PROGRAMS."
        }
    }

    /// The inherited environment of the programs: a search path alone, so that the developer's own settings stay
    /// outside.
    static func environment(_ more: [String: String] = [:]) throws -> [String: String] {
        let system = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return ["PATH": "\(try folder.get()):\(system)", "TZ": "UTC"].merging(more) { $1 }
    }

    /// Whether a tool of the system is installed.
    static func isInstalled(_ tool: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)") }
    }

    private static func find() -> Result<String, MissingProgramsError> {
        if let named = ProcessInfo.processInfo.environment["VESTIBULE_E2E_PROGRAMS"], !named.isEmpty {
            return holdsBoth(named) ? .success(named) : .failure(MissingProgramsError(searched: [named]))
        }
        var starts = [Bundle.main.executablePath, Bundle.main.bundlePath].compactMap(\.self)
        starts += CommandLine.arguments.filter { $0.contains("/") }
        starts += [try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")].compactMap(\.self)
        var searched: [String] = []
        for start in starts {
            // A bundle may lie a few folders below the programs.
            var folder = URL(filePath: start).standardizedFileURL
            for _ in 0..<4 {
                let path = folder.path(percentEncoded: false)
                if holdsBoth(path) { return .success(path) }
                if !searched.contains(path) { searched.append(path) }
                folder.deleteLastPathComponent()
            }
        }
        return .failure(MissingProgramsError(searched: searched))
    }

    private static func holdsBoth(_ folder: String) -> Bool {
        [daemon, mock].allSatisfy { name in
            var isFolder: ObjCBool = false
            let path = "\(folder)/\(name)"
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
                && FileManager.default.isExecutableFile(atPath: path)
        }
    }
}
