// Passkeys: WebAuthn Level 3, both ceremonies.
// Owns CBOR and COSE, verification step by step, attestation and trust, challenges and passkeys.
// Opens no session: a ceremony that holds is a proof for SignIn.
// Survives hostile authenticators and pages: one strict reading, each step with its own error, all fuzzed.
// Unknown names get decoys that are always the same for them.

package import Kernel

/// The use cases of passkeys: beginning a ceremony, checking its answer, and using it up in the unit of work of its
/// result.
///
/// Signatures are checked outside of any unit, which would keep all other writers waiting. A checked answer does not
/// count until its challenge is used, and that happens once.
package struct PasskeyService: Sendable {
    let environment: Environment
    let unitOfWork: any UnitOfWork
    let stores: PasskeyStores
    let people: any PasskeyPeople
    let auditLog: any AuditLog
    let notices: any PasskeyNotices
    let decoys: DecoyCredentials
    let policy: PasskeyPolicy

    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        stores: PasskeyStores,
        people: any PasskeyPeople,
        auditLog: any AuditLog,
        notices: any PasskeyNotices,
        decoys: DecoyCredentials,
        policy: PasskeyPolicy
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.stores = stores
        self.people = people
        self.auditLog = auditLog
        self.notices = notices
        self.decoys = decoys
        self.policy = policy
    }

    /// Whether a ceremony with that binding is open: then a browser's cookie is the server's own, and stays in use.
    package func isBound(to binding: ChallengeBinding) async throws -> Bool {
        try await stores.challenges.isBound(to: binding.digest, at: environment.now())
    }

    func relyingParty(_ id: String) throws(PasskeyError) -> RelyingParty {
        guard let party = policy.relyingParties[id] else { throw .noRelyingParty }
        return party
    }

    /// Keeps a new challenge, in the caller's unit of work; returns its bytes.
    func open(
        _ purpose: PasskeyChallenge.Purpose,
        _ ceremony: PasskeyCeremony,
        in transaction: borrowing Transaction
    ) throws -> [UInt8] {
        let challenge = environment.randomBytes(32)
        let now = environment.now()
        try stores.challenges.insert(
            PasskeyChallenge(
                digest: Digest256(sha256: challenge),
                binding: ceremony.binding.digest,
                source: ceremony.source,
                rpID: ceremony.rpID,
                userVerification: ceremony.userVerification,
                purpose: purpose,
                createdAt: now,
                expiresAt: now + ChallengePolicy.lifetime
            ),
            keepingPerSource: ChallengePolicy.openPerSource,
            inAll: ChallengePolicy.openInAll,
            in: transaction
        )
        return challenge
    }

    /// Returns the open ceremony that client data answers, with its challenge, if it was issued to this client.
    func challenge(
        answeredBy clientData: Result<ClientData, ClientDataError>,
        _ step: CeremonyStep,
        from binding: ChallengeBinding
    ) async throws -> (PasskeyChallenge, [UInt8]) {
        guard let data = try? clientData.get() else {
            throw PasskeyError.ceremony(CeremonyError(.clientDataMalformed, step))
        }
        guard let challenge = Base64URL.decode(data.challenge),
            let found = try await stores.challenges.find(Digest256(sha256: challenge)),
            found.binding.matches(binding.digest), environment.now() < found.expiresAt
        else { throw PasskeyError.challengeOver }
        return (found, challenge)
    }
}

/// Where passkeys are kept, and the challenges of open ceremonies.
package struct PasskeyStores: Sendable {
    package let passkeys: any PasskeyStore
    package let challenges: any PasskeyChallengeStore

    package init(passkeys: any PasskeyStore, challenges: any PasskeyChallengeStore) {
        self.passkeys = passkeys
        self.challenges = challenges
    }
}

/// The policy of ceremonies.
package struct PasskeyPolicy: Sendable {
    /// The relying parties by id.
    package let relyingParties: [String: RelyingParty]
    package let attestation: AttestationPolicy
    package let counter: CounterPolicy

    package init(relyingParties: [RelyingParty], attestation: AttestationPolicy, counter: CounterPolicy) {
        self.relyingParties = Dictionary(relyingParties.map { ($0.id, $0) }) { first, _ in first }
        self.attestation = attestation
        self.counter = counter
    }

    /// Returns the treatment of an attestation that options requested: at least that of the policy.
    func attestation(asked: AttestationConveyance) -> AttestationPolicy {
        guard attestation.conveyance == .none, asked != .none else { return attestation }
        return AttestationPolicy(.indirect, anchors: attestation.anchors, formats: attestation.formats)
    }
}

extension RelyingParty {
    /// Returns the relying party with a different display name.
    func called(_ name: String?) -> RelyingParty {
        guard let name else { return self }
        let renamed = try? RelyingParty(
            id: id,
            name: name,
            origins: origins,
            relatedOrigins: relatedOrigins,
            frames: frames
        )
        return renamed ?? self
    }
}

/// The parameters of every ceremony.
package struct PasskeyCeremony: Sendable {
    package let rpID: String
    package let userVerification: UserVerificationRequirement
    package let binding: ChallengeBinding
    /// The keyed digest of the request's source.
    package let source: Digest256

    package init(
        rpID: String,
        userVerification: UserVerificationRequirement,
        binding: ChallengeBinding,
        source: Digest256
    ) {
        self.rpID = rpID
        self.userVerification = userVerification
        self.binding = binding
        self.source = source
    }
}
