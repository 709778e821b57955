// Settings: the config. Only a row of the schema defines a key, and config/vestibule.yaml is printed from it.
// Owns rows (name, type, default, bounds, comment), loading, checks across keys, and printing.
// Section `mail`: Sections/MailSection.swift. Its checks: Checks/MailChecks.swift. A map's sections have its folder.
// Starts nothing: a row writes the configuration type of the module that it is for.
// Survives bad config: all faults at once, each with file, line and key, and the nearest key.

import HTTPAPI

/// Every key of the config: its name, the property that it sets, its form and its meaning.
///
/// The reader, the overrides, the error messages and `config show` are all driven by this table. Defaults are the
/// properties' initial values.
enum SettingsSchema {
    static let root = SettingSection<Settings>([
        .value(
            "mode",
            \.mode,
            as: .choice,
            help: "The strictness: laptop serves old client shapes, production refuses them."
        ),
        .group(
            "listen",
            \.listen,
            keys: listen,
            help: "The addresses that the server listens at, and its connections."
        ),
        .value(
            "publicURL",
            \.publicURL,
            as: .serverURL,
            help:
                "The address where browsers and apps reach this server. By default http (https with tls) on localhost with the port.",
            example: "https://login.example.com"
        ),
        .value(
            "issuer",
            \.issuer,
            as: .issuer,
            help: "The issuer that tokens name, by default publicURL.",
            example: "https://login.example.com"
        ),
        .optionalGroup(
            "tls",
            \.tls,
            keys: tls,
            blank: TLSSettings(),
            help: "The files for TLS. They are read again on SIGHUP."
        ),
        .group("log", \.log, keys: log, help: "The log."),
        .group("storage", \.storage, keys: storage, help: "The database."),
        clients,
        surfaces,
        .group("oauth", \.oauth, keys: oauth, help: "The authorization server for OAuth and OpenID Connect clients."),
        .group("accounts", \.accounts, keys: accounts, help: "Accounts that people open themselves."),
        .group(
            "passkeys",
            \.passkeys,
            keys: passkeys,
            help:
                "Passkeys: their domain, their origins and the proof that they need. The variables RP_ID, RPID, RPDISPLAYNAME, ORIGIN and EXPECTED_ORIGIN, known from other servers, set rpID, rpName and origins too."
        ),
        .group(
            "faceLogin",
            \.faceLogin,
            keys: faceLogin,
            help: "The duration of a face login, and the providers that scan."
        ),
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
        .group(
            "limits",
            \.limits,
            keys: limits,
            help: "The limits of a request, for all daemons of a database together. Each has its own passwordsAtOnce."
        ),
        .group("mail", \.mail, keys: mail, help: "The mail server, and the sender of mail."),
        .group("secrets", \.secrets, keys: secrets, help: "The keys that sign tokens."),
        .group("retention", \.retention, keys: retention, help: "The retention of rows."),
        .group("audit", \.audit, keys: audit, help: "The signed checkpoints of the audit."),
        .group("metrics", \.metrics, keys: metrics, help: "The metrics for Prometheus, on their own port."),
        .optionalGroup(
            "securityTxt",
            \.securityText,
            keys: securityText,
            blank: SecurityText(),
            help: "Where to report a weakness of this server: /.well-known/security.txt (RFC 9116)."
        ),
        .group("theme", \.theme, keys: theme, help: "The owner's brand, on every page and in every mail."),
        .value(
            "texts",
            \.texts,
            as: SettingRule<TextsFolder>.texts.optional,
            help:
                "The folder of files like en.json, with texts that replace built-in ones or add a language. Read again on SIGHUP.",
            example: "texts"
        ),
    ])
}
