import Accounts
import Kernel
import Operations
import Passkeys

/// Finds the accounts that passkeys sign in to.
struct PasskeyPeopleAdapter: PasskeyPeople {
    let accounts: any AccountStore
    let registrations: RegistrationService

    func person(named name: String, in transaction: borrowing Transaction) throws -> PasskeyPerson? {
        if let email = EmailAddress(name) {
            guard let found = try accounts.candidate(email: email, provider: "", in: transaction) else { return nil }
            return try person(found.account, in: transaction)
        }
        return try person(called: name, in: transaction)
    }

    func person(called username: String, in transaction: borrowing Transaction) throws -> PasskeyPerson? {
        guard let username = Username(username), let account = try accounts.account(named: username, in: transaction)
        else { return nil }
        return try person(account, in: transaction)
    }

    func person(_ account: AccountID, in transaction: borrowing Transaction) throws -> PasskeyPerson? {
        guard let profile = try accounts.profile(account, in: transaction) else { return nil }
        let displayName = profile.account.displayName
        return PasskeyPerson(
            account: account,
            name: profile.username?.text ?? profile.email?.text ?? displayName,
            displayName: displayName,
            isActive: profile.account.state == .active,
            hasOtherWay: profile.isEmailVerified
        )
    }

    func canBeNamed(_ name: String) -> Bool { Username(name) != nil }

    func open(named name: String, in transaction: borrowing Transaction) throws -> AccountID {
        guard let username = Username(name) else { throw PasskeyError.badName }
        do { return try registrations.open(username, called: name, in: transaction) } catch AccountError.usernameTaken {
            throw PasskeyError.nameTaken
        } catch AccountError.badName { throw PasskeyError.badName }
    }

    func normalised(_ name: String) -> String {
        EmailAddress(name)?.text ?? Username(name)?.text ?? name.lowercased()
    }
}

/// Decides for which accounts' logins the page before the scan asks for a passkey.
struct ConfirmingPasskeysAdapter: ConfirmingPasskeys {
    let store: any PasskeyStore
    let unitOfWork: any UnitOfWork
    let rpID: String

    /// The page names no passkey to the browser, so a passkey that must be named is not asked for.
    func isAsked(of account: AccountID) async throws -> Bool {
        try await unitOfWork.read { [store, rpID] transaction in
            try store.list(of: account, limit: OwnedPasskeys.mostOwned, in: transaction)
                .contains { $0.rpID == rpID && $0.isFoundUnnamed }
        }
    }
}
