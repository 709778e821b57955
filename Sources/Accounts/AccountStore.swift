package import Kernel

/// Port: the store of accounts.
package protocol AccountStore: Sendable {
    /// - Throws: ``AccountError/emailTaken(_:)``, ``AccountError/usernameTaken``,
    ///   ``AccountError/providerAccountTaken(_:)``.
    func insert(_ record: AccountRecord, in transaction: borrowing Transaction) throws

    /// Writes the enrolment, in place of a withdrawn one with that provider.
    ///
    /// - Throws: ``AccountError/providerAccountTaken(_:)``; ``AccountError/enrolledAlready(_:)`` if an active one
    ///   exists.
    func put(_ enrolment: Enrolment, of account: AccountID, in transaction: borrowing Transaction) throws

    func find(_ id: AccountID) async throws -> AccountRecord?
    func find(email: EmailAddress) async throws -> AccountRecord?

    /// Returns the account with that user name, active or not, within a unit of work.
    func account(named username: Username, in transaction: borrowing Transaction) throws -> AccountID?

    func list(limit: Int) async throws -> [AccountRecord]

    /// Returns the accounts that match the search, the newest first.
    func list(_ search: AccountSearch) async throws -> [AccountRecord]

    /// Returns the account's profile in one read, within a unit of work.
    func profile(_ id: AccountID, in transaction: borrowing Transaction) throws -> AccountProfile?

    /// Returns the account with that address, active or not, and its enrolment with that provider, in one read.
    func candidate(
        email: EmailAddress,
        provider: String,
        in transaction: borrowing Transaction
    ) throws -> LoginCandidate?

    /// - Returns: `false` if the account is unknown, or already in that state.
    func setState(_ state: Account.State, of id: AccountID, in transaction: borrowing Transaction) throws -> Bool

    /// Sets the account's display name.
    func setDisplayName(_ name: String, of id: AccountID, in transaction: borrowing Transaction) throws

    /// Sets an attribute; `nil` removes it.
    func setAttribute(_ name: String, to value: String?, of id: AccountID, in transaction: borrowing Transaction) throws

    /// Returns the hash of the account's password, if it has one.
    func passwordHash(of id: AccountID, in transaction: borrowing Transaction) throws -> Secret?

    /// Replaces the password's hash; `nil` removes it.
    func setPasswordHash(_ hash: Secret?, of id: AccountID, in transaction: borrowing Transaction) throws

    /// Gives the account that one address, in place of all its addresses and its claimed one.
    /// - Throws: ``AccountError/emailTaken(_:)`` if the address is another account's.
    func replaceEmails(with email: VerifiedEmail, of id: AccountID, in transaction: borrowing Transaction) throws

    /// Disables a closed account, and deletes its addresses, user name, attributes and password.
    ///
    /// The row stays with ``Account/closedName``, so that the audit log keeps its meaning and the id is never reused.
    func close(_ id: AccountID, in transaction: borrowing Transaction) throws
}

/// The part of an account that the start of a login reads.
package struct LoginCandidate: Sendable, Equatable {
    package let account: AccountID
    package let state: Account.State
    package let isEnrolled: Bool

    package init(account: AccountID, state: Account.State, isEnrolled: Bool) {
        self.account = account
        self.state = state
        self.isEnrolled = isEnrolled
    }
}

/// An account with its dependent data.
package struct AccountRecord: Sendable, Equatable {
    package let account: Account
    package let emails: [VerifiedEmail]
    /// The name that the person signs in with, if it is not an address.
    package let username: Username?
    /// An address that the person claims.
    ///
    /// The address becomes the account's once it is verified. Until then the account is not found by the address, and
    /// any number of accounts may claim it.
    package let claim: EmailAddress?
    package let enrolments: [Enrolment]
    /// The password's hash with its parameters, if there is a password.
    package let passwordHash: Secret?

    package init(
        account: Account,
        emails: [VerifiedEmail],
        username: Username? = nil,
        claim: EmailAddress? = nil,
        enrolments: [Enrolment],
        passwordHash: Secret?
    ) {
        self.account = account
        self.emails = emails
        self.username = username
        self.claim = claim
        self.enrolments = enrolments
        self.passwordHash = passwordHash
    }
}

