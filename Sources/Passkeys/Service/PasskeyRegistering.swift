package import Kernel

/// A request to create a passkey.
package struct RegisterPasskey: Sendable {
    package let ceremony: PasskeyCeremony
    /// The caller's account; `nil` if the caller is not signed in.
    package let asker: AccountID?
    /// The user's name as typed; `nil` for the caller's own account.
    package let name: String?
    package let preferences: RegistrationPreferences
    package let access: Access
    /// The relying party's name to show to people; `nil` for the configured one.
    package let rpName: String?

    package init(
        ceremony: PasskeyCeremony,
        asker: AccountID?,
        name: String?,
        preferences: RegistrationPreferences,
        access: Access,
        rpName: String? = nil
    ) {
        self.ceremony = ceremony
        self.asker = asker
        self.name = name
        self.preferences = preferences
        self.access = access
        self.rpName = rpName
    }

    /// The accounts that may get the passkey.
    package struct Access: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// A new account under a free user name, which may have the form of an address.
        package static let new = Access(rawValue: 1)
        /// The caller's own account, after a recent sign-in.
        package static let own = Access(rawValue: 2)
    }
}

/// A verified response to a registration's options, still to be registered in a unit of work.
package struct CheckedRegistration: Sendable {
    let challenge: PasskeyChallenge
    let purpose: PasskeyChallenge.Registration
    let verified: VerifiedRegistration

    /// The account of the new passkey; `nil` if a new account is opened.
    package var account: AccountID? { purpose.account }
}

extension PasskeyService {
    /// Begins a registration, and returns the options for the browser.
    ///
    /// - Throws: ``PasskeyError/nameTaken`` for another user's name, ``PasskeyError/badName``,
    ///   ``PasskeyError/registrationClosed``, ``PasskeyError/signInTooOld``, ``PasskeyError/tooMany``.
    package func begin(_ request: RegisterPasskey) async throws -> CreationOptions {
        let party = try relyingParty(request.ceremony.rpID).called(request.rpName)
        var preferences = request.preferences
        preferences.userVerification = request.ceremony.userVerification
        preferences.attestation = max(policy.attestation.conveyance, preferences.attestation)
        return try await unitOfWork.run { [preferences] transaction in
            let person = try person(for: request, in: transaction)
            let owned = try owned(by: person.account, in: transaction)
            let handle = owned.first?.credential.userHandle ?? environment.randomBytes(32)
            let purpose = PasskeyChallenge.Registration(
                account: person.account,
                name: person.name,
                userHandle: handle,
                algorithms: preferences.algorithms,
                residentKey: preferences.residentKey,
                attestation: preferences.attestation
            )
            return CreationOptions(
                challenge: try open(.registration(purpose), request.ceremony, in: transaction),
                relyingParty: party,
                user: RegisteringUser(handle: handle, name: person.name, displayName: person.displayName),
                preferences: preferences,
                excluded: owned.filter { $0.rpID == party.id }.map(\.descriptor)
            )
        }
    }

    /// Checks the response to a registration's options, without using the challenge up.
    ///
    /// - Throws: ``PasskeyError/challengeOver``, ``PasskeyError/ceremony(_:)``.
    package func check(
        registration json: JSONValue,
        from binding: ChallengeBinding
    ) async throws -> CheckedRegistration {
        let response: RegistrationResponse
        do throws(CeremonyError) { response = try RegistrationResponse(json: json) } catch {
            throw PasskeyError.ceremony(error)
        }
        let (challenge, bytes) = try await challenge(answeredBy: response.clientData, .registration(6), from: binding)
        guard case .registration(let purpose) = challenge.purpose else { throw PasskeyError.challengeOver }
        let expectation = RegistrationExpectation(
            challenge: bytes,
            relyingParty: try relyingParty(challenge.rpID),
            preferences: RegistrationPreferences(
                algorithms: purpose.algorithms,
                residentKey: purpose.residentKey,
                userVerification: challenge.userVerification,
                attestation: purpose.attestation
            ),
            // Conditional creation is not offered.
            isConditional: false,
            allowsBackupEligible: true,
            attestation: policy.attestation(asked: purpose.attestation),
            now: environment.now()
        )
        do throws(CeremonyError) {
            let verified = try await Registration.verify(response, expectation)
            return CheckedRegistration(challenge: challenge, purpose: purpose, verified: verified)
        } catch { throw PasskeyError.ceremony(error) }
    }

