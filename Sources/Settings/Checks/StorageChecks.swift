import Storage

/// Checks that the keys of `storage` fit together.
extension SettingsChecks {
    static func storage(_ settings: Settings, in reading: inout SettingsReading) {
        guard let postgres = settings.storage.postgres else {
            if settings.audit.output != nil {
                reading.fault(
                    "audit.checkpoints",
                    "takes stdout only with storage.postgres, where the database keeps them. Name a file"
                )
            }
            return
        }
        oneDatabase(settings, in: &reading)
        // A faulty URL was reported when it was read, and is empty here.
        guard let address = try? postgres.address else { return }
        for file in address.files {
            do throws(SettingError) { _ = try reading.context.files.text(of: file.path) } catch {
                reading.fault(urlKey, "names \(file.parameter), but \(error.message)")
            }
        }
        guard !address.isProtected else { return }
        switch settings.mode {
        case .production:
            reading.fault(
                urlKey,
                "production takes only sslmode=verify-full, unless the host is the folder of a Unix socket. Otherwise "
                    + "another server can be taken for this one"
            )
        case .laptop:
            guard !address.hosts.allSatisfy({ $0.isSocket || Loopback.contains(host: $0.name) }) else { return }
            reading.warn(urlKey, "without sslmode=verify-full another server can be taken for this one")
        }
    }

    private static let urlKey = "storage.postgres.url"

    /// A key of the SQLite file beside a PostgreSQL database is a fault, unless the database was named from outside the
    /// files, over what is written there.
    private static func oneDatabase(_ settings: Settings, in reading: inout SettingsReading) {
        // The group may have no URL, which is a fault of its own.
        let chosen = reading.origin(of: urlKey)
        let choice = reading.origins[urlKey] == nil ? "storage.postgres" : urlKey
        let written = ["file", "durability", "busyTimeout"].filter { reading.origins["storage.\($0)"] != nil }
        for key in written where !chosen.isOverride || reading.origins["storage.\(key)"]?.isOverride == true {
            reading.fault(
                "storage.\(key)",
                "is for SQLite, and \(choice) names a PostgreSQL database (\(chosen.text)). Remove one of them"
            )
        }
        guard chosen.isOverride, written.contains("file") else { return }
        reading.warn(urlKey, "is used instead of the file \(settings.storage.sqlite.path)")
    }
}
