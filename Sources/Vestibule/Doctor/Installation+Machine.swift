import Admin
import Kernel
import Settings
import Storage

/// The checks of the disk, and of the daemon's queues.
extension Installation {
    func fileFindings() -> [Finding] {
        let space = DiskSpace.read(settings.dataFolder)
        let encryptionKey = loaded.secretReferences["secrets.sealingKey"].flatMap(file)
        let places = FileFindings.KeyPlaces(
            dataFolder: settings.dataFolder,
            keyFolder: settings.secrets.keyFolder,
            keyFolderStatus: FileStatus(of: settings.secrets.keyFolder),
            database: settings.storage.name,
            databaseStatus: settings.storage.file.map(FileStatus.init(of:)) ?? .unreadable("it is on a server"),
            isEncrypted: settings.secrets.sealingKey != nil,
            encryptionKeyFile: encryptionKey
        )
        return [FileFindings.disk(settings.dataFolder, free: space?.free, total: space?.total)]
            + FileFindings.permissions(entries) + FileFindings.keys(places)
    }

    private var entries: [FileFindings.Entry] {
        let keys = settings.secrets.keyFolder
        var wanted: [(role: String, path: String, need: FileFindings.Need)] = [
            ("the data folder", settings.dataFolder, .ownerWrites), ("the key folder", keys, .ownerOnly),
            ("the root key", keys + "/root.key", .ownerOnly),
        ]
        if let file = settings.storage.file { wanted.append(("the database", file, .ownerWrites)) }
        // Only this service can read systemd's credentials, whatever their group bits say.
        let secrets = Set(loaded.secretReferences.values.compactMap(file)).sorted().filter { path in
            credentialsFolder.map { !path.hasPrefix($0 + "/") } ?? true
        }
        wanted += secrets.map { ("the secret", $0, .ownerOnly) }
        if let key = settings.tls?.key { wanted.append(("the private key", key, .ownerAndGroup)) }
        if let configFile, holdsSecrets {
            let path = SettingsFiles.resolve(configFile, against: workingFolder)
            wanted.append(("the config, which holds secrets,", path, .ownerOnly))
        }
        return wanted.map {
            FileFindings.Entry(role: $0.role, path: $0.path, need: $0.need, status: FileStatus(of: $0.path))
        }
    }

    private var holdsSecrets: Bool { loaded.warnings.contains { $0.message.hasPrefix("is written out") } }

    /// Returns the file that a reference to a secret names.
    private func file(_ reference: String) -> String? {
        guard reference.hasPrefix("file:") else { return nil }
        return SettingsFiles.resolve(String(reference.dropFirst(5)), against: settings.dataFolder)
    }

    /// The number of a queue's rows that are read.
    ///
    /// They include the oldest row except in a large outage, which is noticed anyway.
    private static let rows = 5000

    func queueFindings() async -> [Finding] {
        guard SocketFile(path: admin.socket).isListened else {
            return ServiceFindings.queuesUnknown("no daemon answers this user at \(admin.socket)")
        }
        do {
            return try await DaemonCall.use(admin, clock: environment.clock) { daemon in
                let queued = try await daemon.execute(ListMail(states: ["queued"], limit: Self.rows))
                let bounced = try await daemon.execute(ListMail(states: ["bounced"], limit: Self.rows))
                // An approved operation has another time limit after its deadline.
                let states = ["created", "opened", "pending"]
                let open = try await daemon.execute(ListOperations(states: states, limit: Self.rows))
                let now = environment.now()
                let overdue = open.count { Instant(milliseconds: $0.deadline) + .seconds(60) < now }
                let ages = queued.map { now - Instant(milliseconds: $0.createdAt) }
                return ServiceFindings.mailQueue(ages: ages, bounced: bounced.count)
                    + [ServiceFindings.operations(open: open.count, overdue: overdue)]
            }
        } catch {
            return ServiceFindings.queuesUnknown(ExitError(error)?.message ?? "\(error)")
        }
    }
}
