import Accounts
import Kernel
import Settings
import Storage
import Tokens

/// What mail proves: sign-in codes, and whose an address is.
struct MailProofs: Sendable {
    let codes: EmailCodeDesk
    let addresses: AddressProofDesk
    let store: SQLiteEmailCodeStore

    init(
        _ settings: Settings,
        facts: Facts,
        keyFolder: KeyFolder,
        database: SQLiteDatabase,
        unitOfWork: SQLiteUnitOfWork,
        lockouts: Lockouts,
        mint: EmailCodeMint,
        mailer: any CodeMailer,
        journal: any AccountJournal,
        access: any AccountAccess,
        passwords: PasswordDesk
    ) {
        let accounts = SQLiteAccountStore(database)
        let base = settings.publicURL + "/mail"
        store = SQLiteEmailCodeStore(database)
        codes = EmailCodeDesk(
            facts: facts,
            unitOfWork: unitOfWork,
            accounts: accounts,
            store: store,
            lockouts: lockouts,
            mailer: mailer,
            mint: mint
        ) { Secret("\(base)/code/\($0.expose())") }
        addresses = AddressProofDesk(
            facts: facts,
            unitOfWork: unitOfWork,
            accounts: accounts,
            addresses: SQLiteAddressStore(),
            journal: journal,
            mailer: mailer,
            access: access,
            passwords: passwords,
            lockouts: lockouts,
            mint: AddressProofMint(key: keyFolder.derivedKey(.addressProof)),
            services: Self.services(settings)
        ) { Secret("\(base)/address/\($0.expose())") }
    }

    /// What people know a client as, by its id; of one that is gone, or of a link that names none, the server.
    private static func services(_ settings: Settings) -> @Sendable (String) -> String {
        let names = Dictionary(settings.clients.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let server = settings.relyingParty.name
        return { names[$0] ?? server }
    }
}
