import Accounts
import Kernel
import Logging
import MemoryStore
import Operations
import Settings
import Storage
import StoreContract
import Synchronization
import Testing
import Tokens
import Wallet

@testable import Assembly

/// The sealing key is changed: what lay under the old one lies under the new one when the start says so.
struct ReencryptionTests {
    private static let account = AccountID(UUIDBits(high: 0xA, low: 1))
    private static let context = EncryptionContext.bankAccessToken("eb", of: account)

    // T-223
    @Test(arguments: [true, false])
    func `a start with both keys seals a bank's tokens and a scan's page anew, and one without the old key leaves them`(
        _ hasOld: Bool
    ) async throws {
        let folder = try TestFolder()
        let sources = SettingsSources(
            configFile: nil,
            workingFolder: folder.path,
            dataFolder: folder.path,
            overrides: ["listen.port=0"]
        )
        var settings = try SettingsLoader(files: SettingsFiles { _ in .missing }).load(sources).settings
        let (old, new) = (Secret(String(repeating: "o", count: 32)), Secret(String(repeating: "n", count: 32)))
        settings.secrets.sealingKey = new
        settings.secrets.earlierSealingKeys = [old]
        let environment = VirtualTime().environment()
        let composition = try Composition(
            settings,
            as: .only,
            environment: environment,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            migrating: true
        )
        let now = environment.now()
        func encryptor(_ keys: [Secret]) -> AESGCMEncryptor {
            AESGCMEncryptor(keys, folder: composition.keyFolder, environment: environment)
        }
        let person = AccountRecord(
            account: Account(
                id: Self.account,
                displayName: "Ada",
                state: .active,
                attributes: AccountAttributes(),
                createdAt: now
            ),
            emails: [],
            enrolments: [],
            passwordHash: nil
        )
        let encrypted = try encryptor([old]).encrypt(Secret("at"), as: Self.context)
        let link = BankLink(
            account: Self.account,
            bankID: "eb",
            name: "Example Bank",
            logoURL: nil,
            tokens: BankLink.EncryptedTokens(access: encrypted, refresh: nil, expiresAt: nil),
            enrolledAt: now
        )
        let scanned = try Self.scanned(by: encryptor([old]))
        let wallet = composition.stores.wallet.cards
        let stores = composition.stores
        let isPut = try await composition.unitOfWork.run { transaction in
            try stores.people.accounts.insert(person, in: transaction)
            try stores.operations.insert(scanned, in: transaction)
            return try wallet.put(link, over: nil, in: transaction)
        }
        #expect(isPut)
        let reencryption = Reencryption(
            rows: try #require(stores.upkeep.encryptedRows),
            encryptor: encryptor(hasOld ? [new, old] : [new]),
            unitOfWork: composition.unitOfWork,
            hasEarlierKeys: hasOld,
            logger: composition.logger
        )
        await reencryption.run()
        let found = try #require(try await wallet.link("eb", of: Self.account)?.tokens)
        #expect(encryptor([new]).decrypt(found.access, as: Self.context) == (hasOld ? Secret("at") : nil))
        #expect((found.access == encrypted) == !hasOld)
        let stored = try #require(try await stores.operations.find(row: scanned.id))
        guard case .pending(let scan) = stored.state, let page = scan.page else { throw NoPage() }
        let context = EncryptionContext.scanPage(of: scanned.id, for: scan.browser)
        #expect(encryptor([new]).decrypt(page.text, as: context) == (hasOld ? Secret("page") : nil))
        #expect(encryptor([old]).decrypt(page.text, as: context) == (hasOld ? nil : Secret("page")))
        await composition.shutdown()
    }

