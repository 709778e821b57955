package import Kernel

/// A request to sign in with a passkey.
package struct SignInByPasskey: Sendable {
    package let ceremony: PasskeyCeremony
    /// The name as typed; `nil` for any user.
    package let name: String?
    /// Milliseconds.
    package let timeout: Int
    /// Whether a name in the form of an address may also be a user name.
    package var takesUserNames = true

    package init(ceremony: PasskeyCeremony, name: String?, timeout: Int = CeremonyTimeout.usual) {
        self.ceremony = ceremony
        self.name = name
        self.timeout = timeout
    }
}

/// A verified signature and its passkey; the challenge is not used up yet.
package struct CheckedSignIn: Sendable {
    let challenge: PasskeyChallenge
    let passkey: Passkey
    let verified: VerifiedAuthentication

    package var account: AccountID { passkey.account }
    package var passkeyID: PasskeyID { passkey.id }
    package var passkeyMadeAt: Instant { passkey.createdAt }
    /// The time from which the passkey counts for clients that require one.
    package var passkeyCountsFrom: Instant { passkey.countsFrom }

    /// Whether the passkey can be on several devices.
    package var isSynced: Bool { passkey.credential.record.backup.isEligible }
    /// Whether the authenticator verified the user.
    package var isUserVerified: Bool { verified.isUserVerified }
}

extension PasskeyService {
    /// Begins a sign-in, and returns the options for the browser.
    ///
    /// An unknown name, or one without passkeys, gets decoys that are always the same for it. A name in the form of an
    /// address can belong to two users, as an address and as a user name. Then either may sign in, and the options
    /// still do not reveal whether the address exists.
    package func begin(_ request: SignInByPasskey) async throws -> RequestOptions {
        let party = try relyingParty(request.ceremony.rpID)
        return try await unitOfWork.run { transaction in
            var (asked, allowed) = (PasskeyChallenge.SignIn.anybody, [CredentialDescriptor]())
            if let name = request.name.map(people.normalised) {
                let person = try people.person(named: name, in: transaction)
                let owned = try person.map { try passkeys(of: $0.account, at: party, in: transaction) } ?? []
                let namesake = try namesake(of: person, name, request, in: transaction)
                asked = .named(namesake == nil ? name : Self.eitherOf + name, person?.account)
                allowed =
                    owned.isEmpty ? decoys.descriptors(for: name, relyingParty: party) : owned.map(\.descriptor)
                if let namesake {
                    allowed += try passkeys(of: namesake, at: party, in: transaction).map(\.descriptor)
                }
            }
            return RequestOptions(
                challenge: try open(.authentication(asked), request.ceremony, in: transaction),
                relyingParty: party,
                allowed: allowed,
                userVerification: request.ceremony.userVerification,
                timeout: request.timeout
            )
        }
    }

    /// The prefix of a name in a stored challenge, if the account with that user name may respond too.
    ///
    /// No name and no address has a colon.
    private static let eitherOf = "user:"

    /// Returns the account with that user name, if another account or none has the address.
    private func namesake(
        of person: PasskeyPerson?,
        _ name: String,
        _ request: SignInByPasskey,
        in transaction: borrowing Transaction
    ) throws -> AccountID? {
        guard request.takesUserNames, name.contains("@") else { return nil }
        let called = try people.person(called: name, in: transaction)?.account
        return called == person?.account ? nil : called
    }

    /// Whether the account has a passkey for that relying party.
    package func hasPasskey(_ account: AccountID, at rpID: String) async throws -> Bool {
        try await stores.passkeys.list(of: account, limit: OwnedPasskeys.mostOwned).contains { $0.rpID == rpID }
    }

    /// Whether the name's account has a passkey for that relying party, and `mayTell` allows to reveal it.
    package func hasPasskey(
        named name: String,
        at rpID: String,
        if mayTell: @escaping @Sendable (AccountID, borrowing Transaction) throws -> Bool
    ) async throws -> Bool {
        try await unitOfWork.read { [people, stores] transaction in
            guard let person = try people.person(named: name, in: transaction), person.isActive,
                try mayTell(person.account, transaction)
            else { return false }
            let owned = try stores.passkeys.list(of: person.account, limit: OwnedPasskeys.mostOwned, in: transaction)
            return owned.contains { $0.rpID == rpID }
        }
    }

    /// Checks the response to a sign-in's options, without using the challenge up.
    ///
    /// - Throws: ``PasskeyError/challengeOver``, ``PasskeyError/unknownPasskey``, ``PasskeyError/ceremony(_:)``; if a
    ///   name was given, ``PasskeyError/notAccepted`` instead of errors that depend on the passkey's owner.
    package func check(signIn json: JSONValue, from binding: ChallengeBinding) async throws -> CheckedSignIn {
        let response: AuthenticationResponse
        do throws(CeremonyError) { response = try AuthenticationResponse(json: json) } catch {
            throw PasskeyError.ceremony(error)
        }
        let (challenge, bytes) = try await challenge(answeredBy: response.clientData, .authentication(9), from: binding)
        guard case .authentication(let asked) = challenge.purpose else { throw PasskeyError.challengeOver }
        let party = try relyingParty(challenge.rpID)
        let found = try await stores.passkeys.find(response.id).flatMap { $0.rpID == party.id ? $0 : nil }
        let owned = try await owned(response.id, found: found, for: asked, at: party)
        let expectation = AuthenticationExpectation(
            challenge: bytes,
            relyingParty: party,
            // The credentials of the named account are not listed: `owned` has checked them.
            allowedCredentials: [],
            userHandle: asked == .anybody ? nil : owned.userHandle,
            requiresUserVerification: challenge.userVerification == .required,
            // `noteCloneSign` first records a counter that has not grown, and then refuses it if the policy says so.
            counterPolicy: .flag
        )
        let verified: VerifiedAuthentication
        do throws(CeremonyError) {
            verified = try Authentication.verify(response, by: owned, expectation)
        } catch { throw asked == .anybody ? PasskeyError.ceremony(error) : Self.veiled(error) }
        // Anyone can sign with the private key of decoys, so even a valid signature is refused.
        guard let found, found.credential == owned else {
            throw PasskeyError.notAccepted
        }
        if verified.counter == .notIncreased { try await noteCloneSign(of: found) }
        return CheckedSignIn(challenge: challenge, passkey: found, verified: verified)
    }

