package import Kernel

/// A request to create a passkey.
package struct RegisterPasskey: Sendable {
    package let ceremony: PasskeyCeremony
    /// The signed-in account.
    package let asker: AccountID?
    /// The user's name as typed; `nil` for the caller.
    package let name: String?
    package let preferences: RegistrationPreferences
    package let access: Access
    /// The relying party's name that people are shown; `nil` for its own name.
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

    /// The accounts that the passkey may be for.
    package struct Access: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// A new account, under a free name; an address is not a name.
        package static let new = Access(rawValue: 1)
        /// The asker's own, whose sign-in is fresh enough for it.
        package static let own = Access(rawValue: 2)
    }
}

/// A checked answer to a registration's options, except for the checks of its unit of work.
package struct CheckedRegistration: Sendable {
    let challenge: PasskeyChallenge
    let purpose: PasskeyChallenge.Registration
    let verified: VerifiedRegistration

    /// The account of the new passkey; `nil` opens an account.
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

    /// Looks at the answer to a registration's options; nothing is used up yet.
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

    /// Stores the passkey and uses its challenge up, in the caller's unit of work; opens the account if it is a new
    /// one.
    ///
    /// `client`: the client in which the registration is made. `language`: the language of the notice.
    ///
    /// - Throws: ``PasskeyError``; the unit must be rolled back for each.
    package func register(
        _ checked: CheckedRegistration,
        client: String,
        language: String,
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
            id: environment.newID(),
            account: account,
            rpID: checked.challenge.rpID,
            credential: OwnedCredential(record, userHandle: checked.purpose.userHandle),
            createdAt: now
        )
        guard try stores.passkeys.insert(passkey, in: transaction) else { throw PasskeyError.registeredAlready }
        try auditLog.append(AuditRecord(PasskeyAuditEvent.added, of: passkey.id, account: account), in: transaction)
        if checked.purpose.account != nil {
            try notices.notify(.added, of: account, client: client, language: language, in: transaction)
        }
        return passkey
    }

    /// The user of a new passkey.
    private struct Subject {
        /// `nil` for an account that is not there yet.
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
            // The rest is the same for any other user's name. An address is not looked up among accounts, which would
            // reveal the ones that exist: as a user name it is in a separate space.
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

    /// The account, if that is an address or the user name of it.
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

    /// Whether an account or a decoy has that id: otherwise registrations would tell a decoy's id from an account's.
    ///
    /// An id is one account's for all relying parties, so that the decoys of each are checked.
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
