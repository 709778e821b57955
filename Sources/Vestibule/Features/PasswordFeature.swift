import Accounts
import HTTPAPI
import Kernel
import Settings
import SignIn
import Storage
import Tokens

/// Passwords and new accounts, and what wrong tries of either cost.
struct PasswordFeature: Sendable {
    let lockouts: Lockouts
    let codes: EmailCodeMint
    let passwords: PasswordDesk
    let registrations: RegistrationDesk
    let linked: LinkedDevices
    let journal: AccountJournalAdapter

    /// `cost`: what new passwords are hashed with.
    init(_ core: CoreFeature, _ sessions: SessionFeature, cost: ScryptParameters) {
        let (settings, facts) = (core.settings, core.facts)
        journal = AccountJournalAdapter(chain: core.audit.chain, facts: facts)
        linked = LinkedDevices(
            links: sessions.links,
            registered: sessions.registered,
            clients: settings.clients.map(\.id)
        )
        lockouts = Lockouts(facts: facts, store: SQLiteLockoutStore())
        codes = EmailCodeMint(key: core.keyFolder.derivedKey(.emailCode))
        passwords = PasswordDesk(
            unitOfWork: core.unitOfWork,
            store: sessions.accountStore,
            journal: journal,
            lockouts: lockouts,
            hasher: PasswordHasher(facts: facts, parameters: cost, lanes: settings.limits.passwordsAtOnce),
            standIn: codes.standIn(for:)
        )
        registrations = RegistrationDesk(
            facts: facts,
            store: sessions.accountStore,
            journal: journal,
            passwords: passwords,
            claims: settings.accounts.requireVerifiedEmail
        )
    }
}
