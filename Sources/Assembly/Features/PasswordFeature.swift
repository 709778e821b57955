import Accounts
import HTTPAPI
import Kernel
import Settings
import SignIn
import Tokens

/// Passwords, new accounts, and the lockouts after failed tries.
struct PasswordFeature: Sendable {
    let lockouts: Lockouts
    let codes: EmailCodeFactory
    let passwords: PasswordService
    let registrations: RegistrationService
    let linked: LinkedDevices

    /// `cost`: the cost of hashing new passwords.
    init(_ core: CoreFeature, _ sessions: SessionFeature, cost: ScryptParameters) {
        let (settings, environment) = (core.settings, core.environment)
        linked = LinkedDevices(
            links: sessions.devices.links,
            registered: sessions.devices.registered,
            clients: settings.clients.map(\.id)
        )
        lockouts = Lockouts(environment: environment, store: core.stores.people.lockouts)
        codes = EmailCodeFactory(key: core.secrets.folder.derivedKey(.emailCode))
        passwords = PasswordService(
            unitOfWork: core.stores.unitOfWork,
            store: sessions.accountStore,
            auditLog: core.audit.chain,
            lockouts: lockouts,
            hasher: PasswordHasher(environment: environment, parameters: cost, lanes: settings.limits.passwordsAtOnce),
            placeholder: codes.placeholderAccount(for:)
        )
        registrations = RegistrationService(
            environment: environment,
            store: sessions.accountStore,
            auditLog: core.audit.chain,
            passwords: passwords,
            claims: settings.accounts.requireVerifiedEmail
        )
    }
}
