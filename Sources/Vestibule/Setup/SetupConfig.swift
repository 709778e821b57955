import Settings

/// Writes the config of a new installation: the necessary keys, each with a comment.
enum SetupConfig {
    /// The files of the secrets that the config refers to; `nil`: there is no such secret.
    struct SecretFiles {
        var sealingKey: String
        var databasePassword: String?
        var mailPassword: String?
        var keyID: String?
        var keyValue: String?
    }

    static func text(_ answers: SetupAnswers, _ secrets: SecretFiles) -> String {
        let parts = [
            head(answers), transport(answers), database(answers.database, secrets), mail(answers.mail, secrets),
            keys(secrets), clients,
            provider(answers.provider, secrets),
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private static func head(_ answers: SetupAnswers) -> [String] {
        [
            "# Vestibule in front of real people, as `vestibule init` wrote it. All other keys have their defaults:",
            "# docs/reference/config.md lists them, and vestibule.production.yaml explains those of this mode. After a",
            "# change run `vestibule config check`.", "mode: production", "",
            "# The address that browsers and apps see. Tokens name it as their issuer.",
            "publicURL: \(scalar(answers.publicURL))",
        ]
    }

    private static func transport(_ answers: SetupAnswers) -> [String] {
        switch answers.transport {
        case .proxies(let addresses):
            let isHere = addresses.allSatisfy { Loopback.contains(host: $0) }
            return [
                "# The proxy ends TLS, and is trusted to name its clients. It must set X-Forwarded-For itself.",
                "listen:", "  host: \(isHere ? "127.0.0.1" : "0.0.0.0")", "  port: \(answers.port)",
                "  behindProxy: true", "  trustedProxies: [\(addresses.map(scalar).joined(separator: ", "))]",
            ]
        case .certificate(let file, let key):
            return [
                "listen:", "  host: 0.0.0.0", "  port: \(answers.port)", "",
                "# Send SIGHUP after a renewal, so that both are read again.", "tls:", "  certificate: \(scalar(file))",
                "  key: \(scalar(key))",
            ]
        }
    }

    private static func database(_ database: SetupAnswers.Database?, _ secrets: SecretFiles) -> [String] {
        guard let database else { return [] }
        return [
            "# `vestibule migrate` makes and changes the tables. docs/guide/postgresql.md has the backup.", "storage:",
            "  postgres:", "    url: \(scalar(database.url))",
        ] + (secrets.databasePassword.map { ["    password: \(scalar("file:" + $0))"] } ?? [])
    }

    private static func mail(_ mail: SetupAnswers.Mail?, _ secrets: SecretFiles) -> [String] {
        guard let mail else {
            return [
                "# Without mail.smtp mail is only written to outbox/ of the data folder: add a server before people need",
                "# sign-in codes.",
            ]
        }
        let credentials = [
            mail.user.map { "    username: \(scalar($0))" },
            secrets.mailPassword.map { "    password: \(scalar("file:" + $0))" },
        ]
        return [
            "# This server sends sign-in codes and notices. `vestibule mail test ADDRESS` tests it.", "mail:",
            "  from: \(scalar(mail.from))", "  smtp:", "    host: \(scalar(mail.server))",
        ] + credentials.compactMap(\.self)
    }

    private static func keys(_ secrets: SecretFiles) -> [String] {
        [
            "# Encrypts the key folder and rows. Keep a copy of it, apart from backups of the data folder: without it they are",
            "# lost.", "secrets:", "  sealingKey: \(scalar("file:" + secrets.sealingKey))",
        ]
    }

    private static let clients = [
        "# Your apps. A login begins with a code challenge, and only a device that signed in before starts a real one.",
        "clients:", "  app:", "    name: App",
    ]

    private static func provider(_ provider: SetupAnswers.Provider, _ secrets: SecretFiles) -> [String] {
        let login = [
            "# The page before the scan shows what the sign-in is for, and asks.", "faceLogin:",
            "  provider: \(scalar(provider.name))", "  landing: confirm", "", "providers:",
        ]
        switch provider {
        case .authID:
            return login + [
                "  authid:", "    kind: authid", "    baseURL: https://id.authid.ai",
                "    keyID: \(scalar("file:" + (secrets.keyID ?? "")))",
                "    keyValue: \(scalar("file:" + (secrets.keyValue ?? "")))",
            ]
        case .file(let name, let path): return login + ["  \(scalar(name)): \(scalar(path))"]
        }
    }

    private static func scalar(_ text: String) -> String { YAMLText.scalar(text) }
}
