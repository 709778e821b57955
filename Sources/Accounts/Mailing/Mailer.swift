package import Kernel

/// Port: sends mail to people about their account.
package protocol Mailer: Sendable {
    /// Puts a mail in the queue, in the caller's unit of work: it is sent if, and only if, the unit becomes durable.
    ///
    /// Nothing is delivered before this returns, and a mail server's errors are not reported here.
    ///
    /// - Throws: ``MailError``, ``StoreError``.
    func enqueue(_ mail: AccountMail, in transaction: borrowing Transaction) throws
}

/// The reason for not accepting a mail.
package enum MailError: Error, Equatable, Sendable {
    /// Too many mails wait for a mail server that does not accept them.
    case queueFull
    /// The mail can't be sent to such an address (RFC 5321 §4.1.2).
    case unmailableAddress
}

/// A mail to a person.
package struct AccountMail: Sendable, Equatable {
    package let to: EmailAddress
    /// The person behind the request: a language without texts gets English.
    package let requester: Requester
    /// The name of the service that the person signs in to.
    package let service: String
    /// The client whose brand the mail has; `nil` for the owner's.
    package let client: String?
    package let content: Content

    /// The content of a mail.
    ///
    /// A sign-in code is the only run of six digits in any mail. So neither a person nor a phone that reads codes out
    /// of mails can take anything else for one. The transport's form of the mail ensures this for links too.
    package enum Content: Sendable, Equatable {
        /// A code to type on the requesting device, with a `link` to a page that shows it, for mail that is read
        /// elsewhere.
        case signInCode(Secret, link: Secret?, expiresAt: Instant)
        /// A link that proves that the address is the person's, and a code that does the same in the app where they are
        /// signed in.
        case addressProof(link: Secret, code: Secret, expiresAt: Instant)
        /// The address was verified by that code, and `device` is the name of the device that stays signed in, if it
        /// has one.
        case addressProvenInApp(device: String?)
        /// Tells the owner that something of the account was changed.
        case notice(AccountNotice)
    }

    package init(
        to: EmailAddress,
        requester: Requester,
        service: String,
        client: String? = nil,
        content: Content
    ) {
        self.to = to
        self.requester = requester
        self.service = service
        self.client = client
        self.content = content
    }
}

/// A notice to an account's owner.
package enum AccountNotice: String, Sendable, CaseIterable {
    case passkeyAdded = "passkey_added"
    case passkeyRemoved = "passkey_removed"
    /// A device can sign in with its own key.
    case deviceKeyAdded = "device_key_added"
    case deviceKeyReplaced = "device_key_replaced"
    /// A session replaced the credential without presenting the previous one.
    case deviceCredentialReplaced = "device_credential_replaced"
    case deviceAdded = "device_added"
    case faceEnrolled = "face_enrolled"
    case passwordChanged = "password_changed"
    /// Sent to the address that was replaced.
    case emailChanged = "email_changed"
    /// The address was verified from another device: all earlier access was removed.
    case earlierAccessRemoved = "earlier_access_removed"
    case passwordRemoved = "password_removed"
    case faceWithdrawn = "face_withdrawn"
    case accountClosed = "account_closed"
}
