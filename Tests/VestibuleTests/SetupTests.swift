import ArgumentParser
import Foundation
import Glibc
import Kernel
import Outbound
import Settings
import SettingsFixture
import Storage
import Testing

@testable import Vestibule

/// What `vestibule init` asks, and what it writes.
struct SetupTests {
    private static let required = [
        "--public-url", "https://login.example.com", "--mail-server", "smtp.example.com", "--mail-from",
        "Example <no-reply@example.com>", "--provider-id-file", "/given/id", "--provider-key-file", "/given/key",
    ]
    private static let key = Secret("0123456789abcdef0123456789abcdef0123456789ab")

    /// A disk with the files that the options name.
    private static let disk = SettingsFiles { path in
        switch path {
        case "/given/id", "/given/key", "/given/password": .text("a-secret\n", permissions: 0o600)
        case "/given/open": .text("a-secret\n", permissions: 0o644)
        case "/given/veriff.yaml":
            .text(
                "kind: authid\nbaseURL: https://a.example\nkeyID: file:/given/id\nkeyValue: file:/given/key\n",
                permissions: 0o644
            )
        default: .missing
        }
    }

    private static func plan(_ words: [String]) throws -> SetupPlan {
        SetupPlan(try SetupOptions.parse(words).answers(workingFolder: "/srv/vestibule-test"), sealingKey: key)
    }

    private static func check(_ plan: SetupPlan) throws(SettingsErrors) -> LoadedSettings {
        try plan.check(environment: [:], workingFolder: "/srv/vestibule-test", disk: disk)
    }

    @Test(arguments: [
        required, required + ["--proxy", "10.0.0.7", "--proxy", "2001:db8::7", "--port", "9000"],
        required + ["--mail-user", "vestibule", "--mail-password-file", "/given/password"],
        ["--public-url", "https://login.example.com", "--no-mail", "--provider", "/given/veriff.yaml"],
        required + ["--database-url", "postgres:///vestibule?host=/run/postgresql"],
    ])
    func `the config that is written holds in production`(_ words: [String]) throws {
        let plan = try Self.plan(words)
        let loaded = try Self.check(plan)
        #expect(loaded.settings.mode == .production && loaded.settings.publicURL == "https://login.example.com")
        #expect(loaded.settings.secrets.sealingKey == Self.key)
        #expect(loaded.settings.dataFolder == "/var/lib/vestibule")
        #expect((loaded.settings.mail.smtp == nil) == words.contains("--no-mail"))
        #expect(loaded.warnings.allSatisfy { $0.key == "mail" }, "\(loaded.warnings)")
        let text = try #require(plan.files.last?.text)
        #expect(text.split(separator: "\n").count < 60 && text.split(separator: "\n").allSatisfy { $0.count <= 120 })
        #expect(!text.contains(Self.key.expose()) && !text.contains("a-secret"))
    }

    @Test func `a proxy elsewhere is listened to, and trusted`() throws {
        let settings = try Self.check(try Self.plan(Self.required + ["--proxy", "10.0.0.7", "--port", "9000"])).settings
        #expect(settings.listen.host == "0.0.0.0" && settings.listen.port == 9000)
        #expect(settings.listen.trustedProxies == ["10.0.0.7"])
        let own = try Self.check(try Self.plan(Self.required)).settings
        #expect(own.listen.host == "127.0.0.1" && own.listen.trustedProxies == ["127.0.0.1", "::1"])
    }

    @Test(arguments: [
        ["--public-url", "http://login.example.com"], ["--provider-key-file", "/given/open"],
        ["--provider-key-file", "/given/none"], ["--mail-from", "nobody"],
        ["--mail-from", "a@example.com\nmode: laptop"],
    ])
    func `answers that production refuses are refused before anything is written`(_ words: [String]) throws {
        let changed = Self.required.enumerated().map { index, word in
            index > 0 && Self.required[index - 1] == words[0] ? words[1] : word
        }
        let plan = try Self.plan(changed)
        #expect(throws: SettingsErrors.self) { _ = try Self.check(plan) }
    }

    @Test
    func `a PostgreSQL database is written with the file of its password, and is migrated before the first start`()
        throws
    {
        let url = "postgres://vestibule@db.example.com/vestibule"
        let words = ["--database-url", url, "--database-password-file", "/given/password"]
        let plan = try Self.plan(Self.required + words)
        let postgres = try Self.check(plan).settings.storage.postgres
        #expect(postgres == PostgresOptions(url: Secret(url), password: Secret("a-secret")))
        #expect(plan.nextCommands.first?.hasPrefix("vestibule migrate ") == true)
        #expect(try Self.plan(Self.required).nextCommands.first?.hasPrefix("vestibule serve ") == true)
        let unverified = try Self.plan(Self.required + ["--database-url", url + "?sslmode=require"])
        #expect(throws: SettingsErrors.self) { _ = try Self.check(unverified) }
    }

    @Test func `without a terminal what is missing is named, all of it`() throws {
        let exit = #expect(throws: ExitError.self) { _ = try Self.plan([]) }
        #expect(exit?.code == 64)
        for option in [
            "--public-url", "--mail-server (or --no-mail)", "--mail-from", "--provider-id-file", "--provider-key-file",
        ] {
            #expect(exit?.message.contains(option) == true)
        }
    }

