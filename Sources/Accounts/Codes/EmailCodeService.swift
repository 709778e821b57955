package import Kernel

/// A request to send a code.
package struct EmailCodeRequest: Sendable {
    package let email: EmailAddress
    /// The requesting device's own name.
    package let device: DeviceName
    /// The person behind the request, whom the mail describes.
    package let requester: Requester
    /// The name of the service that the person signs in to.
    package let service: String
    /// The turn of a mail to an address without an account, where a code opens one; `nil` where it opens none.
    package let newcomer: MailboxTurn?

    package init(
        email: EmailAddress,
        device: DeviceName,
        requester: Requester,
        service: String,
        newcomer: MailboxTurn? = nil
    ) {
        self.email = email
        self.device = device
        self.requester = requester
        self.service = service
        self.newcomer = newcomer
    }
}

/// Typed digits, and the code that they are for.
package struct EmailCodeTry: Sendable {
    package let code: Name
    package let device: DeviceName
    package let digits: Secret

    /// The way in which a try names its code.
    package enum Name: Sendable, Equatable {
        case challenge(EmailCodeID)
        /// The code that the device requested for that address.
        case address(EmailAddress)
    }

    package init(code: Name, device: DeviceName, digits: Secret) {
        self.code = code
        self.device = device
        self.digits = digits
    }
}

/// The outcome of a try.
package enum EmailCodeOutcome: Sendable, Equatable {
    /// The code was right and is used up: the person who typed it reads the account's mail.
    case proven(EmailCode)
    /// The code is wrong, ended, unknown, or was requested by another device.
    case refused
    case tooMany(retryAfter: Duration)
}

/// The reason for not sending a code.
package enum EmailCodeError: Error, Equatable, Sendable {
    case tooMany(retryAfter: Duration)
}