    /// Stores the passkey, uses the challenge up and opens the account if it is new, in the caller's unit of work.
    ///
    /// `client`: the client in which the registration is made. `requester`: the person behind it, for the mail to the
    /// owner. `countsFrom`: the time from which the passkey counts for clients that require one; `nil` for at once.
    ///
    /// - Throws: ``PasskeyError``, after which the unit of work must be rolled back.
    package func register(
        _ checked: CheckedRegistration,
        client: String,
        requester: Requester,
        countsFrom: Instant? = nil,
        in transaction: borrowing Transaction
    ) throws -> Passkey {
        let now = environment.now()
        guard try stores.challenges.use(checked.challenge.digest, at: now, in: transaction) else {
            throw PasskeyError.challengeOver
        }
        let isKnown = try isTaken(checked.verified.credentialID, in: transaction)
        guard let record = try? checked.verified.record(isRegistered: isKnown) else {
            throw PasskeyError.registeredAlready
        }
        let account = try account(of: checked.purpose, in: transaction)
        let passkey = Passkey(
            id: environment.newID(of: account),
            account: account,
            rpID: checked.challenge.rpID,
            credential: OwnedCredential(record, userHandle: checked.purpose.userHandle),
            createdAt: now,
            countsFrom: countsFrom
        )
        guard try stores.passkeys.insert(passkey, in: transaction) else { throw PasskeyError.registeredAlready }
        try auditLog.append(AuditRecord(PasskeyAuditEvent.added, of: passkey.id, account: account), in: transaction)
        if checked.purpose.account != nil {
            try notices.notify(.added, of: account, client: client, requester: requester, in: transaction)
        }
        return passkey
    }

    /// The user of a new passkey.
    private struct Subject {
        /// `nil` for an account that does not exist yet.
        let account: AccountID?
        let name: String
        let displayName: String
    }

    private func person(for request: RegisterPasskey, in transaction: borrowing Transaction) throws -> Subject {
        if let name = request.name {
            if let asker = request.asker, let own = try person(asker, ifNamed: name, in: transaction) {
                guard request.access.contains(.own) else { throw PasskeyError.signInTooOld }
                return Subject(account: asker, name: own.name, displayName: own.displayName)
            }
            // All names but the caller's own are treated alike. A name in the form of an address is looked up only
            // among user names, because a lookup among addresses would reveal which exist.
            guard request.access.contains(.new) else { throw PasskeyError.registrationClosed }
            guard people.canBeNamed(name) else { throw PasskeyError.badName }
            guard try people.person(called: name, in: transaction) == nil else { throw PasskeyError.nameTaken }
            return Subject(account: nil, name: name, displayName: name)
        }
        guard let asker = request.asker, let person = try people.person(asker, in: transaction) else {
            throw PasskeyError.notFound
        }
        guard request.access.contains(.own) else { throw PasskeyError.signInTooOld }
        return Subject(account: asker, name: person.name, displayName: person.displayName)
    }

    /// Returns the account, if `name` is its address or its user name.
    private func person(
        _ account: AccountID,
        ifNamed name: String,
        in transaction: borrowing Transaction
    ) throws -> PasskeyPerson? {
        if let own = try people.person(named: name, in: transaction), own.account == account { return own }
        let own = try people.person(called: name, in: transaction)
        return own?.account == account ? own : nil
    }

    private func owned(by account: AccountID?, in transaction: borrowing Transaction) throws -> [Passkey] {
        guard let account else { return [] }
        let owned = try stores.passkeys.list(of: account, limit: OwnedPasskeys.mostOwned, in: transaction)
        guard owned.count < OwnedPasskeys.mostOwned else { throw PasskeyError.tooMany }
        return owned
    }

    /// Whether an account or a decoy has that credential id.
    ///
    /// Otherwise a registration would reveal which ids are decoys. An id is unique across all relying parties, so the
    /// decoys of each are checked.
    private func isTaken(_ id: CredentialID, in transaction: borrowing Transaction) throws -> Bool {
        let isDecoy = policy.relyingParties.values.contains { decoys.contains(id, relyingParty: $0) }
        return try stores.passkeys.find(id, in: transaction) != nil || isDecoy
    }

    private func account(
        of purpose: PasskeyChallenge.Registration,
        in transaction: borrowing Transaction
    ) throws -> AccountID {
        guard let account = purpose.account else { return try people.open(named: purpose.name, in: transaction) }
        guard try people.person(account, in: transaction)?.isActive == true else { throw PasskeyError.challengeOver }
        _ = try owned(by: account, in: transaction)
        return account
    }
}

extension AttestationConveyance: Comparable {
    /// Ordered by the strength of the requirement.
    package static func < (left: Self, right: Self) -> Bool {
        guard let left = allCases.firstIndex(of: left), let right = allCases.firstIndex(of: right) else { return false }
        return left < right
    }
}
