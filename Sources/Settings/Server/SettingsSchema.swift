// Settings: the config; a row of the schema is the one place that tells a key.
// Owns rows (name, type, default, bounds, comment), loading, checks across keys, and printing.
// Starts nothing: a row writes the configuration type of the module that it is for.
// Survives bad config: all faults at once, each with file, line and key, and the nearest key.
// config/vestibule.yaml and docs/config.md are printed from it.

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
        .value("mode", \.mode, .choice, "How careful to be: laptop serves old client shapes, production refuses them."),
        .group("listen", \.listen, listen, "Where the server listens."),
        .value(
            "publicURL",
            \.publicURL,
            .serverURL,
            "How browsers and apps reach this server; by default http (https with tls) on localhost with the port.",
            example: "https://login.example.com"
        ),
        .value(
            "issuer",
            \.issuer,
            .issuer,
            "The issuer that tokens name; by default publicURL.",
            example: "https://login.example.com"
        ),
        .optionalGroup("tls", \.tls, tls, blank: TLSSettings(), "Serves TLS; read again on SIGHUP."),
        .group("log", \.log, log, "What is logged."),
        .group("storage", \.storage, storage, "Where rows are kept."),
        clients,
        surfaces,
        .group("oauth", \.oauth, oauth, "The authorization server for OAuth and OpenID Connect clients."),
        .group("accounts", \.accounts, accounts, "Accounts that people open themselves."),
        .group(
            "passkeys",
            \.passkeys,
            passkeys,
            "Passkeys: whose, from where, and what they have to show. The variables RP_ID, RPID, RPDISPLAYNAME, ORIGIN and EXPECTED_ORIGIN, by which other servers are configured, set rpID, rpName and origins too."
        ),
        .group("faceLogin", \.faceLogin, faceLogin, "How long a face login may take, and who scans."),
        providers,
        upstreams,
        .group("sampleData", \.sampleData, sampleData, "A resource to try sign-ins with: GET /api/data."),
        banks,
        .group("wallet", \.wallet, wallet, "The wallet: how enrolments at banks end, and what may be paid."),
        .group("limits", \.limits, limits, "What a request may cost."),
        .group("mail", \.mail, mail, "Where mail goes, and in whose name."),
        .group("secrets", \.secrets, secrets, "The keys that sign tokens."),
        .group("retention", \.retention, retention, "How long rows are kept."),
        .group("audit", \.audit, audit, "The signed checkpoints of the audit."),
        .group("metrics", \.metrics, metrics, "What Prometheus reads, on a port of its own."),
    ])

    static let listen = SettingSection<ListenSettings>([
        .value("host", \.host, .host, "The address; anything but loopback needs tls or behindProxy."),
        .value("port", \.port, .integer(0...65_535), "The TCP port; 0 picks a free one."),
        .value("backlog", \.backlog, .integer(1...65_535), "Connections that wait to be accepted."),
        .value("maxConnections", \.maxConnections, .integer(1...1_000_000), "Connections open at one time."),
        .value(
            "maxConnectionsPerAddress",
            \.maxConnectionsPerAddress,
            .integer(1...1_000_000),
            "Those of one address, or of an IPv6 /64; trusted proxies are free of it, and limits.off is too."
        ),
        .value(
            "idleTimeout",
            \.idleTimeout,
            .duration(.seconds(1)...(.seconds(3600))),
            "Until a connection is closed that is silent or reads nothing; for bodies as well, at most 15 s."
        ),
        .value(
            "drainNotice",
            \.drainNotice,
            .duration(.zero...(.seconds(120))),
            "How long a stop goes on serving while /readyz says 503, for load balancers; by default 5s in production, 0s else."
        ),
        .value(
            "drainTimeout",
            \.drainTimeout,
            .duration(.zero...(.seconds(600))),
            "How long a stop then waits for open requests, and for what banks were asked."
        ),
        .value("behindProxy", \.behindProxy, .flag, "A proxy in front ends TLS, so plain HTTP may leave this host."),
        .list(
            "trustedProxies",
            \.trustedProxies,
            .addressBlock,
            "Proxies that are believed about whom they speak for, in Forwarded or X-Forwarded-For. Each is an address or a block, and has to write one of the two itself, or a client could."
        ),
        .list(
            "corsOrigins",
            \.corsOrigins,
            .webOrigin,
            "Browser apps that may call this server with cookies and read its answers, each by its exact origin, as browsers send it."
        ),
        .value("adminSocket", \.adminSocket, .path, "The Unix socket of the administration commands."),
    ])

    static let tls = SettingSection<TLSSettings>([
        .value(
            "certificate",
            \.certificate,
            .path,
            "The certificate chain, PEM.",
            required: true,
            example: "tls/certificate.pem"
        ),
        .value("key", \.key, .path, "The private key, PEM.", required: true, example: "tls/key.pem"),
    ])

    static let log = SettingSection<LogSettings>([
        .value("level", \.level, .choice, "The least level that is logged."),
        .value("access", \.access, .flag, "A line for each request, without its query."),
    ])

    static let storage = SettingSection<SQLiteDatabase.Options>([
        .value("file", \.path, .path, "The SQLite database."),
        .value(
            "durability",
            \.durability,
            .choice,
            "full survives a loss of power; normal may lose the latest commits."
        ),
        .value(
            "busyTimeout",
            \.busyTimeout,
            .duration(.zero...(.seconds(60))),
            "How long to wait for another process's lock."
        ),
    ])

    static let accounts = SettingSection<AccountSettings>([
        .value(
            "requireVerifiedEmail",
            \.requireVerifiedEmail,
            .flag,
            "Whether an address is the account's only once it was proved; before, no face is enrolled."
        )
    ])

    static let faceLogin = SettingSection<FaceLoginSettings>([
        .value("provider", \.provider, .name, "Which of providers scans faces.", required: true),
        .list(
            "failover",
            \.failover,
            .name,
            "Which others scan, in this order, the people enrolled there while it can't be asked."
        ),
        .value(
            "lifetime",
            \.lifetime,
            .duration(.seconds(125)...(.seconds(900))),
            "From the start of a login to its deadline."
        ),
        .value(
            "approvalWindow",
            \.approvalWindow,
            .duration(.seconds(10)...(.seconds(900))),
            "From the approval to the first collection."
        ),
        .value(
            "redemptionWindow",
            \.redemptionWindow,
            .duration(.seconds(20)...(.seconds(900))),
            "From the first collection to the last repeated one."
        ),
        .value(
            "pollInterval",
            \.pollInterval,
            .duration(.seconds(1)...(.seconds(30))),
            "What clients wait between two polls."
        ),
        .value(
            "landing",
            \.landing,
            .choice,
            "What the landing page does: redirect goes on to the provider by itself, confirm says what is asked for and waits, direct leaves it out (laptop only). A cross-device login always waits."
        ),
        .value(
            "hotCheck",
            \.hotCheck,
            .duration(.milliseconds(200)...(.seconds(30))),
            "Between two checks at the provider while a client waits."
        ),
        .value(
            "coldCheck",
            \.coldCheck,
            .duration(.milliseconds(200)...(.seconds(60))),
            "Between two checks at the provider while none does."
        ),
    ])

    static let limits = SettingSection<LimitSettings>([
        .value("bodyBytes", \.bodyBytes, .integer(1024...1_048_576), "The largest request body, in bytes."),
        .value("off", \.off, .flag, "Turns the rate limiters off, for benches; laptop mode on loopback only."),
        .group(
            "initiatePerAddress",
            \.rates.initiatePerAddress,
            figures,
            "Starts of logins from one address, or from one network of 64 bits for IPv6. The same holds below."
        ),
        .group(
            "initiatePerAccount",
            \.rates.initiatePerAccount,
            figures,
            "Starts for one e-mail address by devices that are not linked to it; linked ones can always start."
        ),
        .group(
            "pollsPerOperation",
            \.rates.pollsPerOperation,
            figures,
            "Polls of one login by whoever started it; faster ones are told to slow down."
        ),
        .group(
            "strangersPerAddress",
            \.rates.strangersPerAddress,
            figures,
            "Requests from one address about ids that nobody was given, or about logins of others."
        ),
        .group("openingsPerAddress", \.rates.openingsPerAddress, figures, "Face scans asked for from one address."),
        .group(
            "registrationsPerAddress",
            \.rates.registrationsPerAddress,
            figures,
            "Accounts that people open from one address."
        ),
        .group(
            "passkeySignUpsPerAddress",
            \.passkeyRates.signUps,
            figures,
            "Options to make a passkey, of the surface with the cookie, from one address."
        ),
        .group(
            "passkeySignInsPerAddress",
            \.passkeyRates.signIns,
            figures,
            "The same for its other three requests of a ceremony, each for itself."
        ),
        .group(
            "passkeyRequestsPerAddress",
            \.passkeyRates.requests,
            figures,
            "All requests about passkeys of the surface by challengeId, from one address."
        ),
        .group(
            "signInsPerAddress",
            \.rates.signInsPerAddress,
            figures,
            "Sign-ins by a password or a code from one address, right or wrong. What an account itself bears is fixed: after five wrong ones, delays that grow from 30 s to 15 min, apart for each device that is linked to it."
        ),
        .group(
            "ownerViewsPerSession",
            \.rates.ownerViewsPerSession,
            figures,
            "Looks of one session at its account's operations, and words of its that one was somebody else's."
        ),
        .group(
            "proofMailsPerAddress",
            \.rates.proofMailsPerAddress,
            figures,
            "Mails with a link to prove an address that one address asks for."
        ),
        .group(
            "proofMailsPerMailbox",
            \.rates.proofMailsPerMailbox,
            figures,
            "The same mails to one mailbox, whoever asks and for however many accounts."
        ),
        .group(
            "backchannelPerClient",
            \.rates.backchannelPerClient,
            figures,
            "Requests of one client at /oauth/bc-authorize, whomever they are for."
        ),
        .value(
            "passwordsAtOnce",
            \.passwordsAtOnce,
            .integer(1...64),
            "Passwords that are hashed at one time; each takes a core for a tenth of a second, and 16 MiB."
        ),
        .value(
            "quietPeriod",
            \.rates.quietPeriod,
            .duration(.seconds(60)...(.days(30))),
            "How long an address gets decoys for an account whose owner said \"This wasn't me\" to it."
        ),
    ])

    static let figures = SettingSection<RateLimit>([
        .value("burst", \.burst, .integer(1...1_000_000), "At once."),
        .value("rate", \.period, .rate, "In the long run: a number per s, m or h."),
    ])

    static let secrets = SettingSection<KeySettings>([
        .value("keyFolder", \.keyFolder, .path, "The folder of the signing keys."),
        .value(
            "signingAlgorithm",
            \.signingAlgorithm,
            .choice(of: ["es256": .es256, "eddsa": .edDSA, "rs256": .rs256]),
            "The algorithm of new signing keys."
        ),
        .value(
            "rotateEvery",
            \.rotateEvery,
            .duration(.zero...(.days(3650))),
            "How long a key signs before the next one does; 0s leaves that to vestibule keys rotate. Not shorter than publishBeforeSigning."
        ),
        .value(
            "publishBeforeSigning",
            \.publishBeforeSigning,
            .duration(.seconds(600)...(.days(90))),
            "How long the next key is published before it signs: longer than verifiers keep a key set."
        ),
        .value(
            "sealingKey",
            \.sealingKey,
            SettingRule<Secret>.secret.optional,
            "Seals keyFolder, and rows that have to be read again, like queued mail; without it the folder is not sealed, and a key of it seals the rows.",
            example: "env:SEALING_KEY"
        ),
        .secrets(
            "earlierSealingKeys",
            \.earlierSealingKeys,
            "What sealed earlier: they only open.",
            example: "[env:OLD_SEALING_KEY]"
        ),
    ])

    static let retention = SettingSection<RetentionSettings>([
        .value(
            "operations",
            \.operations,
            .duration(.days(1)...(.days(3650))),
            "How long finished operations are kept: a day at least."
        ),
        .value(
            "sessions",
            \.sessions,
            .duration(.seconds(3600)...(.days(3650))),
            "How long sessions, refresh tokens and device links are kept that expired or were revoked."
        ),
        .value(
            "audit",
            \.audit,
            .duration(.seconds(3600)...(.days(36_500))),
            "How long rows of the audit are kept; they go up to a checkpoint. Not shorter than operations."
        ),
        .value("mail", \.mail, .duration(.seconds(3600)...(.days(3650))), "How long mail is listed that bounced."),
        .value(
            "sweepInterval",
            \.sweepInterval,
            .duration(.milliseconds(100)...(.seconds(3600))),
            "Between two sweeps."
        ),
        .value("batch", \.batch, .integer(1...10_000), "Rows that one unit of work deletes."),
    ])

    static let audit = SettingSection<AuditSettings>([
        .value("checkpoints", \.checkpoints, .path, "The file that checkpoints are appended to; copy it elsewhere."),
        .value(
            "checkpointInterval",
            \.checkpointInterval,
            .duration(.seconds(1)...(.days(1))),
            "Between two checkpoints, if there are new rows."
        ),
    ])

    static let metrics = SettingSection<MetricsSettings>([
        .value("enabled", \.enabled, .flag, "Whether anything is measured, and /metrics is served."),
        .value("host", \.host, .host, "The address; plain HTTP without a login, so keep it to loopback."),
        .value("port", \.port, .integer(0...65_535), "The TCP port; 0 picks a free one."),
    ])
}
