// Passkeys: WebAuthn Level 3, both ceremonies.
// Owns CBOR and COSE, verification step by step, attestation and trust, challenges and passkeys.
// Opens no session: a ceremony that holds is a proof for SignIn.
// Survives hostile authenticators and pages: one strict reading, each step with its own error, all fuzzed.
// Unknown names get decoys that are always the same for them.

package import Kernel

/// The use cases of passkeys: begin a ceremony, look at its answer, and in the unit of work of what that brings about, use it
/// up.
///
/// Signatures are looked at outside of any unit, which would keep all other writers waiting. What was looked at counts for
/// nothing until its challenge is used, and that happens once.
package struct PasskeyService: Sendable {
    let environment: Environment
    let unitOfWork: any UnitOfWork
    let store: any PasskeyStore
    let challenges: any PasskeyChallengeStore
    let people: any PasskeyPeople
    let auditLog: any AuditLog
    let notices: any PasskeyNotices
    let decoys: DecoyCredentials
    let policy: PasskeyPolicy

    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        store: any PasskeyStore,
        challenges: any PasskeyChallengeStore,
        people: any PasskeyPeople,
        auditLog: any AuditLog,
        notices: any PasskeyNotices,
        decoys: DecoyCredentials,
        policy: PasskeyPolicy
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.store = store
        self.challenges = challenges
        self.people = people
        self.auditLog = auditLog
        self.notices = notices
        self.decoys = decoys
        self.policy = policy
    }

    /// Whether a ceremony is open that is tied to that: a browser's cookie is ours then, and goes on.
    package func isBound(to binding: ChallengeBinding) async throws -> Bool {
        try await challenges.isBound(to: binding.digest, at: environment.now())
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
        try challenges.insert(
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

    /// The open ceremony that client data answers, if it was handed to whoever answers, with its challenge.
    func challenge(
        answeredBy clientData: [UInt8],
        _ step: CeremonyStep,
        from binding: ChallengeBinding
    ) async throws -> (PasskeyChallenge, [UInt8]) {
        guard let data = try? ClientData(clientData) else {
            throw PasskeyError.ceremony(CeremonyError(.clientDataMalformed, step))
        }
        guard let challenge = Base64URL.decode(data.challenge),
            let found = try await challenges.find(Digest256(sha256: challenge)),
            found.binding.matches(binding.digest), environment.now() < found.expiresAt
        else { throw PasskeyError.challengeOver }
        return (found, challenge)
    }
}

/// What ceremonies are held to.
package struct PasskeyPolicy: Sendable {
    /// By their ids.
    package let relyingParties: [String: RelyingParty]
    package let attestation: AttestationPolicy
    package let counter: CounterPolicy

    package init(relyingParties: [RelyingParty], attestation: AttestationPolicy, counter: CounterPolicy) {
        self.relyingParties = Dictionary(relyingParties.map { ($0.id, $0) }) { first, _ in first }
        self.attestation = attestation
        self.counter = counter
    }

    /// What is made of an attestation that options asked for: never less than the policy wants.
    func attestation(asked: AttestationConveyance) -> AttestationPolicy {
        guard attestation.conveyance == .none, asked != .none else { return attestation }
        return AttestationPolicy(.indirect, anchors: attestation.anchors, formats: attestation.formats)
    }
}

extension RelyingParty {
    /// The same, shown under another name.
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

/// What every ceremony is begun with.
package struct PasskeyCeremony: Sendable {
    package let rpID: String
    package let userVerification: UserVerificationRequirement
    package let binding: ChallengeBinding
    /// Where it is asked for from, keyed.
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
