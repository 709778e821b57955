/// The content of `pages/sign-in-identifier.mustache`, which asks who signs in.
struct SignInIdentifierContent: Sendable {
    let title: String
    let lead: String
    /// The address of the page itself.
    let page: String
    let field: Field
    let offersPasskey: Bool
    let opensAccounts: Bool
    /// The address of the account page; `nil` where people can set up a way on this one.
    let account: String?
    let cancel: String

    /// The name in the field, and what is wrong with it.
    struct Field: Sendable {
        let typed: String
        let fault: String?
    }
}

/// The content of `pages/sign-in-ways.mustache`, which lists the ways to sign in.
struct SignInWaysContent: Sendable {
    let title: String
    let lead: String
    let page: String
    /// The name for which the ways are.
    let identifier: String
    let ways: [Way]
    let help: Help
    let fault: String?
    let cancel: String

    /// What helps a person who has none of the ways.
    struct Help: Sendable {
        let hint: String?
        /// The address of the account page; `nil` where people can set up a way on this one.
        let account: String?
    }

    /// One way, which is what one of the members says.
    struct Way: Sendable {
        /// A sentence above the way.
        let note: String?
        /// Whether another way comes first.
        let isPlain: Bool
        let isPasskey: Bool
        let newPasskey: NewPasskey?
        let isFace: Bool
        let isMail: Bool
        let isPassword: Bool
        let isEnrolment: Bool
    }

    /// The way to add a passkey.
    struct NewPasskey: Sendable {
        let passkeyWait: PasskeyWait?
    }
}

/// The content of `pages/sign-in-code.mustache`, which takes a mailed code.
struct SignInCodeContent: Sendable {
    let title: String
    let lead: String
    let page: String
    let email: String
    /// Whether the browser can keep a passkey, for the form.
    let able: String
    let fault: String?
    let cancel: String
}

/// The content of `pages/sign-in-offer.mustache`, which offers a passkey.
struct SignInOfferContent: Sendable {
    let title: String
    let lead: String
    let page: String
    let passkeyWait: PasskeyWait?
}

/// The content of `pages/sign-in-up.mustache`, which opens an account.
struct SignInUpContent: Sendable {
    let title: String
    let page: String
    let offersPasskey: Bool
    /// `nil` where a password opens no account.
    let byPassword: ByPassword?
    let fault: String?
    let cancel: String

    /// The form with an address and a password.
    struct ByPassword: Sendable {
        let email: String
        let name: String
        let passwordHint: String
        /// Whether another form comes first.
        let isPlain: Bool
    }
}
