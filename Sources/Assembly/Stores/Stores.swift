import Accounts
import Audit
import Devices
import Kernel
import Mail
import OAuth
import Operations
import Passkeys
package import Sessions
import SignIn
import Wallet

/// All ports of storage, with the units of work that span them, over one database.
///
/// Each kind of database has one file that creates them. No other code of the assembly names a kind.
package struct Stores: Sendable {
    let unitOfWork: any UnitOfWork
    let operations: any OperationStore
    let people: PeopleStores
    package let sessions: SessionStores
    let oauth: OAuthStores
    let wallet: WalletStores
    let audit: any AuditStore
    let upkeep: any StoreUpkeep
}

/// The stores of accounts, of their means of signing in, and of mail.
struct PeopleStores: Sendable {
    let accounts: any AccountStore
    let addresses: any AddressStore
    let enrolments: any EnrolmentStore
    let emailCodes: any EmailCodeStore
    let lockouts: any LockoutStore
    let devices: DeviceStores
    let passkeys: PasskeyStores
    let mails: any MailQueueStore
}

/// The stores of devices: links to accounts, registrations and keys.
struct DeviceStores: Sendable {
    let links: any DeviceLinkStore
    let registered: any OwnedDeviceStore
    let keys: any DeviceKeyStore
}

/// The stores of sessions, of browsers' sessions, of the links to what was set up in a session, of used proofs, and of
/// clients that are to be told of a session's end.
package struct SessionStores: Sendable {
    package let sessions: any SessionStore
    let browsers: any WebSessionStore
    let descents: any DescentStore
    let usedMarks: any UsedMarkStore
    let logouts: any LogoutNoticeStore
}

/// The stores of the authorization server.
struct OAuthStores: Sendable {
    let clients: any OAuthClientStore
    let grants: any OAuthGrantStore
    let interactions: any InteractionStore
    let codes: any AuthorizationCodeStore
    let pushedRequests: any PushedRequestStore
    let consents: any ConsentStore
    let backchannel: any BackchannelStore
    let deviceAuthorizations: any DeviceAuthorizationStore
}

/// The stores of banks, cards and payments.
struct WalletStores: Sendable {
    let banks: any BankEnrolmentStore
    let cards: any WalletStore
    let payments: any PaymentStore
}
