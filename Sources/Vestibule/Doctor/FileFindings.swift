/// What readings of the disk mean.
enum FileFindings {
    /// `free` and `total`: bytes; `nil` where the file system can't be asked.
    static func disk(_ path: String, free: UInt64?, total: UInt64?) -> Finding {
        guard let free, let total, total > 0 else {
            return .notChecked("disk", "the file system of \(path) can't be asked")
        }
        let share = Int(Double(free) / Double(total) * 100)
        let size = free >= 1 << 30 ? "\(free >> 30) GiB" : "\(free >> 20) MiB"
        let found = "\(path) has \(size) free (\(share) %)"
        let remedy = "Free some, or move the data folder: on a full disk logins are refused."
        if free < 256 << 20 { return .error("disk", found, remedy: remedy) }
        if free < 2 << 30 || share < 5 { return .warning("disk", found, remedy: remedy) }
        return .ok("disk", found)
    }

    /// A file or folder, and who may do what there.
    struct Entry: Equatable, Sendable {
        /// What it is, in the middle of a sentence: "the data folder".
        let role: String
        let path: String
        let need: Need
        let status: FileStatus
    }

    /// What others may not do.
    enum Need: Equatable, Sendable {
        /// Neither read nor write.
        case ownerOnly
        /// Not write; reading is a warning.
        case ownerWrites
        /// Neither read nor write, but for the owner's group.
        case ownerAndGroup
    }

    /// The findings about all entries: one for each fault, or one that all is well.
    static func permissions(_ entries: [Entry]) -> [Finding] {
        let check = "permissions"
        var findings: [Finding] = []
        let owners = Set(entries.compactMap { $0.need == .ownerAndGroup ? nil : $0.status.owner })
        for entry in entries {
            let subject = "\(entry.role) \(entry.path)"
            switch entry.status {
            case .missing:
                findings.append(.notChecked(check, "\(subject) is not there"))
            case .unreadable(let cause):
                findings.append(
                    .notChecked(check, "\(subject): \(cause)", remedy: "Run this as the daemon's user, or as root.")
                )
            case .found(let mode, _, _, let isFolder):
                let bits = String(mode & 0o777, radix: 8)
                let (others, command) = (mode & 0o077, "Run: chmod \(isFolder ? "700" : "600") \(entry.path)")
                switch entry.need {
                case .ownerOnly where others != 0, .ownerWrites where mode & 0o022 != 0:
                    findings.append(.error(check, "\(subject) is open to others (\(bits))", remedy: command))
                case .ownerWrites where others != 0:
                    findings.append(.warning(check, "\(subject) can be read by others (\(bits))", remedy: command))
                case .ownerAndGroup where mode & 0o007 != 0:
                    findings.append(
                        .error(
                            check,
                            "\(subject) is open to everybody (\(bits))",
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
            findings.insert(.ok(check, "\(checked) files and folders are closed to others"), at: 0)
        }
        return findings
    }

    /// Where the keys are, and what seals them.
    struct KeyPlaces: Equatable, Sendable {
        let dataFolder: String
        let keyFolder: String
        let isSealed: Bool
        /// The file that the sealing key comes from; `nil` for another source.
        let sealingKeyFile: String?
    }

    static func keys(_ places: KeyPlaces) -> [Finding] {
        let copies = Finding.notChecked(
            "backups",
            "whether copies of the database and of \(places.keyFolder) are kept elsewhere",
            remedy: "docs/guide/run-in-production.md says how to make and to restore them."
        )
        guard places.isSealed else {
            return [
                .warning(
                    "keys",
                    "there is no secrets.sealingKey, so who reads \(places.keyFolder) or a copy of it can sign for anybody",
                    remedy: "Make one with `openssl rand -base64 32`, and keep it apart from the backups."
                ), copies,
            ]
        }
        if let file = places.sealingKeyFile, file.hasPrefix(places.dataFolder + "/") {
            return [
                .warning(
                    "keys",
                    "the sealing key lies in the data folder (\(file)), so a backup has both it and what it seals",
                    remedy: "Move it out of \(places.dataFolder), and say where in secrets.sealingKey."
                ), copies,
            ]
        }
        let file = places.sealingKeyFile.map { " of \($0)" } ?? ""
        return [
            .ok("keys", "they are sealed"),
            .notChecked(
                "backups",
                "whether copies of the database, of \(places.keyFolder) and of the sealing key\(file) are kept elsewhere",
                remedy: "Keep the sealing key apart from the others. Without it they are lost."
            ),
        ]
    }
}