/// The part of an account that a sign-in reports.
package struct AccountProfile: Sendable, Equatable {
    package let account: Account
    /// The account's first address, or the one that it claims.
    package let email: EmailAddress?
    /// Whether ``email`` is verified.
    package let isEmailVerified: Bool
    /// The name that the person signs in with, if it is not an address.
    package let username: Username?

    package init(account: Account, email: EmailAddress?, isEmailVerified: Bool, username: Username? = nil) {
        self.account = account
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.username = username
    }
}

extension AccountRecord {
    /// The addresses that the person may verify: the account's own, and the one that it claims.
    var provable: [EmailAddress] { emails.map(\.address) + [claim].compactMap(\.self) }

    /// The record's profile.
    package var profile: AccountProfile {
        AccountProfile(
            account: account,
            email: emails.first?.address ?? claim,
            isEmailVerified: emails.first?.isVerified ?? false,
            username: username
        )
    }
}

/// An address of an account.
package struct VerifiedEmail: Sendable, Equatable {
    package let address: EmailAddress
    /// Whether the person has proved the address, or an operator has given it.
    package let isVerified: Bool

    package init(address: EmailAddress, isVerified: Bool) {
        self.address = address
        self.isVerified = isVerified
    }
}

/// An account's face at a provider.
package struct Enrolment: Sendable, Equatable {
    package let provider: String
    /// The account's name at the provider: immutable, and random unless an operator gave it.
    ///
    /// The e-mail address is not used, so that an address that changes hands inherits no face.
    package let reference: String
    package let isActive: Bool
    /// Grows each time that the face is set up or withdrawn under that name.
    package let version: Int64

    package init(provider: String, reference: String, isActive: Bool, version: Int64 = 0) {
        self.provider = provider
        self.reference = reference
        self.isActive = isActive
        self.version = version
    }

    /// The name of exactly this face, which changes when the face is set up again or withdrawn.
    ///
    /// The database compares it with its own spelling, `SQLDescentStore.faceMark`, byte for byte.
    package var mark: String { "\(provider) \(reference) \(version)" }
}

/// The audit events of accounts; the subject is the account.
package enum AccountAuditEvent: String, AuditEvent {
    /// An operator added an account.
    ///
    /// Detail: `enrolled with` and the providers, where it is enrolled with any.
    case added = "account.added"
    /// An operator enrolled an account with a provider.
    ///
    /// Detail: `with` and the provider.
    case enrolled = "account.enrolled"
    /// An operator disabled an account; its sessions ended.
    case disabled = "account.disabled"
    /// An operator enabled an account again.
    case enabled = "account.enabled"
    /// A person registered with an address that is not verified yet.
    case registered = "account.registered"
    /// An operator changed the account's name, attributes or address.
    ///
    /// Detail: `name`, `email` and `password` for what was set, and each attribute with its new value.
    case changed = "account.changed"
    /// The person set a password.
    ///
    /// Detail: `the first` for a first one, `after a mailed code` for one that was forgotten.
    case passwordChanged = "account.password_changed"
    /// The person verified an address.
    case addressProven = "account.address_proven"
    /// The address that was verified took the place of another.
    case addressChanged = "account.address_changed"
    /// Access from before the address was verified was removed.
    case earlierAccessRemoved = "account.earlier_access_removed"
    /// The person removed the password.
    case passwordRemoved = "account.password_removed"
    /// The person removed the face that signs them in.
    case faceWithdrawn = "account.face_withdrawn"
    /// The person withdrew a client's consent; its sessions ended.
    ///
    /// Detail: The client.
    case consentWithdrawn = "account.consent_withdrawn"
    /// The person downloaded the data of the account.
    case dataDownloaded = "account.data_downloaded"
    /// The person closed the account.
    case closed = "account.closed"
}

/// Port: a provider with its own accounts.
package protocol ProviderDirectory: Sendable {
    /// The providers that accounts can be enrolled with.
    var providers: [String] { get }

    /// Creates an account at the provider.
    ///
    /// `reference` is a new name, so that an existing account of that name is another person's.
    func create(reference: String, displayName: String, email: String?, at provider: String) async throws(AccountError)
}
