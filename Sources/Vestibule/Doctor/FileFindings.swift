/// Interprets readings of the disk.
enum FileFindings {
    /// `free`: free bytes; `nil` where the file system can't be read.
    ///
    /// `total`: all bytes; `nil` where the file system can't be read.
    static func disk(_ path: String, free: UInt64?, total: UInt64?) -> Finding {
        guard let free, let total, total > 0 else {
            return .notChecked("disk", "the free space of \(path) could not be read")
        }
        let share = Int(Double(free) / Double(total) * 100)
        let size = free >= 1 << 30 ? "\(free >> 30) GiB" : "\(free >> 20) MiB"
        let found = "\(path) has \(size) free (\(share) %)"
        let remedy = "Free space or move the data folder: logins are refused when the disk is full."
        if free < 256 << 20 { return .error("disk", found, remedy: remedy) }
        if free < 2 << 30 || share < 5 { return .warning("disk", found, remedy: remedy) }
        return .ok("disk", found)
    }

    /// A file or folder, and the access that other users may have.
    struct Entry: Equatable, Sendable {
        /// Its role as a part of a sentence: "the data folder".
        let role: String
        let path: String
        let need: Need
        let status: FileStatus
    }

    /// The required protection against other users.
    enum Need: Equatable, Sendable {
        /// Other users may neither read nor write.
        case ownerOnly
        /// Other users may not write. Reading gives a warning.
        case ownerWrites
        /// Only the owner and the owner's group may read or write.
        case ownerAndGroup
    }

    /// Returns the findings about all entries: one for each fault, or a single one if there is none.
    static func permissions(_ entries: [Entry]) -> [Finding] {
        let check = "permissions"
        var findings: [Finding] = []
        let owners = Set(entries.compactMap { $0.need == .ownerAndGroup ? nil : $0.status.owner })
        for entry in entries {
            let subject = "\(entry.role) \(entry.path)"
            switch entry.status {
            case .missing:
                findings.append(.notChecked(check, "\(subject) does not exist"))
            case .unreadable(let cause):
                findings.append(
                    .notChecked(check, "\(subject): \(cause)", remedy: "Run this as the daemon's user, or as root.")
                )
            case .found(let mode, _, _, let isFolder):
                let bits = String(mode & 0o777, radix: 8)
                let (others, command) = (mode & 0o077, "Run: chmod \(isFolder ? "700" : "600") \(entry.path)")
                switch entry.need {
                case .ownerOnly where others != 0, .ownerWrites where mode & 0o022 != 0:
                    findings.append(.error(check, "\(subject) is accessible to others (\(bits))", remedy: command))
                case .ownerWrites where others != 0:
                    findings.append(.warning(check, "\(subject) can be read by others (\(bits))", remedy: command))
                case .ownerAndGroup where mode & 0o007 != 0:
                    findings.append(
                        .error(
                            check,
                            "\(subject) is accessible to everyone (\(bits))",
                            remedy: "Run: chmod 640 \(entry.path)"
                        )
                    )
                case .ownerOnly, .ownerWrites, .ownerAndGroup: break
                }
            }
        }
        if owners.count > 1 {
            let users = owners.sorted().map(String.init).joined(separator: " and ")
            findings.append(
                .error(
                    check,
                    "the files belong to different users (\(users))",
                    remedy: "Give all of them to the user that the daemon runs as."
                )
            )
        }
        let checked = entries.count { if case .found = $0.status { true } else { false } }
        if findings.allSatisfy({ $0.level == .notChecked }), checked > 0 {
            findings.insert(.ok(check, "\(checked) files and folders are not accessible to others"), at: 0)
        }
        return findings
    }

    /// The locations of the signing keys, of the database that needs them, and of the key that encrypts them.
    struct KeyPlaces: Equatable, Sendable {
        let dataFolder: String
        let keyFolder: String
        let keyFolderStatus: FileStatus
        let database: String
        let databaseStatus: FileStatus
        /// Whether `secrets.sealingKey` is set.
        let isEncrypted: Bool
        /// The file that `secrets.sealingKey` names; `nil` for another source.
        let encryptionKeyFile: String?
    }

    static func keys(_ places: KeyPlaces) -> [Finding] {
        [folder(places), encryption(places)].compactMap(\.self) + [backups(places)]
    }

    /// Returns the finding about a key folder that is missing or can't be examined.
    private static func folder(_ places: KeyPlaces) -> Finding? {
        let folder = "the key folder \(places.keyFolder)"
        switch places.keyFolderStatus {
        case .found: return nil
        case .unreadable(let cause):
            return .notChecked("keys", "\(folder): \(cause)", remedy: "Run this as the daemon's user, or as root.")
        case .missing:
            if case .found = places.databaseStatus {
                return .error(
                    "keys",
                    "\(folder) does not exist, although the database \(places.database) does",
                    remedy: "Restore the key folder of that database from its backup, or name it in secrets.keyFolder."
                )
            }
            if case .unreadable = places.databaseStatus {
                return .notChecked(
                    "keys",
                    "\(folder) does not exist",
                    remedy:
                        "If the database \(places.database) was used before, restore its key folder from the backup, or "
                        + "name it in secrets.keyFolder. Only a new database gets new keys."
                )
            }
            return .notChecked(
                "keys",
                "\(folder) does not exist",
                remedy: "Check --data and secrets.keyFolder, or start the daemon: its first start makes the keys."
            )
        }
    }

    /// Returns the finding about the key that encrypts the key folder; `nil` if that key is in order and there is no
    /// folder.
    private static func encryption(_ places: KeyPlaces) -> Finding? {
        guard places.isEncrypted else {
            return .warning(
                "keys",
                "secrets.sealingKey is not set: anyone who reads \(places.keyFolder) or a copy of it can sign tokens",
                remedy:
                    "Make a key with `openssl rand -base64 32`, name it in secrets.sealingKey, and keep it apart from the backups."
            )
        }
        if let file = places.encryptionKeyFile, file.hasPrefix(places.dataFolder + "/") {
            return .warning(
                "keys",
                "secrets.sealingKey is in the data folder (\(file)), so a backup has both it and what it encrypts",
                remedy: "Move it out of \(places.dataFolder), and name its new path in secrets.sealingKey."
            )
        }
        guard case .found = places.keyFolderStatus else { return nil }
        return .ok("keys", "secrets.sealingKey encrypts \(places.keyFolder)")
    }

    private static func backups(_ places: KeyPlaces) -> Finding {
        let guide = "See docs/guide/run-in-production.md for how to make and restore them."
        guard places.isEncrypted else {
            return .notChecked(
                "backups",
                "whether copies of the database and of \(places.keyFolder) are kept elsewhere",
                remedy: guide
            )
        }
        let file = places.encryptionKeyFile.map { " (\($0))" } ?? ""
        return .notChecked(
            "backups",
            "whether copies of the database, of \(places.keyFolder) and of secrets.sealingKey\(file) are kept elsewhere",
            remedy: "Keep secrets.sealingKey apart from the others: they cannot be decrypted without it. " + guide
        )
    }
}
