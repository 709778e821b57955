package import Accounts

/// The ways in which a person can sign in to an account.
package struct WaysIn: Sendable, Equatable {
    package var passkeys = 0
    package var hasPassword = false
    /// Whether a mailed code signs the person in: the address is verified.
    package var hasMailbox = false
    package var hasFace = false

    package init() {}

    /// Whether a passkey or a face proves the person, which more than a password or a mailbox does.
    package var provePerson: Bool { passkeys > 0 || hasFace }

    /// Whether the account has another way than one passkey.
    package var surviveOnePasskey: Bool { passkeys > 1 || hasMailbox }
    /// Whether the account has another way than the password.
    ///
    /// A face needs an address, and one that is not verified does not count as a way back.
    package var survivePassword: Bool { passkeys > 0 || hasMailbox }
    /// Whether the account has another way than the face.
    package var surviveFace: Bool { passkeys > 0 || hasMailbox || hasPassword }

    /// Reads the ways of an account.
    package init(_ record: AccountRecord, passkeys: Int) {
        self.passkeys = passkeys
        hasPassword = record.passwordHash != nil
        hasMailbox = record.profile.isEmailVerified
        hasFace = record.enrolments.contains(where: \.isActive)
    }
}
