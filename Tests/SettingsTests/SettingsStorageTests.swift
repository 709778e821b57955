import Kernel
import SettingsFixture
import Storage
import Testing

@testable import Settings

struct SettingsStorageTests {
    private static let local = "postgres:///vestibule?host=/run/postgresql"
    private static let remote = "postgres://vestibule@db.example.com/vestibule"

    private func storage(_ lines: String, mode: String = "laptop") -> SettingsFixture {
        var fixture = SettingsFixture.minimal("mode: \(mode)\nstorage:\n  \(lines)\n")
        fixture.environment["POSTGRES"] = "open sesame"
        fixture.files["/etc/ca.pem"] = ("-----BEGIN CERTIFICATE-----\n", 0o644)
        return fixture
    }

    @Test func `without a word about it the rows are in a SQLite file of the data folder`() throws {
        let storage = try SettingsFixture.minimal().load().settings.storage
        #expect(storage.postgres == nil)
        #expect(storage.file == "/data/vestibule.sqlite")
        #expect(storage.name == "/data/vestibule.sqlite")
    }

    @Test func `a PostgreSQL database is read with its password, its connections and its deadline`() throws {
        let url = Self.remote + "?sslrootcert=/etc/ca.pem"
        let storage = try storage("postgres: {url: '\(url)', password: env:POSTGRES, poolSize: 4, deadline: 2s}").load()
            .settings.storage
        #expect(
            storage.postgres
                == PostgresOptions(
                    url: Secret(url),
                    password: Secret("open sesame"),
                    poolSize: 4,
                    deadline: .seconds(2)
                )
        )
        #expect(storage.file == nil)
        #expect(storage.name == "vestibule at db.example.com:5432")
    }

    @Test func `a PostgreSQL database has sixteen connections and a deadline of five seconds by itself`() throws {
        let postgres = try storage("postgres: {url: '\(Self.local)'}").load().settings.storage.postgres
        #expect(postgres == PostgresOptions(url: Secret(Self.local), poolSize: 16, deadline: .seconds(5)))
    }

    @Test func `daemons tell each other by notifications, or by a table, and have to agree about it`() throws {
        let words = ["", ", notices: listen", ", notices: poll"]
        let settings = try words.map { try storage("postgres: {url: '\(Self.local)'\($0)}").load().settings }
        #expect(settings.map(\.storage.postgres?.notices) == [.listen, .listen, .poll])
        #expect(settings[0].agreement == settings[1].agreement)
        #expect(settings[1].agreement != settings[2].agreement)
        let other = try storage("postgres: {url: '\(Self.local)', poolSize: 5}").load().settings
        #expect(other.agreement == settings[0].agreement)
        let faults = storage("postgres: {url: '\(Self.local)', notices: 'on'}").faults()
        #expect(faults.count == 1 && faults[0].contains("storage.postgres.notices"), "\(faults)")
    }

    @Test func `all errors of a PostgreSQL database are reported at once, each with its line`() {
        let fixture = storage("postgres: {password: env:NONE, poolSize: 0, deadline: 1h}\n  file: other.sqlite")
        #expect(
            fixture.faults().map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "config/vestibule.yaml:5: storage.postgres.deadline:",
                "config/vestibule.yaml:5: storage.postgres.password:",
                "config/vestibule.yaml:5: storage.postgres.poolSize:",
                "config/vestibule.yaml:5: storage.postgres.url:", "config/vestibule.yaml:6: storage.file:",
            ]
        )
    }

    // T-219
    @Test(arguments: [
        "postgres://vestibule:open-sesame@db.example.com/vestibule",
        "postgres://vestibule@db.example.com/vestibule?password=open-sesame",
        "postgres://vestibule@db.example.com/vestibule?sslpassword=open-sesame",
        "postgres://vestibule:open-sesame/Xy@db/x", "postgres://vestibule:open-sesame?Xy@db.example.com/vestibule",
    ])
    func `attack: a password in the URL is refused, and no message repeats it`(_ url: String) {
        let faults = storage("postgres: {url: '\(url)'}").faults()
        #expect(faults.count == 1)
        #expect(faults.allSatisfy { $0.contains("storage.postgres.password") && !$0.contains("open-sesame") })
    }

    @Test func `a password in plain text is refused in production`() {
        let faults = storage("postgres: {url: '\(Self.local)', password: open sesame}", mode: "production").faults()
        #expect(faults.contains { $0.contains("storage.postgres.password: is a secret in plain text") })
        #expect(!faults.contains { $0.contains("open sesame") })
    }

    // T-268
    @Test(arguments: [
        ("?sslmode=disable", false), ("?sslmode=prefer", false), ("?sslmode=require", false),
        ("?sslmode=verify-ca&sslrootcert=/etc/ca.pem", false), ("?sslmode=verify-full&sslrootcert=/etc/ca.pem", true),
        ("?sslrootcert=/etc/ca.pem", true),
    ])
    func `attack: production sends nothing to a server that did not prove its name`(_ query: String, _ isTaken: Bool) {
        let faults = storage("postgres: {url: '\(Self.remote + query)'}", mode: "production").faults()
        #expect(faults.contains { $0.contains("production takes only sslmode=verify-full") } == !isTaken, "\(faults)")
    }

    @Test(arguments: ["postgres:///vestibule?host=/run/postgresql", "postgres:///vestibule?host=/run/a,/run/b"])
    func `production takes a Unix socket without a certificate`(_ url: String) {
        let faults = storage("postgres: {url: '\(url)'}", mode: "production").faults()
        #expect(!faults.contains { $0.contains("storage.") }, "\(faults)")
    }

    @Test(arguments: [
        "postgres://vestibule@127.0.0.1/vestibule?sslmode=disable", local + ",db.example.com&sslmode=require",
    ])
    func `production takes no server over a network interface without its certificate, not even this machine's`(
        _ url: String
    ) {
        let faults = storage("postgres: {url: '\(url)'}", mode: "production").faults()
        #expect(faults.contains { $0.contains("storage.postgres.url: production takes only") }, "\(faults)")
    }

    @Test func `a laptop is warned about a server elsewhere that proves nothing, and not about its own`() throws {
        let elsewhere = try storage("postgres: {url: '\(Self.remote)?sslmode=require'}").load().warnings
        #expect(elsewhere.contains { $0.key == "storage.postgres.url" })
        let here = try storage("postgres: {url: 'postgres://vestibule@localhost/vestibule'}").load().warnings
        #expect(!here.contains { $0.key == "storage.postgres.url" })
    }

    @Test(arguments: ["sslcert", "sslcrl", "sslkey"])
    func `a file of the client's certificate that is not there is named`(_ parameter: String) {
        #expect(
            storage("postgres: {url: '\(Self.remote)?sslrootcert=/etc/ca.pem&\(parameter)=/etc/none.pem'}").faults()
                == [
                    "config/vestibule.yaml:5: storage.postgres.url: names \(parameter), but the file /etc/none.pem does not exist"
                ]
        )
    }

    @Test func `certificates that are not there are named`() {
        #expect(
            storage("postgres: {url: '\(Self.remote)?sslrootcert=/etc/none.pem'}").faults() == [
                "config/vestibule.yaml:5: storage.postgres.url: names sslrootcert, but the file /etc/none.pem does not exist"
            ]
        )
    }

    @Test func `checkpoints go to standard output only where the database keeps them too`() throws {
        let path = try SettingsFixture.minimal("audit: {checkpoints: ./stdout}\n").load().settings.audit
        #expect(path.checkpoints == "/data/stdout" && path.output == nil)
        let shared = try storage("postgres: {url: '\(Self.local)'}\naudit: {checkpoints: stdout}").load().settings.audit
        #expect(shared.output == .standardOutput)
        // The name that commands use for themselves is a file's in a config.
        let other = try storage("postgres: {url: '\(Self.local)'}\naudit: {checkpoints: stderr}").load().settings.audit
        #expect(other.output == nil)
        let faults = SettingsFixture.minimal("audit: {checkpoints: stdout}\n").faults()
        #expect(faults.count == 1 && faults[0].contains("audit.checkpoints: takes stdout only with storage.postgres"))
    }

    @Test func `a SQLite file and a PostgreSQL database in one config are a fault at each key of the file`() {
        let fixture = storage("postgres: {url: '\(Self.local)'}\n  file: a.sqlite\n  durability: full")
        let rest =
            "is for SQLite, and storage.postgres.url names a PostgreSQL database (config/vestibule.yaml:5). "
            + "Remove one of them"
        #expect(
            fixture.faults() == [
                "config/vestibule.yaml:6: storage.file: \(rest)",
                "config/vestibule.yaml:7: storage.durability: \(rest)",
            ]
        )
    }

    @Test func `a PostgreSQL database that the environment names is used over the config's file, with a warning`()
        throws
    {
        var fixture = storage("file: a.sqlite")
        fixture.environment["VESTIBULE_STORAGE__POSTGRES__URL"] = Self.local
        let loaded = try fixture.load()
        #expect(loaded.settings.storage.file == nil)
        let warning = loaded.warnings.first { $0.key == "storage.postgres.url" }
        #expect(warning?.message == "is used instead of the file /data/a.sqlite")
        #expect(fixture.setting("storage.file=b.sqlite").faults().count == 1)
    }

    @Test func `the settings are shown without the password`() throws {
        let loaded = try storage("postgres: {url: '\(Self.remote)?sslrootcert=/etc/ca.pem', password: env:POSTGRES}")
            .load()
        let text = ConfigPrinter(loaded: loaded, explains: false).yaml()
        #expect(text.contains("env:POSTGRES"))
        #expect(!text.contains("open sesame"))
    }
}
