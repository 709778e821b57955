import Storage

extension SettingsSchema {
    static let storage = SettingSection<SQLiteDatabase.Options>([
        .value("file", \.path, as: .path, help: "The SQLite database."),
        .value(
            "durability",
            \.durability,
            as: .choice,
            help: "The durability of commits: full survives a loss of power, normal may lose the latest commits."
        ),
        .value(
            "busyTimeout",
            \.busyTimeout,
            as: .duration(.zero...(.seconds(60))),
            help: "How long to wait for another process's lock."
        ),
    ])
}
