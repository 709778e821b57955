import Accounts
import Kernel
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
        mailer: any CodeMailer,
        journal: any AccountJournal,
        earlier: EarlierAccessAdapter
    ) {
        let accounts = SQLiteAccountStore(database)
        let base = settings.publicURL + "/mail"
        store = SQLiteEmailCodeStore(database)
        codes = EmailCodeDesk(
            facts: facts,
            unitOfWork: unitOfWork,
            accounts: accounts,
            store: store,
            mailer: mailer,
            mint: EmailCodeMint(key: keyFolder.derivedKey(.emailCode))
        ) { Secret("\(base)/code/\($0.expose())") }
        addresses = AddressProofDesk(
            facts: facts,
            unitOfWork: unitOfWork,
            accounts: accounts,
            addresses: earlier.addresses,
            journal: journal,
            mailer: mailer,
            earlier: earlier,
            mint: AddressProofMint(key: keyFolder.derivedKey(.addressProof)),
            service: settings.defaultClient?.name ?? "Vestibule"
        ) { Secret("\(base)/address/\($0.expose())") }
    }
}
