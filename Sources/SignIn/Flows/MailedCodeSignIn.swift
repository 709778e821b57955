package import Accounts
package import Kernel

/// Signs people in by a code from their mailbox, which proves the address as well.
package struct MailedCodeSignIn: Sendable {
    /// The outcome of typing a code.
    package enum Outcome: Sendable {
        case opened(OpenedSession)
        case refused
        /// The code was right, but an account was opened with the address elsewhere and has not verified it.
        ///
        /// The mailbox gets the link that verifies the address, whose page says what that removes.
        case unverified
        case tooMany(Duration)
    }

    private let codes: EmailCodeService
    private let proofs: AddressProofService
    private let door: Door
    private let unitOfWork: any UnitOfWork

    package init(codes: EmailCodeService, proofs: AddressProofService, door: Door, unitOfWork: any UnitOfWork) {
        self.codes = codes
        self.proofs = proofs
        self.door = door
        self.unitOfWork = unitOfWork
    }

    /// Uses a code up and opens a session.
    ///
    /// The first code that verifies an address ends other access to the account.
    ///
    /// - Parameters:
    ///   - attempt: The code, and its caller.
    ///   - requester: The person behind the request, for the notice that other access has ended.
    ///   - recognise: Finds the account's linked device that the request proves.
    ///   - registrations: Opens an account for an address without one; `nil` where a code opens none.
    ///   - request: Returns the sign-in to the account of the code.
    ///   - work: Runs in the same unit of work; an error that it throws undoes the sign-in.
    /// - Returns: The session, or the reason for none.
    /// - Throws: The errors of `work` and ``PresentedKey/use``; ``StoreError``.
    package func open(
        _ attempt: EmailCodeTry,
        requester: Requester,
        recognise: @escaping EmailCodeService.Recognition,
        opening registrations: RegistrationService? = nil,
        request: @escaping @Sendable (AccountID) -> SignInRequest,
        alongside work: SessionWork? = nil
    ) async throws -> Outcome {
        let (outcome, endsOthers) = try await unitOfWork.run { transaction in
            let found = try open(
                attempt,
                requester: requester,
                recognise: recognise,
                opening: registrations,
                request: request,
                in: transaction
            )
            if case .opened(let opened) = found.0 { try work?(opened, transaction) }
            return found
        }
        if case .opened(let opened) = outcome, endsOthers { try await proofs.settle(opened.claims.account) }
        return outcome
    }

    private func open(
        _ attempt: EmailCodeTry,
        requester: Requester,
        recognise: EmailCodeService.Recognition,
        opening registrations: RegistrationService?,
        request: (AccountID) -> SignInRequest,
        in transaction: borrowing Transaction
    ) throws -> (Outcome, endsOthers: Bool) {
        switch try codes.redeem(attempt, recognise: recognise, in: transaction) {
        case .refused: return (.refused, false)
        case .tooMany(let wait): return (.tooMany(wait), false)
        case .proven(let code):
            if let registrations, case .address(let email) = attempt.code,
                try codes.isForNewcomer(code, email, in: transaction)
            {
                let claiming = try proofs.unverifiedAccounts(openedWith: email, in: transaction)
                guard let oldest = claiming.first else {
                    return (try open(email, by: registrations, request: request, in: transaction), false)
                }
                let own = try claiming.first { try recognise($0, transaction) != nil }
                return try verify(
                    email,
                    of: own ?? oldest,
                    isOwnDevice: own != nil,
                    requester: requester,
                    client: attempt.device.client,
                    request: request,
                    in: transaction
                )
            }
            let account = code.recipient.account
            let note = try proofs.note(
                account,
                isOwnDevice: try recognise(account, transaction) != nil,
                requester: requester,
                client: attempt.device.client,
                in: transaction
            ) { codes.isFor(code, $0) }
            // `.notTheirs`: the account has lost the address since the code was sent.
            guard note != .notTheirs, let opened = try door.open(request(account), in: transaction) else {
                return (.refused, false)
            }
            return (.opened(opened), note != .provenBefore)
        }
    }

    /// Verifies the address of the account that was opened with it, and signs in to it, on a device of its own.
    ///
    /// Whoever opened the account may be somebody else than the reader of the mailbox (pre-hijacking; Sudhodanan and
    /// Paverd, 2022). So a code from elsewhere neither leads into the account nor opens another beside it, which would
    /// lock its owner out. The mailbox gets the link instead, as at the registration.
    private func verify(
        _ email: EmailAddress,
        of account: AccountID,
        isOwnDevice: Bool,
        requester: Requester,
        client: String,
        request: (AccountID) -> SignInRequest,
        in transaction: borrowing Transaction
    ) throws -> (Outcome, endsOthers: Bool) {
        guard isOwnDevice else {
            // The codes themselves are limited, and each makes one mail at most.
            let turn = MailboxTurn { true }
            try proofs.send(to: email, of: account, requester: requester, client: client, turn: turn, in: transaction)
            return (.unverified, false)
        }
        let note = try proofs.note(
            account,
            isOwnDevice: true,
            requester: requester,
            client: client,
            in: transaction
        ) { $0 == email }
        guard note != .notTheirs, let opened = try door.open(request(account), in: transaction) else {
            return (.refused, false)
        }
        return (.opened(opened), false)
    }

    /// Opens an account for the address that the code has proved, and its first session.
    private func open(
        _ email: EmailAddress,
        by registrations: RegistrationService,
        request: (AccountID) -> SignInRequest,
        in transaction: borrowing Transaction
    ) throws -> Outcome {
        var signIn = request(try registrations.open(email, in: transaction))
        // A new account has nobody to tell of a new device.
        signIn.device.requester = nil
        return try door.open(signIn, in: transaction).map { .opened($0) } ?? .refused
    }
}
