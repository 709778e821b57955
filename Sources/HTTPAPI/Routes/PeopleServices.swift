package import Accounts
package import Devices
package import Kernel
package import Passkeys
package import Sessions
package import SignIn

/// Accounts, and sign-ins with a password.
package struct AccountServices: Sendable {
    package let accounts: AccountService
    package let registrations: RegistrationService
    package let opening: AccountOpening
    package let passwords: PasswordService
    package let passwordSignIn: PasswordSignIn
    package let owner: OwnerServices
    package let linked: LinkedDevices
    package let mail: MailProofServices

    package init(
        accounts: AccountService,
        registrations: RegistrationService,
        opening: AccountOpening,
        passwords: PasswordService,
        passwordSignIn: PasswordSignIn,
        owner: OwnerServices,
        linked: LinkedDevices,
        mail: MailProofServices
    ) {
        self.accounts = accounts
        self.registrations = registrations
        self.opening = opening
        self.passwords = passwords
        self.passwordSignIn = passwordSignIn
        self.owner = owner
        self.linked = linked
        self.mail = mail
    }
}

/// What signed-in people do with their own accounts.
package struct OwnerServices: Sendable {
    package let passwordChange: PasswordChange
    package let sessions: OwnSessions
    package let consents: ConsentWithdrawal
    package let means: MeansRemoval
    package let closing: AccountClosing

    package init(
        passwordChange: PasswordChange,
        sessions: OwnSessions,
        consents: ConsentWithdrawal,
        means: MeansRemoval,
        closing: AccountClosing
    ) {
        self.passwordChange = passwordChange
        self.sessions = sessions
        self.consents = consents
        self.means = means
        self.closing = closing
    }
}

/// Proofs by mail: sign-in codes, and confirmations of addresses.
package struct MailProofServices: Sendable {
    package let codes: EmailCodeService
    package let addresses: AddressProofService
    package let signIn: MailedCodeSignIn

    package init(
        codes: EmailCodeService,
        addresses: AddressProofService,
        signIn: MailedCodeSignIn
    ) {
        self.codes = codes
        self.addresses = addresses
        self.signIn = signIn
    }
}

/// Sessions: their tokens, their refreshes and sign-outs.
package struct SessionServices: Sendable {
    package let sessions: SessionService
    package let browsers: WebSessionService
    package let tokens: TokenSet
    /// Refreshes the token families of the config's clients.
    package let refreshes: RefreshService
    package let signOut: SignOut
    package let browserSignIn: BrowserSignIn
    package let deviceCookies: DeviceCookieFactory
    /// The devices on which accounts have signed in.
    package let links: DeviceLinks

    package init(
        sessions: SessionService,
        browsers: WebSessionService,
        tokens: TokenSet,
        refreshes: RefreshService,
        signOut: SignOut,
        browserSignIn: BrowserSignIn,
        deviceCookies: DeviceCookieFactory,
        links: DeviceLinks
    ) {
        self.sessions = sessions
        self.browsers = browsers
        self.tokens = tokens
        self.refreshes = refreshes
        self.signOut = signOut
        self.browserSignIn = browserSignIn
        self.deviceCookies = deviceCookies
        self.links = links
    }
}

/// Registered devices and their keys.
package struct DeviceServices: Sendable {
    package let registrar: DeviceRegistrar
    package let owned: OwnedDevices
    package let keys: DeviceKeyService
    package let signIn: DeviceKeySignIn

    package init(
        registrar: DeviceRegistrar,
        owned: OwnedDevices,
        keys: DeviceKeyService,
        signIn: DeviceKeySignIn
    ) {
        self.registrar = registrar
        self.owned = owned
        self.keys = keys
        self.signIn = signIn
    }
}

/// Passkeys: their ceremonies, their management and sign-ins with them.
package struct PasskeyServices: Sendable {
    package let service: PasskeyService
    package let owned: OwnedPasskeys
    package let changes: PasskeyChange
    package let signIn: PasskeySignIn
    package let descents: any DescentLinks
    /// The key of all daemons by which addresses are hashed, so that no row reveals an address.
    package let sourceKey: Secret

    package init(
        service: PasskeyService,
        owned: OwnedPasskeys,
        changes: PasskeyChange,
        signIn: PasskeySignIn,
        descents: any DescentLinks,
        sourceKey: Secret
    ) {
        self.service = service
        self.owned = owned
        self.changes = changes
        self.signIn = signIn
        self.descents = descents
        self.sourceKey = sourceKey
    }
}
