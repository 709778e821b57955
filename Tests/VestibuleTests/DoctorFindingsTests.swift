import Foundation
import Glibc
import Kernel
import Mail
import Outbound
import Settings
import SettingsFixture
import Synchronization
import Testing

@testable import Vestibule

/// What `vestibule doctor` makes of readings.
struct DoctorFindingsTests {
    private static let now = Instant(seconds: 1_767_225_600)

    private static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }

    private static func dates(from start: Duration, to end: Duration) -> CertificateDates {
        CertificateDates(notBefore: now + start, notAfter: now + end)
    }

    @Test(arguments: [
        (Self.dates(from: Self.days(-1), to: Self.days(60)), Finding.Level.ok, "60 days left"),
        (Self.dates(from: Self.days(-1), to: Self.days(14)), .ok, "14 days left"),
        (Self.dates(from: Self.days(-1), to: Self.days(13)), .warning, "13 days left"),
        (Self.dates(from: Self.days(-90), to: .zero), .error, "expired"),
        (Self.dates(from: Self.days(1), to: Self.days(90)), .error, "not yet"),
    ])
    func `a certificate is judged by its dates`(_ dates: CertificateDates, _ level: Finding.Level, _ words: String) {
        let finding = NetworkFindings.certificate("https://a.example", dates, now: Self.now)
        #expect(finding.level == level && finding.found.contains(words), "\(finding)")
    }

    @Test func `what could not be read is never called well`() {
        let unknown = [
            NetworkFindings.certificate("https://a.example", nil, now: Self.now),
            NetworkFindings.clock(nil, against: nil),
            FileFindings.disk("/data", free: nil, total: nil),
        ]
        for finding in unknown + ServiceFindings.queuesUnknown("no daemon answers") {
            #expect(finding.level == .notChecked, "\(finding)")
            #expect(finding.lines[0].contains("not checked: "))
        }
        let missing = FileFindings.Entry(role: "the root key", path: "/k", need: .ownerOnly, status: .missing)
        let closed = FileFindings.Entry(role: "the root key", path: "/k", need: .ownerOnly, status: .unreadable("no"))
        #expect(FileFindings.permissions([missing, closed]).map(\.level) == [.notChecked, .notChecked])
    }

    @Test func `a name that is unknown, or that nobody answers for, is an error`() {
        #expect(NetworkFindings.dns("a.example", addresses: ["192.0.2.1"]).level == .ok)
        #expect(NetworkFindings.dns("a.example", addresses: []).level == .error)
        #expect(NetworkFindings.dns("a.example", addresses: nil).level == .error)
    }

    @Test(
        arguments: [
            (.ready(degraded: []), true, .ok), (.ready(degraded: []), nil, .ok), (.ready(degraded: []), false, .error),
            (.notReady("the daemon is stopping"), true, .warning), (.unreachable("nobody listens"), nil, .error),
        ] as [(Readiness, Bool?, Finding.Level)]
    )
    func `a public address that leads elsewhere is an error`(
        _ readiness: Readiness,
        _ sharesKeys: Bool?,
        _ level: Finding.Level
    ) {
        let finding = NetworkFindings.publicURL("https://a.example/readyz", readiness, sharesKeys: sharesKeys)
        #expect(finding.level == level, "\(finding)")
    }

    @Test func `a proxy that nobody named is a warning, and a named one is not called well`() {
        func level(public port: Int, _ isTLS: Bool, own: Int, _ ownTLS: Bool, _ proxies: [String]) -> Finding.Level {
            NetworkFindings.proxy(
                NetworkFindings.Route(
                    publicIsTLS: isTLS,
                    publicPort: port,
                    isTLS: ownTLS,
                    port: own,
                    trustedProxies: proxies
                )
            ).level
        }
        #expect(level(public: 8080, false, own: 8080, false, []) == .ok)
        #expect(level(public: 443, true, own: 8080, false, []) == .warning)
        #expect(level(public: 8443, true, own: 8443, false, []) == .warning)
        #expect(level(public: 443, true, own: 8080, false, ["127.0.0.1"]) == .notChecked)
    }

    @Test(arguments: [
        (0, Finding.Level.ok), (4, .ok), (-4, .ok), (5, .warning), (-59, .warning), (60, .error), (-3600, .error),
    ])
    func `a clock is judged by how far it is off, on either side`(_ seconds: Int, _ level: Finding.Level) {
        let finding = NetworkFindings.clock(.seconds(seconds), against: "api.example.com")
        #expect(finding.level == level && finding.found.contains("api.example.com"), "\(finding)")
    }

    @Test(arguments: [
        (100 << 30, 200 << 30, Finding.Level.ok), (1 << 30, 20 << 30, .warning), (10 << 30, 1000 << 30, .warning),
        (100 << 20, 200 << 20, .error), (0, 1 << 40, .error),
    ])
    func `a disk is judged by what is free`(_ free: Int, _ total: Int, _ level: Finding.Level) {
        #expect(FileFindings.disk("/data", free: UInt64(free), total: UInt64(total)).level == level)
    }

    @Test(arguments: [
        (FileFindings.Need.ownerOnly, 0o600, Finding.Level.ok), (.ownerOnly, 0o640, .error),
        (.ownerOnly, 0o604, .error),
        (.ownerWrites, 0o700, .ok), (.ownerWrites, 0o755, .warning), (.ownerWrites, 0o770, .error),
        (.ownerAndGroup, 0o640, .ok), (.ownerAndGroup, 0o644, .error),
    ])
    func `permissions are judged by what others may do`(
        _ need: FileFindings.Need,
        _ mode: Int,
        _ level: Finding.Level
    ) {
        let status = FileStatus.found(mode: UInt32(mode), owner: 7, group: getegid(), isFolder: false)
        let entry = FileFindings.Entry(role: "the secret", path: "/s", need: need, status: status)
        let findings = FileFindings.permissions([entry])
        #expect(findings.map(\.level) == [level])
        #expect(level == .ok || findings[0].remedy?.hasPrefix("Run: chmod ") == true)
    }

    @Test func `files of two users are an error, but for a private key that a group shares`() {
        func entry(_ owner: UInt32, _ need: FileFindings.Need) -> FileFindings.Entry {
            let status = FileStatus.found(mode: 0o600, owner: owner, group: getegid(), isFolder: false)
            return FileFindings.Entry(role: "the secret", path: "/s", need: need, status: status)
        }
        #expect(FileFindings.permissions([entry(7, .ownerOnly), entry(8, .ownerOnly)]).hasErrors)
        #expect(!FileFindings.permissions([entry(7, .ownerOnly), entry(0, .ownerAndGroup)]).hasErrors)
    }

    @Test func `the status of a file is read as it is`() throws {
        var template = Array("/tmp/vst-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("secret".utf8).write(to: URL(filePath: folder + "/file"))
        try #require(chmod(folder + "/file", 0o640) == 0)
        #expect(
            FileStatus(of: folder + "/file") == .found(mode: 0o640, owner: geteuid(), group: getegid(), isFolder: false)
        )
        #expect(FileStatus(of: folder) == .found(mode: 0o700, owner: geteuid(), group: getegid(), isFolder: true))
        #expect(FileStatus(of: folder + "/none") == .missing)
        let space = try #require(DiskSpace.read(folder))
        #expect(space.total > 0 && space.free <= space.total)
    }

    private static func keys(
        encrypted: Bool = true,
        file: String? = nil,
        folder: FileStatus = .found(mode: 0o700, owner: 7, group: 7, isFolder: true),
        database: FileStatus = .missing
    ) -> [Finding] {
        FileFindings.keys(
            FileFindings.KeyPlaces(
                dataFolder: "/data",
                keyFolder: "/data/keys",
                keyFolderStatus: folder,
                database: "/data/vestibule.sqlite",
                databaseStatus: database,
                isEncrypted: encrypted,
                encryptionKeyFile: file
            )
        ).filter { $0.check == "keys" }
    }

    @Test func `keys that are not encrypted, or lie beside the key that encrypts them, are a warning`() {
        #expect(Self.keys(encrypted: false).map(\.level) == [.warning])
        #expect(Self.keys(file: "/data/secrets/sealing-key").map(\.level) == [.warning])
        #expect(Self.keys(file: "/database/sealing-key").map(\.level) == [.ok])
        #expect(Self.keys().map(\.level) == [.ok])
    }

    @Test func `an absent key folder is never called encrypted, and an error beside a database`() {
        let database = FileStatus.found(mode: 0o600, owner: 7, group: 7, isFolder: false)
        #expect(Self.keys(folder: .missing).map(\.level) == [.notChecked])
        #expect(Self.keys(folder: .missing, database: database).map(\.level) == [.error])
        #expect(Self.keys(folder: .missing, database: .unreadable("no")).map(\.level) == [.notChecked])
        #expect(Self.keys(encrypted: false, folder: .missing).map(\.level) == [.notChecked, .warning])
        #expect(Self.keys(folder: .unreadable("no")).map(\.level) == [.notChecked])
        for finding in Self.keys(folder: .missing) + Self.keys(folder: .missing, database: database) {
            #expect(finding.found.contains("/data/keys does not exist") && finding.remedy != nil, "\(finding)")
        }
    }

    @Test func `a provider is reached when it answers anything, and not called well when it fails`() {
        func level(_ answer: Result<Int, OutboundError>) -> Finding.Level {
            ServiceFindings.provider("mock", at: "https://a.example", answer).level
        }
        #expect(level(.success(200)) == .ok && level(.success(404)) == .ok && level(.success(401)) == .ok)
        #expect(level(.failure(.redirected(status: 302))) == .ok)
        #expect(level(.success(503)) == .warning)
        #expect(level(.failure(.timeout)) == .error && level(.failure(.connect(cause: "refused"))) == .error)
    }

    @Test func `a mail server that can't be reached or trusted is an error with the cause`() {
        #expect(ServiceFindings.mail("smtp.example.com:587", nil).level == .ok)
        for kind in [MailTransportError.Kind.temporary, .configuration, .permanent] {
            let finding = ServiceFindings.mail("smtp.example.com:587", MailTransportError(kind, cause: "the cause"))
            #expect(finding.level == .error && finding.found.contains("the cause"))
        }
    }

    @Test func `queues are judged by their oldest entry, and by what is past its deadline`() {
        #expect(ServiceFindings.mailQueue(ages: [], bounced: 0).map(\.level) == [.ok])
        #expect(ServiceFindings.mailQueue(ages: [.seconds(5), .seconds(599)], bounced: 0).map(\.level) == [.ok])
        let late = ServiceFindings.mailQueue(ages: [.seconds(5), .seconds(7200)], bounced: 2)
        #expect(late.map(\.level) == [.warning, .warning] && late[0].found.contains("2 h"))
        #expect(ServiceFindings.operations(open: 3, overdue: 0).level == .ok)
        #expect(ServiceFindings.operations(open: 3, overdue: 1).level == .error)
    }

    @Test func `metrics that another program serves are an error`() {
        #expect(ServiceFindings.metrics("http://127.0.0.1:9464/metrics", .success(200)).level == .ok)
        #expect(ServiceFindings.metrics("http://127.0.0.1:9464/metrics", .success(404)).level == .error)
        #expect(ServiceFindings.metrics("http://127.0.0.1:9464/metrics", .failure(.timeout)).level == .error)
    }

    @Test func `all checks begin at once, and the findings come in their order`() async {
        let (first, second) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let checks = [
            DoctorCheck("first") {
                first.continuation.finish()
                for await _ in second.stream {}
                return [.ok("first", "well")]
            },
            DoctorCheck("second") {
                for await _ in first.stream {}
                second.continuation.finish()
                return [.error("second", "broken", remedy: "Mend it.")]
            },
        ]
        var done: [Int] = []
        let findings = await Doctor.run(checks) { _, _, number in done.append(number) }
        #expect(findings.map(\.check) == ["first", "second"] && findings.hasErrors)
        #expect(done == [1, 2])
        #expect(findings.summary == "1 ok, 0 warnings, 1 errors, 0 not checked.")
    }

    @Test func `a machine without a daemon is looked at to the end, and nothing of it is changed`() async throws {
        var fixture = SettingsFixture.minimal("listen: {port: 1}\n")
        fixture.dataFolder = "/nonexistent/vestibule"
        let installation = Installation(
            loaded: try fixture.load(),
            configFile: nil,
            admin: try fixture.adminAddress(),
            workingFolder: "/srv/vestibule-test",
            credentialsFolder: nil,
            environment: .system
        )
        let findings = await Doctor.run(installation.checks) { _, _, _ in }
        let levels = Dictionary(grouping: findings, by: \.check).mapValues { Set($0.map(\.level)) }
        #expect(levels["daemon"] == [.error] && levels["dns"] == [.ok] && levels["publicURL"] == [.error])
        #expect(levels["mail queue"] == [.notChecked] && levels["metrics"] == [.notChecked])
        #expect(levels["clock"] == [.notChecked], "all servers are on this machine, with its clock")
        #expect(levels["disk"] == [.notChecked] && levels["permissions"] == [.notChecked])
        #expect(findings.first { $0.check == "keys" }?.found.contains("does not exist") == true)
        #expect(!FileManager.default.fileExists(atPath: "/nonexistent"))
        for finding in findings {
            let sentences = (finding.remedy ?? "").split(separator: ". ").count
            #expect(sentences <= 2, "\(finding)")
        }
    }
}
