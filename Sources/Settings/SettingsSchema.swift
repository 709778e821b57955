// Settings: the config; a row of the schema is the one place that tells a key, and config/vestibule.yaml is printed from it.
// Owns rows (name, type, default, bounds, comment), loading, checks across keys, and printing.
// The section `mail` is Sections/MailSection.swift, its checks Checks/MailChecks.swift; a map's own sections have its folder.
// Starts nothing: a row writes the configuration type of the module that it is for.
// Survives bad config: all faults at once, each with file, line and key, and the nearest key.

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
}
