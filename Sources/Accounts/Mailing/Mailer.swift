package import Kernel

/// Port: sends mail to people about their account.
package protocol Mailer: Sendable {
    /// Puts a mail in the queue, in the caller's unit of work: it is sent if, and only if, that becomes durable.
    ///
    /// Nothing is delivered before this returns, and no fault of a mail server comes back here.
    ///
    /// - Throws: ``MailError``, or the store's fault.
    func enqueue(_ mail: AccountMail, in transaction: borrowing Transaction) throws
}

/// Why a mail is not taken.
package enum MailError: Error, Equatable, Sendable {
    /// Too many mails wait for a mail server that does not take them.
    case queueFull
    /// No mail can be addressed so (RFC 5321 §4.1.2).
    case unmailableAddress
}

/// A mail to a person.
package struct AccountMail: Sendable, Equatable {
    package let to: EmailAddress
    /// The language's tag, like `fr`; what we have no texts in gets English.
    package let language: String
    /// What the person knows as that which they sign in to.
    package let service: String
    package let content: Content

    /// What it says.
    ///
    /// Digits: a sign-in code is the only run of six in any mail, so that a person, or a phone that reads codes out of
    /// mails, can't take anything else for one. The transport's form of the mail sees to that for links too.
    package enum Content: Sendable, Equatable {
        /// A code to type on the device that asked. `link` opens a page that shows it, for whoever reads mail elsewhere.
        case signInCode(Secret, link: Secret?, expiresAt: Instant)
        /// A link that proves that the address is the person's, and a code that does the same in the app where they are
        /// signed in.
        case addressProof(link: Secret, code: Secret, expiresAt: Instant)
        /// The address was proven by that code: what the device is called that stays signed in, where it has a name.
        case addressProvenInApp(device: String?)
        /// Something of the account was changed; the owner is told.
        case notice(AccountNotice)
    }

    package init(to: EmailAddress, language: String, service: String, content: Content) {
        self.to = to
        self.language = language
        self.service = service
        self.content = content
    }
}

/// What an account's owner is told of.
package enum AccountNotice: String, Sendable, CaseIterable {
    case passkeyAdded = "passkey_added"
    case passkeyRemoved = "passkey_removed"
    /// A device can sign in with its own key.
    case deviceKeyAdded = "device_key_added"
    case deviceKeyReplaced = "device_key_replaced"
    /// By a session alone, without the credential of before.
    case deviceCredentialReplaced = "device_credential_replaced"
    case deviceAdded = "device_added"
    case faceEnrolled = "face_enrolled"
    case passwordChanged = "password_changed"
    /// Goes to the address that was replaced.
    case emailChanged = "email_changed"
    /// Another device proved the address: all that was set up before it was removed.
    case earlierAccessRemoved = "earlier_access_removed"
}
