import Accounts
import Audit
import Devices
import Foundation
import Kernel
import Logging
import Operations
import Sessions
import Settings
import Storage
import Testing
import Tokens

@testable import Assembly
@testable import Vestibule

/// The daemon as `serve` runs it sweeps: proved by rows that go.
struct RetentionWiredTests {
    // T-213, T-258
    @Test(.timeLimit(.minutes(10)))
    func `a running daemon deletes operations and audit rows that are too old, and leaves the rest`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "retention-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        let sources = SettingsSources(
            configFile: nil,
            workingFolder: folder.path(),
            dataFolder: folder.path(),
            overrides: [
                "listen.port=0", "retention.operations=30d", "retention.audit=90d", "log.level=critical",
                "log.access=false",
            ]
        )
        let loaded = try SettingsLoader(files: SettingsFiles { _ in .missing }).load(sources)
        // As at a first start: to a database with rows no keys are made.
        _ = try KeyFolder.open(at: loaded.settings.secrets.keyFolder, environment: .system)
        let options = loaded.settings.storage.sqlite
        let database = try SQLiteDatabase.open(options, migrating: true, at: Environment.system.now()).database
        let store = SQLOperationStore(database)
        let old = Self.ended(ago: .seconds(30 * 24 * 3600 + 60), 1)
        let young = Self.ended(ago: .seconds(30 * 24 * 3600 - 3600), 2)
        let sessions = SQLSessionStore(database)
        let (dead, live) = (Self.session(1), Self.session(2))
        try await SQLiteUnitOfWork(database).run { transaction in
            for operation in [old, young] { try store.insert(operation, in: transaction) }
            try SQLAccountStore(database).insert(Self.account, in: transaction)
            try sessions.insert(
                dead,
                Self.token(of: dead, expiredAgo: .seconds(7 * 24 * 3600 + 60)),
                face: nil,
                in: transaction
            )
            try sessions.insert(
                live,
                Self.token(of: live, expiredAgo: .seconds(7 * 24 * 3600 - 3600)),
                face: nil,
                in: transaction
            )
            for number in UInt64(1)...2 {
                try SQLDeviceLinkStore().insert(Self.link(number, isOld: number == 1), in: transaction)
            }
        }
        try await Self.keepAudit(loaded.settings, from: .seconds(100 * 24 * 3600), rows: 5)
        try await Self.keepAudit(loaded.settings, from: .seconds(80 * 24 * 3600), rows: 2)
        // Speaks for the clock: without it nothing would go on the first day.
        try await Self.keepAudit(loaded.settings, from: .seconds(2 * 24 * 3600), rows: 1)
        let audit = SQLAuditStore(database)

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Daemon(loaded, environment: .system).run() }
            group.addTask {
                while try await store.find(row: old.id) != nil { try await Task.sleep(for: .milliseconds(20)) }
                while try await sessions.find(dead.id) != nil { try await Task.sleep(for: .milliseconds(20)) }
                while try await Self.devices(database).count > 1 { try await Task.sleep(for: .milliseconds(20)) }
                while try await audit.rows(of: CoreFeature.node, from: 1, limit: 1).first?.number != 6 {
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            // The daemon runs until it is told to stop; the watch ends with the row.
            try await group.next()
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
        #expect(try await store.find(row: old.id) == nil)
        #expect(try await store.find(row: young.id) == young)
        #expect(try await sessions.find(live.id) == live)
        #expect(try await Self.devices(database) == [Self.link(2, isOld: false).device])
        try database.close()
        let report = try await Self.verify(loaded.settings)
        #expect(report.finding == .sound)
        #expect(report.own.first == 6 && report.own.last >= 9 && report.own.uncovered == 0)
    }

    private static func verify(_ settings: Settings) async throws -> AuditReport {
        let composition = try Composition(
            settings,
            as: .only,
            environment: .system,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            migrating: false
        )
        let report = try await composition.audit.verify(against: nil)
        await composition.shutdown()
        return report
    }

    /// Rows of the audit, and a checkpoint, as a daemon that ran so long ago has left them.
    private static func keepAudit(_ settings: Settings, from age: Duration, rows: Int) async throws {
        let system = Environment.system
        let then = system.now() - age
        let composition = try Composition(
            settings,
            as: .only,
            environment: Environment(now: { then }, clock: system.clock, randomBytes: system.randomBytes),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            migrating: true
        )
        try await composition.unitOfWork.run { [chain = composition.audit.chain] transaction in
            for _ in 0..<rows {
                let entry = AuditEntry(at: then, event: "test", subject: "row", account: nil, detail: nil)
                try chain.append(entry, in: transaction)
            }
        }
        _ = try await composition.audit.checkpoint(isAnew: false)
        await composition.shutdown()
    }

    private static let account = AccountRecord(
        account: Account(
            id: AccountID(UUIDBits(high: 0xA, low: 1)),
            displayName: "Ada",
            state: .active,
            attributes: AccountAttributes(),
            createdAt: Environment.system.now()
        ),
        emails: [],
        enrolments: [],
        passwordHash: nil
    )

    private static func session(_ number: UInt64) -> Session {
        let start = Environment.system.now() - .seconds(40 * 24 * 3600)
        return Session(
            id: SessionID(UUIDBits(high: 5, low: number)),
            account: account.account.id,
            client: "bbms",
            linkedDevice: nil,
            createdAt: start,
            authentication: Session.Authentication(at: start, methods: ["face"])
        )
    }

    private static func token(of session: Session, expiredAgo age: Duration) -> RefreshToken {
        let key = Digest256(sha256: "\(session.id)")
        return RefreshToken(
            key: key,
            session: session.id,
            lineage: RefreshToken.Lineage(family: key, parent: nil, child: nil),
            issuedAt: session.createdAt,
            expiresAt: Environment.system.now() - age,
            firstUsedAt: nil
        )
    }

    private static func link(_ number: UInt64, isOld: Bool) -> DeviceLink {
        let now = Environment.system.now()
        return DeviceLink(
            device: DeviceID(UUIDBits(high: 0xD, low: number)),
            account: account.account.id,
            client: "bbms",
            cookie: Digest256(sha256: "cookie \(number)"),
            methods: ["face"],
            lastSeenAt: now,
            validity: DeviceValidity(createdAt: now, expiresAt: isOld ? now - .seconds(8 * 24 * 3600) : now)
        )
    }

    /// The devices of the two links that are still there.
    private static func devices(_ database: SQLiteDatabase) async throws -> [DeviceID] {
        try await SQLiteUnitOfWork(database).run { transaction in
            try (UInt64(1)...2).compactMap { number in
                try SQLDeviceLinkStore().find(
                    DeviceID(UUIDBits(high: 0xD, low: number)),
                    account: account.account.id,
                    in: transaction
                )?.device
            }
        }
    }

    private static func ended(ago age: Duration, _ number: UInt64) -> Operations.Operation {
        let end = Environment.system.now() - age
        let policy = ClientPolicy(
            clientID: "bbms",
            audience: "bbms",
            verifier: .optional,
            initiators: .anyone,
            timing: OperationTiming(
                lifetime: .seconds(180),
                approvalWindow: .seconds(60),
                redemptionWindow: .seconds(120)
            ),
            accessTokenLifetime: .seconds(3600),
            refreshTokenLifetime: .seconds(86_400)
        )
        return Operation(
            id: OperationRowID(UUIDBits(high: 1, low: number)),
            credentials: Operation.Credentials(
                publicID: Digest256(sha256: "public \(number)"),
                ticket: Digest256(sha256: "ticket \(number)"),
                bindingCookie: Digest256(sha256: "cookie \(number)"),
                codeChallenge: nil,
                isBound: false
            ),
            request: Operation.Request(account: nil, device: nil, policy: policy),
            validity: Operation.Validity(createdAt: end - .seconds(180), deadline: end),
            provider: ProviderName("mock"),
            state: .failed(.expired, at: end),
            version: Operation.Version(seq: 2)
        )
    }
}