    // T-223
    @Test func `of several daemons the leader encrypts again once all have its key, and says once what it waits for`()
        async throws
    {
        let shared = try SharedKeys()
        var progress = Reencryption.Progress()
        for peers in [
            Peers(count: 2, isLeader: false, encryptionKeys: [shared.key]),
            Peers(count: 2, encryptionKeys: [shared.key, "old"]), Peers(count: 2, encryptionKeys: [shared.key, "old"]),
            Peers(count: 2),
        ] {
            await shared.look(peers, &progress)
        }
        #expect(shared.rows.searches == 0)
        #expect(shared.log.lines.map(\.message).filter { $0.contains("restart the others") }.count == 1)
        let agreed = Peers(count: 2, encryptionKeys: [shared.key])
        await shared.look(agreed, &progress)
        let once = shared.rows.searches
        #expect(once > 0 && shared.log.lines.contains { $0.message.contains("may be removed") })
        await shared.look(agreed, &progress)
        #expect(shared.rows.searches == once)
    }

    // T-223
    @Test func `a daemon with a previous key that comes back, or another leader, makes it begin again`() async throws {
        let shared = try SharedKeys()
        var progress = Reencryption.Progress()
        let agreed = Peers(count: 2, encryptionKeys: [shared.key])
        await shared.look(agreed, &progress)
        let once = shared.rows.searches
        await shared.look(Peers(count: 2, encryptionKeys: [shared.key, "old"]), &progress)
        await shared.look(agreed, &progress)
        #expect(shared.rows.searches == 2 * once)
        await shared.look(Peers(count: 2, isLeader: false, encryptionKeys: [shared.key]), &progress)
        await shared.look(agreed, &progress)
        #expect(shared.rows.searches == 3 * once)
    }

    @Test func `a start encrypts nothing again where several daemons share the database`() async throws {
        let shared = try SharedKeys()
        await shared.reencryption(Peers(count: 2, encryptionKeys: [shared.key])).run()
        #expect(shared.rows.searches == 0)
    }

    /// A daemon of several, without rows to encrypt.
    private struct SharedKeys {
        let rows = CountedRows()
        let log = LogRecorder()
        let key: String
        private let encryptor: AESGCMEncryptor

        init() throws {
            let (folder, environment) = (try TestFolder(), VirtualTime().environment())
            let keys = try KeyFolder.open(at: folder.path + "/keys", environment: environment)
            encryptor = AESGCMEncryptor([], folder: keys, environment: environment)
            key = encryptor.currentKey
        }

        func reencryption(_ peers: Peers) -> Reencryption {
            Reencryption(
                rows: rows,
                encryptor: encryptor,
                unitOfWork: MemoryDisk().open().unitOfWork,
                hasEarlierKeys: true,
                nodes: SharedNode(peers: peers),
                logger: log.logger
            )
        }

        func look(_ peers: Peers, _ progress: inout Reencryption.Progress) async {
            await reencryption(peers).check(&progress)
        }
    }

    private struct SharedNode: NodeMembership {
        let node = NodeName.first
        let isShared = true
        let isLeaseHeld = true
        let adopted: Set<NodeName> = []
        let peers: Peers
    }

    /// Rows none of which has another key.
    private final class CountedRows: EncryptedRows {
        private let count = Mutex(0)

        var searches: Int { count.withLock(\.self) }

        func rows(
            _ kind: EncryptedRowKind,
            encryptedOtherwiseThanWith key: String,
            after last: EncryptedRow?,
            limit: Int
        ) async throws -> [EncryptedRow] {
            count.withLock { $0 += 1 }
            return []
        }

        func put(
            _ parts: [EncryptedRow.Part?],
            in row: EncryptedRow,
            in transaction: borrowing Transaction
        ) throws -> Bool { false }
    }

    private struct NoPage: Error {}

    /// An operation whose page is encrypted with that encryptor's key.
    private static func scanned(by encryptor: AESGCMEncryptor) throws -> Operations.Operation {
        let (draft, browser) = (OperationSample.operation(1), OperationSample.scan().browser)
        let text = try encryptor.encrypt(Secret("page"), as: .scanPage(of: draft.id, for: browser))
        return OperationSample.operation(1, state: .pending(OperationSample.scan(page: EncryptedScanPage(text))))
    }
}
