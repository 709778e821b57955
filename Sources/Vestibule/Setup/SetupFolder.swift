import Glibc
import Settings
import Tokens

/// Carries a plan out: nothing that exists is overwritten.
extension SetupPlan {
    /// The entries that are there already, of which the plan would make its own.
    var existing: [String] {
        let data = answers.dataFolder
        return (files.map(\.path) + ["\(data)/keys", "\(data)/vestibule.sqlite"]).filter { path in
            // An entry that can't be looked at is one that may be there.
            (try? PrivateFiles.exists(path)) ?? true
        }
    }

    /// The user whom the files are given to: for root the owner of the data folder, as whom the daemon will run.
    private var owner: PrivateFiles.Owner? {
        guard geteuid() == 0, case .found(_, let user, let group, true) = FileStatus(of: answers.dataFolder), user != 0
        else { return nil }
        return PrivateFiles.Owner(user: user, group: group)
    }

    /// - Throws: ``ExitError`` with 73 where something is there already, with 74 where something can't be written.
    func carryOut() throws {
        guard existing.isEmpty else { throw Self.exists(existing) }
        let owner = owner
        // The config's before that of the secrets, which is below it and closed to the group as well.
        var made = try Self.make(SetupPlan.File.folder(of: answers.configFile), mode: 0o750)
        for file in files {
            made += try Self.make(file.folder, mode: 0o700)
            let bytes = Array(file.text.utf8)
            guard try PrivateFiles.create(file.name, in: file.folder, with: bytes, mode: file.mode, owner: owner) else {
                throw Self.exists([file.path])
            }
        }
        _ = try DataFolder.open(answers.dataFolder)
        // Last: until then nobody else could put something into them.
        guard let owner else { return }
        for folder in made where lchown(folder, owner.user, owner.group) != 0 {
            throw ExitError.storage(
                "\(folder) cannot be given to user \(owner.user): \(String(cString: strerror(errno)))."
            )
        }
    }

    private static func exists(_ paths: [String]) -> ExitError {
        .exists(
            "These exist already, and were not changed: \(paths.joined(separator: ", ")). Choose other paths with --config and "
                + "--data, or move these away."
        )
    }

    /// Makes a folder, and those above it, where they are missing, and returns those; one that is there keeps its mode.
    private static func make(_ folder: String, mode: mode_t) throws(ExitError) -> [String] {
        var partial = ""
        var made: [String] = []
        for part in folder.split(separator: "/") {
            partial += "/" + part
            guard mkdir(partial, mode) != 0 else {
                // As the process's mask leaves it is not enough: the owner's group reads the config.
                chmod(partial, mode)
                made.append(partial)
                continue
            }
            guard errno != EEXIST else { continue }
            throw .storage("The folder \(partial) cannot be created: \(String(cString: strerror(errno))).")
        }
        return made
    }
}
