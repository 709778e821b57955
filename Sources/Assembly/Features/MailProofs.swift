import Accounts
import Kernel
import Settings
import Tokens

/// The proofs by mail: sign-in codes, and proofs of owning an address.
struct MailProofs: Sendable {
    let codes: EmailCodeService
    let addresses: AddressProofService

    init(_ core: CoreFeature, _ password: PasswordFeature, access: any AccountAccess) {
        let (environment, unitOfWork) = (core.environment, core.stores.unitOfWork)
        let accounts = core.stores.people.accounts
        let base = core.settings.publicURL + "/mail"
        codes = EmailCodeService(
            environment: environment,
            unitOfWork: unitOfWork,
            accounts: accounts,
            store: core.stores.people.emailCodes,
            lockouts: password.lockouts,
            mailer: core.mail.mailer,
            factory: password.codes
        ) { Secret("\(base)/code/\($0.expose())") }
        addresses = AddressProofService(
            environment: environment,
            records: AddressRecords(
                unitOfWork: unitOfWork,
                accounts: accounts,
                addresses: core.stores.people.addresses,
                auditLog: core.audit.chain
            ),
            mails: AddressMails(mailer: core.mail.mailer, service: core.configured.serviceName) {
                Secret("\(base)/address/\($0.expose())")
            },
            access: access,
            passwords: password.passwords,
            lockouts: password.lockouts,
            factory: AddressProofFactory(key: core.secrets.folder.derivedKey(.addressProof))
        )
    }
}
