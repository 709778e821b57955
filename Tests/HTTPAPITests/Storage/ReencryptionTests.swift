import Accounts
import Kernel
import Logging
import MemoryStore
import Operations
import Settings
import StoreContract
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

    private struct NoPage: Error {}

    /// An operation whose page is encrypted with that encryptor's key.
    private static func scanned(by encryptor: AESGCMEncryptor) throws -> Operations.Operation {
        let (draft, browser) = (OperationSample.operation(1), OperationSample.scan().browser)
        let text = try encryptor.encrypt(Secret("page"), as: .scanPage(of: draft.id, for: browser))
        return OperationSample.operation(1, state: .pending(OperationSample.scan(page: EncryptedScanPage(text))))
    }
}