    /// Uses the challenge up and records the authenticator's new state, in the unit of work of the sign-in.
    ///
    /// - Throws: ``PasskeyError/challengeOver`` if the challenge was used meanwhile, or the passkey has changed or is
    ///   gone. The unit of work must then be rolled back.
    package func redeem(_ checked: CheckedSignIn, in transaction: borrowing Transaction) throws {
        let now = environment.now()
        let use = PasskeyUse(
            id: checked.passkey.id,
            countBefore: checked.passkey.credential.record.signCount,
            count: checked.verified.signCount,
            isBackedUp: checked.verified.isBackedUp,
            at: now
        )
        guard try stores.challenges.use(checked.challenge.digest, at: now, in: transaction),
            try stores.passkeys.noteUse(use, in: transaction)
        else { throw PasskeyError.challengeOver }
        if checked.verified.hasBackupChanged {
            try auditLog.append(
                AuditRecord(PasskeyAuditEvent.backupChanged, of: checked.passkey.id, account: checked.account),
                in: transaction
            )
        }
    }

    func passkeys(
        of account: AccountID,
        at party: RelyingParty,
        in transaction: borrowing Transaction
    ) throws -> [Passkey] {
        try stores.passkeys.list(of: account, limit: OwnedPasskeys.mostOwned, in: transaction).filter {
            $0.rpID == party.id
        }
    }

    /// Returns the credential to check the response against: the passkey's, or for a decoy one with an unused key.
    ///
    /// A wrong signature must cause the same error for a decoy as for a passkey: otherwise errors would reveal which
    /// names exist. That also holds for a decoy's id in a sign-in without a name.
    private func owned(
        _ id: CredentialID,
        found: Passkey?,
        for asked: PasskeyChallenge.SignIn,
        at party: RelyingParty
    ) async throws -> OwnedCredential {
        switch asked {
        case .anybody:
            if let found { return found.credential }
            guard decoys.contains(id, relyingParty: party), let owned = decoyed(id, party) else {
                throw PasskeyError.unknownPasskey
            }
            return owned
        case .named(let asked, let account):
            let isEither = asked.hasPrefix(Self.eitherOf)
            let name = isEither ? String(asked.dropFirst(Self.eitherOf.count)) : asked
            if let found {
                var isAsked = found.account == account
                if !isAsked, isEither { isAsked = try await isCalled(found.account, name) }
                if isAsked { return found.credential }
            }
            let decoys = decoys.descriptors(for: name, relyingParty: party)
            guard let decoy = decoys.first(where: { $0.id == id.text }), try await !hasAny(account, at: party),
                let owned = decoyed(id, party, transports: decoy.transports ?? [])
            else { throw PasskeyError.notAccepted }
            return owned
        }
    }

    private func isCalled(_ account: AccountID, _ name: String) async throws -> Bool {
        try await unitOfWork.read { [people] in try people.person(called: name, in: $0)?.account == account }
    }

    private func decoyed(_ id: CredentialID, _ party: RelyingParty, transports: [String] = []) -> OwnedCredential? {
        let handle = decoys.userHandle(of: id, relyingParty: party)
        return DecoyOwner.owned(id, userHandle: handle, transports: transports)
    }

    /// The steps of WebAuthn L3 §7.2 that share one error if a name was given: owner, authenticator's flags, signature.
    ///
    /// A record is checked before the signature. Otherwise an attacker who can sign nothing could try its user handle
    /// or its flags. The error would tell a decoy, and a backed-up passkey too.
    private static let veiledSteps: Set<Int> = [5, 6, 15, 16, 17, 18, 19, 21]

    private static func veiled(_ error: CeremonyError) -> PasskeyError {
        veiledSteps.contains(error.step.number) ? .notAccepted : .ceremony(error)
    }

    private func hasAny(_ account: AccountID?, at party: RelyingParty) async throws -> Bool {
        guard let account else { return false }
        return try await hasPasskey(account, at: party.id)
    }

    private func noteCloneSign(of passkey: Passkey) async throws {
        try await unitOfWork.run { [stores, auditLog] transaction in
            try stores.passkeys.noteCloneSign(of: passkey.id, in: transaction)
            // Only the first is audited: repetitions of a copied signature must not fill the audit log.
            guard passkey.cloneSigns == 0 else { return }
            try auditLog.append(
                AuditRecord(PasskeyAuditEvent.cloneSuspected, of: passkey.id, account: passkey.account),
                in: transaction
            )
        }
        guard policy.counter == .flag else {
            throw PasskeyError.ceremony(CeremonyError(.counterNotIncreased, .authentication(22)))
        }
    }
}
