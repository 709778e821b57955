import HTTPTypes
import Hummingbird
package import Kernel
import TokenReading

/// Lets requests in by the DPoP proofs that they bring (RFC 9449), each once.
package struct DPoPGate: Sendable {
    /// RFC 9449 §7.1: the name of the scheme, in capitals as a challenge writes it.
    static let scheme = "DPoP"
    /// What a client may sign with, as a challenge lists it.
    static let algorithms = DPoPProof.algorithms.map(\.rawValue).joined(separator: " ")

    private let base: String
    private let used: UsedProofs
    private let facts: Facts

    /// `publicURL`: what clients write before a path, whatever name a proxy uses for this server; `used`: one for all
    /// routes, so that a proof counts once among all of them.
    package init(publicURL: String, used: UsedProofs, facts: Facts) {
        base = publicURL
        self.used = used
        self.facts = facts
    }

    /// Whether the request brings a proof, good or not.
    static func hasProof(_ request: Request) -> Bool { !request.headers.values(our: .dpop).isEmpty }

    /// The key that tokens are to be bound to, or that a refresh is proven with; `nil` if the request brings no proof.
    /// - Throws: ``Problem/invalidDPoPProof(_:isAccess:)``; ``Problem/rateLimited(retryAfter:by:)``.
    func key(_ request: Request) throws(Problem) -> Digest256? {
        guard Self.hasProof(request) else { return nil }
        let proof = try checked(request, accessToken: nil)
        try use(proof, used.withoutTokens, isAccess: false)
        return proof.key.digest
    }

    /// The proof that came with an access token; it still has to be used with ``use(_:)``.
    func proof(_ request: Request, accessToken: String) throws(Problem) -> DPoPProof {
        try checked(request, accessToken: accessToken)
    }

    /// Uses the proof up: for whoever has shown a good token bound to its key.
    func use(_ proof: DPoPProof) throws(Problem) { try use(proof, used.withTokens, isAccess: true) }

    private func checked(_ request: Request, accessToken: String?) throws(Problem) -> DPoPProof {
        let fields = request.headers.values(our: .dpop)
        do throws(DPoPRefusal) {
            guard let field = fields.first else { throw .missing }
            // RFC 9449 §4.3 step 1.
            guard fields.count == 1 else { throw .malformed }
            guard let target = TargetURI(base + request.uri.path) else { throw .url }
            let proof = try DPoPProof(parsing: field)
            try proof.check(
                DPoPRequest(method: request.method.rawValue, target: target, accessToken: accessToken),
                at: facts.now()
            )
            return proof
        } catch {
            throw .invalidDPoPProof(error, isAccess: accessToken != nil)
        }
    }

    private func use(_ proof: DPoPProof, _ memory: ProofMemory, isAccess: Bool) throws(Problem) {
        switch memory.note(proof.mark) {
        case .new: return
        case .used: throw .invalidDPoPProof(.replayed, isAccess: isAccess)
        case .full(let wait): throw .tooMany(for: wait)
        }
    }
}

/// The proofs that were used, for as long as the daemon runs.
package struct UsedProofs: Sendable {
    /// Proofs in four minutes: four thousand requests a second.
    private static let room = 1_048_576

    /// Apart, so that whoever has no token at all can't use up the room of those who have one.
    let withTokens: ProofMemory
    let withoutTokens: ProofMemory

    package init(clock: any MonotonicClock) {
        withTokens = ProofMemory(room: Self.room, lasting: DPoPRequest.memory, clock: clock)
        withoutTokens = ProofMemory(room: Self.room / 4, lasting: DPoPRequest.memory, clock: clock)
    }
}
