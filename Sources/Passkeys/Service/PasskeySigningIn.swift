package import Kernel

/// A request to sign in with a passkey.
package struct SignInByPasskey: Sendable {
    package let ceremony: PasskeyCeremony
    /// The name as typed; `nil` for any user.
    package let name: String?
    /// Milliseconds.
    package let timeout: Int
    /// Whether a name in the form of an address may be a user name as well.
    package var takesUserNames = true

    package init(ceremony: PasskeyCeremony, name: String?, timeout: Int = CeremonyTimeout.usual) {
        self.ceremony = ceremony
        self.name = name
        self.timeout = timeout
    }
}

/// A signature that holds, and whose it is; nothing is used up yet.
package struct CheckedSignIn: Sendable {
    let challenge: PasskeyChallenge
    let passkey: Passkey
    let verified: VerifiedAuthentication

    package var account: AccountID { passkey.account }
    package var passkeyID: PasskeyID { passkey.id }
    package var passkeyMadeAt: Instant { passkey.createdAt }

    /// Whether the key is kept in several devices.
    package var isSynced: Bool { passkey.credential.record.backup.isEligible }
    /// Whether the authenticator made sure who was there.
    package var isUserVerified: Bool { verified.isUserVerified }
}

extension PasskeyService {
    /// Begins a sign-in, and returns the options for the browser.
    ///
    /// An unknown name, or one without passkeys, gets decoys that are always the same for it. A name in the form of an
    /// address can be that of two users, as an address and as a user name. Then either may answer, and the existence of
    /// the address stays as secret as for other addresses.
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

    /// Stands before a name that a user name's owner may answer to as well.
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

    /// Whether the account has a passkey of that relying party.
    package func hasPasskey(_ account: AccountID, at rpID: String) async throws -> Bool {
        try await stores.passkeys.list(of: account, limit: OwnedPasskeys.mostOwned).contains { $0.rpID == rpID }
    }

    /// Whether that is the name of an account that has a passkey of that relying party, and may be told so.
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

    /// Checks the answer to a sign-in's options; nothing is used up yet.
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
            // Recorded first, and refused below.
            counterPolicy: .flag
        )
        let verified: VerifiedAuthentication
        do throws(CeremonyError) {
            verified = try Authentication.verify(response, by: owned, expectation)
        } catch { throw asked == .anybody ? PasskeyError.ceremony(error) : Self.veiled(error) }
        // A signature for a decoy reveals nothing to its sender.
        guard let found, found.credential == owned else {
            throw PasskeyError.notAccepted
        }
        if verified.counter == .notIncreased { try await noteCloneSign(of: found) }
        return CheckedSignIn(challenge: challenge, passkey: found, verified: verified)
    }

    /// Uses the challenge up, in the unit of work of the sign-in, and notes the authenticator's new state.
    ///
    /// - Throws: ``PasskeyError/challengeOver`` if another answer was faster, or the passkey is gone; the unit must be
    ///   rolled back.
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

    /// Returns the credential to check the answer against: the passkey, or for a decoy an unused key.
    ///
    /// Otherwise a wrong signature would reveal existing names. It gets the same error for both, also if a name's decoy
    /// comes back without the name.
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

    /// The steps of WebAuthn L3 §7.2 with one common error if a name was given: the owner, the authenticator's flags,
    /// the signature.
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
            // Only the first: repetitions of a copied signature must not fill the audit.
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
