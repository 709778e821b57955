// Passkeys: WebAuthn Level 3, both ceremonies.
// Owns CBOR and COSE, the verification of each step, attestation and its trust, challenges and passkeys.
// Opens no session: a verified ceremony is the proof with which SignIn opens one.
// Survives hostile authenticators and pages: strict parsers, a separate error for each step, all fuzzed.
// Unknown names get decoy credentials, which are always the same for a name.

package import Kernel

/// The use cases of passkeys: begin a ceremony, check its response, and use it up in the result's unit of work.
///
/// Signatures are checked outside of units of work, because other writers have to wait for a unit. A checked response
/// has no effect until its challenge is used, which can happen only once.
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

    /// Whether an open ceremony has that binding: then the browser's cookie comes from this server, and is kept.
    package func isBound(to binding: ChallengeBinding) async throws -> Bool {
        try await stores.challenges.isBound(to: binding.digest, at: environment.now())
    }

    func relyingParty(_ id: String) throws(PasskeyError) -> RelyingParty {
        guard let party = policy.relyingParties[id] else { throw .noRelyingParty }
        return party
    }

    /// Stores a new challenge, in the caller's unit of work, and returns its bytes.
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

    /// Returns the open ceremony of the challenge in the client data, and the challenge, if it was issued to this
    /// client.
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

/// The stores of passkeys and of the challenges of open ceremonies.
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

    /// Returns the policy for an attestation that the options requested, at least as strict as this policy.
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
