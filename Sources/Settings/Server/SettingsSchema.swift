// Settings: the config; a row of the schema is the one place that tells a key.
// Owns rows (name, type, default, bounds, comment), loading, checks across keys, and printing.
// Starts nothing: a row writes the configuration type of the module that it is for.
// Survives bad config: all faults at once, each with file, line and key, and the nearest key.
// config/vestibule.yaml and docs/reference/config.md are printed from it.

import HTTPAPI
import Kernel
import Logging
import Operations
import Storage
import TokenReading

/// Every key of the config: its name, the property that it sets, what it takes, and what it means.
///
/// The reader, the overrides, the texts of faults and `config show` are all driven by this table; defaults are the
/// properties' initial values.
enum SettingsSchema {
    static let root = SettingSection<Settings>([
        .value(
            "mode",
            \.mode,
            as: .choice,
            help: "How careful to be: laptop serves old client shapes, production refuses them."
        ),
        .group("listen", \.listen, keys: listen, help: "Where the server listens."),
        .value(
            "publicURL",
            \.publicURL,
            as: .serverURL,
            help:
                "How browsers and apps reach this server; by default http (https with tls) on localhost with the port.",
            example: "https://login.example.com"
        ),
        .value(
            "issuer",
            \.issuer,
            as: .issuer,
            help: "The issuer that tokens name; by default publicURL.",
            example: "https://login.example.com"
        ),
        .optionalGroup("tls", \.tls, keys: tls, blank: TLSSettings(), help: "Serves TLS; read again on SIGHUP."),
        .group("log", \.log, keys: log, help: "What is logged."),
        .group("storage", \.storage, keys: storage, help: "Where rows are kept."),
        clients,
        surfaces,
        .group("oauth", \.oauth, keys: oauth, help: "The authorization server for OAuth and OpenID Connect clients."),
        .group("accounts", \.accounts, keys: accounts, help: "Accounts that people open themselves."),
        .group(
            "passkeys",
            \.passkeys,
            keys: passkeys,
            help:
                "Passkeys: whose, from where, and what they have to show. The variables RP_ID, RPID, RPDISPLAYNAME, ORIGIN and EXPECTED_ORIGIN, by which other servers are configured, set rpID, rpName and origins too."
        ),
        .group("faceLogin", \.faceLogin, keys: faceLogin, help: "How long a face login may take, and who scans."),
        providers,
        upstreams,
        .group("sampleData", \.sampleData, keys: sampleData, help: "A resource to try sign-ins with: GET /api/data."),
        banks,
        .group(
            "wallet",
            \.wallet,
            keys: wallet,
            help: "The wallet: how enrolments at banks end, and what may be paid."
        ),
        .group("limits", \.limits, keys: limits, help: "What a request may cost."),
        .group("mail", \.mail, keys: mail, help: "Where mail goes, and in whose name."),
        .group("secrets", \.secrets, keys: secrets, help: "The keys that sign tokens."),
        .group("retention", \.retention, keys: retention, help: "How long rows are kept."),
        .group("audit", \.audit, keys: audit, help: "The signed checkpoints of the audit."),
        .group("metrics", \.metrics, keys: metrics, help: "What Prometheus reads, on a port of its own."),
    ])

    static let listen = SettingSection<ListenSettings>([
        .value("host", \.host, as: .host, help: "The address; anything but loopback needs tls or behindProxy."),
        .value("port", \.port, as: .integer(0...65_535), help: "The TCP port; 0 picks a free one."),
        .value("backlog", \.backlog, as: .integer(1...65_535), help: "Connections that wait to be accepted."),
        .value("maxConnections", \.maxConnections, as: .integer(1...1_000_000), help: "Connections open at one time."),
        .value(
            "maxConnectionsPerAddress",
            \.maxConnectionsPerAddress,
            as: .integer(1...1_000_000),
            help: "Those of one address, or of an IPv6 /64; trusted proxies are free of it, and limits.off is too."
        ),
        .value(
            "idleTimeout",
            \.idleTimeout,
            as: .duration(.seconds(1)...(.seconds(3600))),
            help: "Until a connection is closed that is silent or reads nothing; for bodies as well, at most 15 s."
        ),
        .value(
            "drainNotice",
            \.drainNotice,
            as: .duration(.zero...(.seconds(120))),
            help:
                "How long a stop goes on serving while /readyz says 503, for load balancers; by default 5s in production, 0s else."
        ),
        .value(
            "drainTimeout",
            \.drainTimeout,
            as: .duration(.zero...(.seconds(600))),
            help: "How long a stop then waits for open requests, and for what banks were asked."
        ),
        .value(
            "behindProxy",
            \.behindProxy,
            as: .flag,
            help: "A proxy in front ends TLS, so plain HTTP may leave this host."
        ),
        .list(
            "trustedProxies",
            \.trustedProxies,
            as: .addressBlock,
            help:
                "Proxies that are believed about whom they speak for, in Forwarded or X-Forwarded-For. Each is an address or a block, and has to write one of the two itself, or a client could."
        ),
        .list(
            "corsOrigins",
            \.corsOrigins,
            as: .webOrigin,
            help:
                "Browser apps that may call this server with cookies and read its answers, each by its exact origin, as browsers send it."
        ),
        .value("adminSocket", \.adminSocket, as: .path, help: "The Unix socket of the administration commands."),
    ])

    static let tls = SettingSection<TLSSettings>([
        .value(
            "certificate",
            \.certificate,
            as: .path,
            help: "The certificate chain, PEM.",
            required: true,
            example: "tls/certificate.pem"
        ),
        .value("key", \.key, as: .path, help: "The private key, PEM.", required: true, example: "tls/key.pem"),
    ])

