package import Accounts
package import Kernel
import Operations

/// Opens accounts, and signs their owners in.
package struct AccountOpening: Sendable {
    /// The mail that proves the address of a new account.
    package struct ProofMail: Sendable {
        let email: EmailAddress
        let turn: MailboxTurn
        /// The client at which the person opens the account, which the mail names.
        let client: String
        let requester: Requester

        package init(to email: EmailAddress, turn: MailboxTurn, client: String, requester: Requester) {
            self.email = email
            self.turn = turn
            self.client = client
            self.requester = requester
        }
    }

    /// The request names a device that the new account may not have.
    package struct ForeignDeviceError: Error {}

    private let registrations: RegistrationService
    private let proofs: AddressProofService
    private let door: Door
    private let unitOfWork: any UnitOfWork

    package init(
        registrations: RegistrationService,
        proofs: AddressProofService,
        door: Door,
        unitOfWork: any UnitOfWork
    ) {
        self.registrations = registrations
        self.proofs = proofs
        self.door = door
        self.unitOfWork = unitOfWork
    }

    /// Stores the account, opens its first session, and mails the link that proves its address, in one unit of work.
    ///
    /// - Parameters:
    ///   - record: The prepared account.
    ///   - request: The owner's sign-in.
    ///   - needsDevice: Whether the request names its device by id alone, and is refused if the new account can't have
    ///     that device.
    ///   - mail: The mail; `nil` for an account without an address.
    ///   - work: Runs in the same unit of work; an error that it throws undoes everything.
    /// - Returns: The session; `nil` if the account can't sign in.
    /// - Throws: ``ForeignDeviceError``; the errors of `work` and ``PresentedKey/use``; ``StoreError``.
    package func open(
        _ record: AccountRecord,
        _ request: SignInRequest,
        needsDevice: Bool,
        mail: ProofMail?,
        alongside work: SessionWork? = nil
    ) async throws -> OpenedSession? {
        try await unitOfWork.run { [registrations, door, proofs] transaction in
            try registrations.open(record, in: transaction)
            let opened = try door.open(request, in: transaction)
            guard !needsDevice || opened?.claims.deviceID != nil else { throw ForeignDeviceError() }
            if let opened { try work?(opened, transaction) }
            // Last, so that a refused request takes no mail from the mailbox's budget.
            guard let mail else { return opened }
            try proofs.send(
                to: mail.email,
                of: record.account.id,
                requester: mail.requester,
                client: mail.client,
                turn: mail.turn,
                in: transaction
            )
            return opened
        }
    }
}
