import Foundation
import Kernel
import Logging
import Operations
import Storage
import Testing

@testable import Vestibule

/// The daemon as `serve` runs it sweeps: proved by a row that goes.
struct RetentionWiredTests {
    @Test(.timeLimit(.minutes(1)))
    func `a running daemon deletes what is too old, and leaves the rest`() async throws {
        let folder = try TestFolder()
        let sources = SettingsSources(
            configFile: nil,
            workingFolder: folder.path,
            dataFolder: folder.path,
            overrides: ["listen.port=0", "retention.operations=30d", "log.level=critical", "log.access=false"]
        )
        let loaded = try SettingsLoader(files: SettingsFiles { _ in .missing }).load(sources)
        let options = loaded.settings.storage.options
        let database = try SQLiteDatabase.open(options, migrating: true, at: Facts.system.now()).database
        let store = SQLiteOperationStore(database, node: Composition.node)
        let old = Self.ended(ago: .seconds(30 * 24 * 3600 + 60), 1)
        let young = Self.ended(ago: .seconds(30 * 24 * 3600 - 3600), 2)
        try await SQLiteUnitOfWork(database).run { transaction in
            for operation in [old, young] { try store.insert(operation, in: transaction) }
        }

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Daemon(loaded, facts: .system).run() }
            group.addTask {
                while try await store.find(row: old.id) != nil { try await Task.sleep(for: .milliseconds(20)) }
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
    }

    private static func ended(ago age: Duration, _ number: UInt64) -> Operations.Operation {
        let end = Facts.system.now() - age
        let policy = ClientPolicy(
            clientID: "bbms",
            audience: "bbms",
            verifier: .optional,
            initiators: .anyone,
            lifetime: .seconds(180),
            approvalWindow: .seconds(60),
            redemptionWindow: .seconds(120),
            accessTokenLifetime: .seconds(3600),
            refreshTokenLifetime: .seconds(86_400)
        )
        return Operation(
            stored: .init(
                id: OperationRowID(UUIDBits(high: 1, low: number)),
                publicID: Digest256(sha256: "public \(number)"),
                ticket: Digest256(sha256: "ticket \(number)"),
                account: nil,
                device: nil,
                provider: ProviderName("mock"),
                policy: policy,
                codeChallenge: nil,
                bindingCookie: Digest256(sha256: "cookie \(number)"),
                createdAt: end - .seconds(180),
                deadline: end,
                isBound: false,
                state: .failed(.expired, at: end),
                seq: 2
            )
        )
    }
}
