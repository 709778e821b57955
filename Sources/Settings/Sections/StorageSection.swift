import Kernel
import Storage

extension SettingsSchema {
    static let storage = SettingSection<StorageOptions>([
        .value("file", \.sqlite.path, as: .path, help: "The SQLite database."),
        .value(
            "durability",
            \.sqlite.durability,
            as: .choice,
            help: "The durability of commits: full survives a loss of power, normal may lose the latest commits."
        ),
        .value(
            "busyTimeout",
            \.sqlite.busyTimeout,
            as: .duration(.zero...(.seconds(60))),
            help: "How long to wait for another process's lock."
        ),
        .optionalGroup(
            "postgres",
            \.postgres,
            keys: postgres,
            blank: PostgresOptions(url: Secret("")),
            help: "A PostgreSQL database (14 or later), which is used instead of the SQLite file."
        ),
    ])

    static let postgres = SettingSection<PostgresOptions>([
        .value(
            "url",
            \.url,
            as: .postgresURL,
            help:
                "The connection string, without a password. With hosts of other machines sslmode is verify-full, and sslrootcert names the certificates that are trusted.",
            required: true,
            example: "postgres://vestibule@db.example.com/vestibule?sslrootcert=/etc/ssl/certs/ca-certificates.crt"
        ),
        .value(
            "password",
            \.password,
            as: SettingRule<Secret>.secret.optional,
            help: "The password of the URL's role, by default none.",
            example: "env:POSTGRES_PASSWORD"
        ),
        .value(
            "poolSize",
            \.poolSize,
            as: .integer(1...200),
            help: "Connections to it, each of which runs one unit of work at a time."
        ),
        .value(
            "deadline",
            \.deadline,
            as: .duration(.milliseconds(100)...(.seconds(60))),
            help: "How long connecting may take, and each statement."
        ),
        .value(
            "notices",
            \.notices,
            as: .choice,
            help:
                "How daemons tell each other of changes, the same way in all: listen is LISTEN and NOTIFY. poll asks a table six times a second, for servers without LISTEN."
        ),
    ])
}