    static let log = SettingSection<LogSettings>([
        .value("level", \.level, as: .choice, help: "The least level that is logged."),
        .value("access", \.access, as: .flag, help: "A line for each request, without its query."),
    ])

    static let storage = SettingSection<SQLiteDatabase.Options>([
        .value("file", \.path, as: .path, help: "The SQLite database."),
        .value(
            "durability",
            \.durability,
            as: .choice,
            help: "full survives a loss of power; normal may lose the latest commits."
        ),
        .value(
            "busyTimeout",
            \.busyTimeout,
            as: .duration(.zero...(.seconds(60))),
            help: "How long to wait for another process's lock."
        ),
    ])

    static let accounts = SettingSection<AccountSettings>([
        .value(
            "requireVerifiedEmail",
            \.requireVerifiedEmail,
            as: .flag,
            help: "Whether an address is the account's only once it was proved; before, no face is enrolled."
        )
    ])

    static let faceLogin = SettingSection<FaceLoginSettings>([
        .value("provider", \.provider, as: .name, help: "Which of providers scans faces.", required: true),
        .list(
            "failover",
            \.failover,
            as: .name,
            help: "Which others scan, in this order, the people enrolled there while it can't be asked."
        ),
        .value(
            "lifetime",
            \.lifetime,
            as: .duration(.seconds(125)...(.seconds(900))),
            help: "From the start of a login to its deadline."
        ),
        .value(
            "approvalWindow",
            \.approvalWindow,
            as: .duration(.seconds(10)...(.seconds(900))),
            help: "From the approval to the first collection."
        ),
        .value(
            "redemptionWindow",
            \.redemptionWindow,
            as: .duration(.seconds(20)...(.seconds(900))),
            help: "From the first collection to the last repeated one."
        ),
        .value(
            "pollInterval",
            \.pollInterval,
            as: .duration(.seconds(1)...(.seconds(30))),
            help: "What clients wait between two polls."
        ),
        .value(
            "landing",
            \.landing,
            as: .choice,
            help:
                "What the landing page does: redirect goes on to the provider by itself, confirm says what is asked for and waits, direct leaves it out (laptop only). A cross-device login always waits."
        ),
        .value(
            "hotCheck",
            \.hotCheck,
            as: .duration(.milliseconds(200)...(.seconds(30))),
            help: "Between two checks at the provider while a client waits."
        ),
        .value(
            "coldCheck",
            \.coldCheck,
            as: .duration(.milliseconds(200)...(.seconds(60))),
            help: "Between two checks at the provider while none does."
        ),
    ])

    static let secrets = SettingSection<KeySettings>([
        .value("keyFolder", \.keyFolder, as: .path, help: "The folder of the signing keys."),
        .value(
            "signingAlgorithm",
            \.signingAlgorithm,
            as: .choice(of: ["es256": .es256, "eddsa": .edDSA, "rs256": .rs256]),
            help: "The algorithm of new signing keys."
        ),
        .value(
            "rotateEvery",
            \.rotateEvery,
            as: .duration(.zero...(.days(3650))),
            help:
                "How long a key signs before the next one does; 0s leaves that to vestibule keys rotate. Not shorter than publishBeforeSigning."
        ),
        .value(
            "publishBeforeSigning",
            \.publishBeforeSigning,
            as: .duration(.seconds(600)...(.days(90))),
            help: "How long the next key is published before it signs: longer than verifiers keep a key set."
        ),
        .value(
            "sealingKey",
            \.sealingKey,
            as: SettingRule<Secret>.secret.optional,
            help:
                "Seals keyFolder, and rows that have to be read again, like queued mail; without it the folder is not sealed, and a key of it seals the rows.",
            example: "env:SEALING_KEY"
        ),
        .secrets(
            "earlierSealingKeys",
            \.earlierSealingKeys,
            help: "What sealed earlier: they only open.",
            example: "[env:OLD_SEALING_KEY]"
        ),
    ])

    static let retention = SettingSection<RetentionSettings>([
        .value(
            "operations",
            \.operations,
            as: .duration(.days(1)...(.days(3650))),
            help: "How long finished operations are kept: a day at least."
        ),
        .value(
            "sessions",
            \.sessions,
            as: .duration(.seconds(3600)...(.days(3650))),
            help: "How long sessions, refresh tokens and device links are kept that expired or were revoked."
        ),
        .value(
            "audit",
            \.audit,
            as: .duration(.seconds(3600)...(.days(36_500))),
            help: "How long rows of the audit are kept; they go up to a checkpoint. Not shorter than operations."
        ),
        .value(
            "mail",
            \.mail,
            as: .duration(.seconds(3600)...(.days(3650))),
            help: "How long mail is listed that bounced."
        ),
        .value(
            "sweepInterval",
            \.sweepInterval,
            as: .duration(.milliseconds(100)...(.seconds(3600))),
            help: "Between two sweeps."
        ),
        .value("batch", \.batch, as: .integer(1...10_000), help: "Rows that one unit of work deletes."),
    ])

    static let audit = SettingSection<AuditSettings>([
        .value(
            "checkpoints",
            \.checkpoints,
            as: .path,
            help: "The file that checkpoints are appended to; copy it elsewhere."
        ),
        .value(
            "checkpointInterval",
            \.checkpointInterval,
            as: .duration(.seconds(1)...(.days(1))),
            help: "Between two checkpoints, if there are new rows."
        ),
    ])

    static let metrics = SettingSection<MetricsSettings>([
        .value("enabled", \.enabled, as: .flag, help: "Whether anything is measured, and /metrics is served."),
        .value("host", \.host, as: .host, help: "The address; plain HTTP without a login, so keep it to loopback."),
        .value("port", \.port, as: .integer(0...65_535), help: "The TCP port; 0 picks a free one."),
    ])
}