/// The use cases of codes by mail.
///
/// An unknown address, or one of a disabled account, gets no mail, and is otherwise treated like any other. It has a
/// row, limits and tries, under a placeholder account id. Where a code opens an account, an unknown address gets the
/// same mail as any other.
package struct EmailCodeService: Sendable {
    /// Returns the account's linked device that a request proves, for placeholder accounts as for real ones.
    package typealias Recognition = @Sendable (AccountID, borrowing Transaction) throws -> DeviceID?

    private let environment: Environment
    private let unitOfWork: any UnitOfWork
    private let accounts: any AccountStore
    private let store: any EmailCodeStore
    private let lockouts: Lockouts
    private let mailer: any CodeMailer
    private let factory: EmailCodeFactory
    private let address: @Sendable (Secret) -> Secret

    /// `address`: makes the address of the page that shows the code, from a link's token.
    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        accounts: any AccountStore,
        store: any EmailCodeStore,
        lockouts: Lockouts,
        mailer: any CodeMailer,
        factory: EmailCodeFactory,
        address: @escaping @Sendable (Secret) -> Secret
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.accounts = accounts
        self.store = store
        self.lockouts = lockouts
        self.mailer = mailer
        self.factory = factory
        self.address = address
    }

    /// Sends a code, with the same answer for every address.
    ///
    /// - Throws: ``EmailCodeError``, ``MailError``.
    package func send(_ request: EmailCodeRequest, recognise: @escaping Recognition) async throws -> EmailCodeID {
        try await unitOfWork.run { transaction in
            let now = environment.now()
            let address = factory.digest(of: request.email)
            let candidate = try accounts.candidate(email: request.email, provider: "", in: transaction)
            let owner = candidate.flatMap { $0.state == .active ? $0.account : nil }
            let account = owner ?? factory.placeholderAccount(for: address)
            let linked = try recognise(account, transaction)
            let use = try use(of: account, linked, now, in: transaction)
            if let wait = Self.wait(for: use, at: now) { throw EmailCodeError.tooMany(retryAfter: wait) }
            let token = environment.newSecret()
            let digits = factory.digits(of: token)
            let id = EmailCodeID(environment.newUUID())
            let code = EmailCode(
                id: id,
                recipient: EmailCode.Recipient(account: account, address: address),
                device: request.device,
                linkedDevice: linked,
                digests: EmailCode.Digests(
                    digits: factory.digest(of: digits, for: id),
                    link: Digest256(sha256: token)
                ),
                validity: ValidityPeriod(createdAt: now, expiresAt: now + EmailCodePolicy.lifetime)
            )
            try store.insert(code, in: transaction)
            let mail = mail(digits, for: request, link: token, until: code.validity.expiresAt)
            let opensAccount = candidate == nil && request.newcomer?.isGranted() == true
            if owner != nil || opensAccount {
                try mailer.enqueue(mail, in: transaction)
            } else {
                try mailer.rehearse(mail, in: transaction)
            }
            return id
        }
    }

    /// Redeems typed digits in the unit of work of their sign-in.
    ///
    /// A wrong try is written, here and in the account's lockouts, so that the caller must not roll its unit back for
    /// one. A code that a linked device requested accepts digits from that device alone, so that other callers can't
    /// use up its tries.
    package func redeem(
        _ attempt: EmailCodeTry,
        recognise: Recognition,
        in transaction: borrowing Transaction
    ) throws -> EmailCodeOutcome {
        let now = environment.now()
        guard let code = try find(attempt, in: transaction), code.device == attempt.device, code.isLive(at: now) else {
            return .refused
        }
        let account = code.recipient.account
        if let linked = code.linkedDevice {
            guard try recognise(account, transaction) == linked else { return .refused }
        }
        let use = try use(of: account, code.linkedDevice, now, in: transaction)
        if let wait = Self.waitAfterWrongTries(use, at: now) { return .tooMany(retryAfter: wait) }
        let subject = LockoutSubject(account, linked: code.linkedDevice)
        do { try lockouts.attempt(subject, in: transaction) } catch let lockedOut as LockedOutError {
            return .tooMany(retryAfter: lockedOut.wait)
        }
        guard code.digests.digits.matches(factory.digest(of: attempt.digits, for: code.id)) else {
            try store.noteWrongTry(of: code.id, in: transaction)
            if code.wrongTries + 1 == EmailCodePolicy.tries { _ = try store.end(code.id, at: now, in: transaction) }
            return .refused
        }
        guard try store.end(code.id, at: now, in: transaction) else { return .refused }
        try lockouts.succeeded(subject, in: transaction)
        return .proven(code)
    }

    /// Returns the digits of a link's code while they can be typed, and changes nothing.
    package func digits(of token: Secret) async throws -> ShownCode? {
        let now = environment.now()
        guard let code = try await store.find(link: Digest256(sha256: token)), code.isLive(at: now) else {
            return nil
        }
        return ShownCode(
            digits: factory.digits(of: token),
            client: code.device.client,
            expiresIn: code.validity.expiresAt - now
        )
    }

    /// Whether the code was sent to that address.
    package func isFor(_ code: EmailCode, _ email: EmailAddress) -> Bool {
        code.recipient.address == factory.digest(of: email)
    }

    /// Whether the code was sent to that address while no account had it, and none has it now.
    package func isForNewcomer(
        _ code: EmailCode,
        _ email: EmailAddress,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard isFor(code, email),
            code.recipient.account == factory.placeholderAccount(for: code.recipient.address)
        else { return false }
        return try accounts.candidate(email: email, provider: "", in: transaction) == nil
    }

    private func find(_ attempt: EmailCodeTry, in transaction: borrowing Transaction) throws -> EmailCode? {
        switch attempt.code {
        case .challenge(let id): try store.find(id, in: transaction)
        case .address(let email):
            try store.find(address: factory.digest(of: email), device: attempt.device, in: transaction)
        }
    }

    private func mail(
        _ digits: Secret,
        for request: EmailCodeRequest,
        link token: Secret,
        until end: Instant
    ) -> AccountMail {
        AccountMail(
            to: request.email,
            requester: request.requester,
            service: request.service,
            client: request.device.client,
            content: .signInCode(digits, link: address(token), expiresAt: end)
        )
    }

    private func use(
        of account: AccountID,
        _ linked: DeviceID?,
        _ now: Instant,
        in transaction: borrowing Transaction
    ) throws -> EmailCodeUse {
        try store.use(
            of: account,
            on: linked,
            codesSince: now - EmailCodePolicy.codeWindow,
            triesSince: now - EmailCodePolicy.tryWindow,
            in: transaction
        )
    }

    /// Returns the wait until the next code is sent; `nil` if it can be sent now.
    private static func wait(for use: EmailCodeUse, at now: Instant) -> Duration? {
        if let wait = waitAfterWrongTries(use, at: now) { return wait }
        guard use.codes >= EmailCodePolicy.codes, let first = use.firstCode else { return nil }
        return first + EmailCodePolicy.codeWindow - now
    }

    private static func waitAfterWrongTries(_ use: EmailCodeUse, at now: Instant) -> Duration? {
        guard use.wrongTries >= EmailCodePolicy.wrongTries, let first = use.firstWrong else { return nil }
        return first + EmailCodePolicy.tryWindow - now
    }
}

/// A code as its page shows it.
package struct ShownCode: Sendable {
    package let digits: Secret
    /// The client that the person signs in to.
    package let client: String
    package let expiresIn: Duration
}