    @Test func `options that do not go together are refused, and none takes a secret`() {
        for words in [
            ["--tls-key", "k"], ["--tls-key", "k", "--tls-certificate", "c", "--proxy", "10.0.0.7"],
            ["--no-mail", "--mail-server", "a.example"], ["--mail-password-file", "f"], ["--port", "0"],
            ["--provider", "p.yaml", "--provider-key-file", "f"], ["--database-password-file", "f"],
        ] {
            #expect(throws: (any Error).self) { try InitCommand.parse(words) }
        }
        let help = InitCommand.helpMessage()
        #expect(
            !help.contains("--password ") && !help.contains("--mail-password ") && !help.contains("--provider-key ")
        )
    }

    @Test func `a person at a terminal is asked for what was not given, and secrets get files of their own`() throws {
        var lines = ["", "c/v.yaml", "/d", "10.0.0.7", "smtp.example.com", "no-reply@example.com", "vestibule", ""]
        lines[0] = "https://login.example.com"
        var asked: [String] = []
        let terminal = Terminal(
            line: { prompt in
                asked.append(prompt)
                return lines.isEmpty ? nil : lines.removeFirst()
            },
            secret: { prompt in "the answer to " + prompt.filter { $0 != ":" } }
        )
        let answers = try SetupOptions.parse([]).answers(workingFolder: "/srv/vestibule-test", asking: terminal)
        #expect(answers.configFile == "/srv/vestibule-test/c/v.yaml" && answers.dataFolder == "/d" && lines.isEmpty)
        #expect(answers.transport == .proxies(["10.0.0.7"]) && answers.provider.name == "authid")
        #expect(asked.contains("Data folder [/var/lib/vestibule]:"))
        let plan = SetupPlan(answers, sealingKey: Self.key)
        let names = ["sealing-key", "smtp-password", "authid-key-id", "authid-key-value"]
        #expect(
            plan.files.map(\.path) == names.map { "/srv/vestibule-test/c/secrets/\($0)" } + [
                "/srv/vestibule-test/c/v.yaml"
            ]
        )
        #expect(plan.files.map(\.mode) == [0o600, 0o600, 0o600, 0o600, 0o640])
        #expect(
            try Self.check(plan).settings.mail.smtp?.credentials?.password
                == Secret("the answer to Password of vestibule")
        )
    }

    @Test func `a person who leaves ends it`() {
        let gone = Terminal(line: { _ in nil }, secret: { _ in nil })
        let exit = #expect(throws: ExitError.self) {
            _ = try SetupOptions.parse([]).answers(workingFolder: "/srv/vestibule-test", asking: gone)
        }
        #expect(exit?.code == 64)
    }

    @Test func `what is written is closed to others, and nothing of it is overwritten`() throws {
        var template = Array("/tmp/vst-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let root = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: root) }
        let words = Self.required + ["--config", "\(root)/etc/vestibule.yaml", "--data", "\(root)/data"]
        let plan = try Self.plan(words)
        try plan.carryOut()
        let own = geteuid()
        #expect(FileStatus(of: "\(root)/etc") == .found(mode: 0o750, owner: own, group: getegid(), isFolder: true))
        #expect(
            FileStatus(of: "\(root)/etc/vestibule.yaml")
                == .found(mode: 0o640, owner: own, group: getegid(), isFolder: false)
        )
        #expect(
            FileStatus(of: "\(root)/etc/secrets") == .found(mode: 0o700, owner: own, group: getegid(), isFolder: true)
        )
        #expect(
            FileStatus(of: "\(root)/etc/secrets/sealing-key")
                == .found(mode: 0o600, owner: own, group: getegid(), isFolder: false)
        )
        #expect(FileStatus(of: "\(root)/data") == .found(mode: 0o700, owner: own, group: getegid(), isFolder: true))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(root)/etc").sorted() == [
                "secrets", "vestibule.yaml",
            ]
        )

        let again = SetupPlan(plan.answers, sealingKey: Secret("another key of thirty-two characters"))
        let exit = #expect(throws: ExitError.self) { try again.carryOut() }
        #expect(exit?.code == 73 && exit?.message.contains("\(root)/etc/vestibule.yaml") == true)
        let kept = try String(contentsOfFile: "\(root)/etc/secrets/sealing-key", encoding: .utf8)
        #expect(kept == Self.key.expose() + "\n")
    }

    @Test(arguments: ["keys", "vestibule.sqlite"])
    func `attack: init refuses a data folder in use and a link in place of its config file`(_ name: String) throws {
        var template = Array("/tmp/vst-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let root = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: root) }
        try #require(mkdir("\(root)/data", 0o700) == 0)
        try Data("rows".utf8).write(to: URL(filePath: "\(root)/data/\(name)"))
        let plan = try Self.plan(Self.required + ["--config", "\(root)/v.yaml", "--data", "\(root)/data"])
        #expect(#expect(throws: ExitError.self) { try plan.carryOut() }?.code == 73)
        #expect(!FileManager.default.fileExists(atPath: "\(root)/v.yaml"))

        unlink("\(root)/data/\(name)")
        // It points nowhere: what follows it would be written where somebody else chose.
        try #require(symlink("\(root)/elsewhere", "\(root)/v.yaml") == 0)
        #expect(#expect(throws: ExitError.self) { try plan.carryOut() }?.code == 73)
        #expect(!FileManager.default.fileExists(atPath: "\(root)/elsewhere"))
    }

    @Test func `the next commands are ones that a shell takes`() throws {
        #expect(SetupPlan.quoted("/etc/vestibule/v.yaml") == "/etc/vestibule/v.yaml")
        #expect(SetupPlan.quoted("/a b/it's") == "'/a b/it'\\''s'")
        for command in try Self.plan(Self.required).nextCommands {
            let words = command.split(separator: " ").map(String.init)
            #expect(try type(of: Vestibule.parseAsRoot(Array(words.dropFirst()))) != Vestibule.self)
        }
    }
}
