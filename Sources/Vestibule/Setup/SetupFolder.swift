import Glibc
import Settings
import Tokens

/// Carries out a plan. Existing files are never overwritten.
extension SetupPlan {
    /// The existing files and folders that the plan would create.
    var existing: [String] {
        let data = answers.dataFolder
        return (files.map(\.path) + ["\(data)/keys", "\(data)/vestibule.sqlite"]).filter { path in
            // An entry that can't be examined may exist.
            (try? PrivateFiles.exists(path)) ?? true
        }
    }

    /// The user to whom the files are given.
    ///
    /// For root it is the owner of the data folder, as whom the daemon will run.
    private var owner: PrivateFiles.Owner? {
        guard geteuid() == 0, case .found(_, let user, let group, true) = FileStatus(of: answers.dataFolder), user != 0
        else { return nil }
        return PrivateFiles.Owner(user: user, group: group)
    }

    /// - Throws: ``ExitError`` with 73 if an entry already exists, or with 74 if one can't be written.
    func carryOut() throws {
        guard existing.isEmpty else { throw Self.exists(existing) }
        let owner = owner
        // The config's folder comes before the folder of secrets, which is inside it and closed to the group too.
        var made = try Self.make(SetupPlan.File.folder(of: answers.configFile), mode: 0o750)
        for file in files {
            made += try Self.make(file.folder, mode: 0o700)
            let bytes = Array(file.text.utf8)
            guard try PrivateFiles.create(file.name, in: file.folder, with: bytes, mode: file.mode, owner: owner) else {
                throw Self.exists([file.path])
            }
        }
        _ = try DataFolder.open(answers.dataFolder)
        // Comes last, so that until then no other user can put anything into the folders.
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

    /// Creates a folder and its missing parents.
    ///
    /// Returns the created ones. An existing folder keeps its mode.
    private static func make(_ folder: String, mode: mode_t) throws(ExitError) -> [String] {
        var partial = ""
        var made: [String] = []
        for part in folder.split(separator: "/") {
            partial += "/" + part
            guard mkdir(partial, mode) != 0 else {
                // The process's umask is too strict: the owner's group must be able to read the config.
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
