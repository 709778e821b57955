import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import SignIn
import Synchronization
import TokenReading

/// Lets requests in by the DPoP proofs that they bring (RFC 9449), each once.
package struct DPoPGate: Sendable {
    /// What a client may sign with, as a challenge lists it.
    static let algorithms = DPoPProof.algorithms.map(\.rawValue).joined(separator: " ")

    private let base: String
    private let used: UsedProofs
    private let environment: Environment

    /// `publicURL`: what clients write before a path, whatever name a proxy uses for this server; `used`: one for all
    /// routes.
    package init(publicURL: String, used: UsedProofs, environment: Environment) {
        base = publicURL
        self.used = used
        self.environment = environment
    }

    /// Whether the request brings a proof, good or not.
    static func hasProof(_ request: Request) -> Bool { !request.headers.values(our: .dpop).isEmpty }

    /// The proof that a sign-in binds its tokens to; `nil` if the request brings none.
    ///
    /// Found good, and not used yet: see ``PresentedProof/use()``.
    /// - Throws: ``APIError/invalidDPoPProof(_:isAccess:)``.
    func signIn(_ request: Request) throws(APIError) -> PresentedProof? {
        try presented(request, remembering: used.withoutTokens)
    }

    /// The proof that came with a refresh token that is rightly signed; as ``signIn(_:)``.
    func refresh(_ request: Request) throws(APIError) -> PresentedProof? {
        try presented(request, remembering: used.withTokens)
    }

    /// The key that a token request of the authorization server's client binds its tokens to; `nil` for bearer tokens.
    ///
    /// To be read before anything is used up, since an invalid proof refuses the request. RFC 9449 §11.1: a proof counts once
    /// for its address, and that is one for codes and refresh tokens. Each is as good as a sign-in that was gone through, so
    /// that they share the memory which no tries at signing in fill.
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, also for a client that has to send one and does not (RFC 9449 §5.2);
    ///   ``APIError`` where the server has no room for more of them.
    func tokenKey(_ request: Request, of client: OAuthClient) throws -> PresentedKey? {
        let proof = try presented(request, remembering: used.withTokens)
        guard proof != nil || !client.requiresDPoP else {
            throw OAuthError(.invalidDPoPProof, "This client has to send a DPoP proof with each token request.")
        }
        return proof?.presented
    }

    private func presented(_ request: Request, remembering memory: ProofMemory) throws(APIError) -> PresentedProof? {
        guard Self.hasProof(request) else { return nil }
        return PresentedProof(try checked(request, accessToken: nil), isAccess: false, memory)
    }

    /// The proof that came with an access token; it is to be used once the token was found good and bound to its key.
    func proof(_ request: Request, accessToken: String) throws(APIError) -> PresentedProof {
        PresentedProof(try checked(request, accessToken: accessToken), isAccess: true, used.withTokens)
    }

    private func checked(_ request: Request, accessToken: String?) throws(APIError) -> DPoPProof {
        let fields = request.headers.values(our: .dpop)
        do throws(DPoPError) {
            guard let field = fields.first else { throw .missing }
            // RFC 9449 §4.3 step 1.
            guard fields.count == 1 else { throw .malformed }
            guard let target = TargetURI(base + request.uri.path) else { throw .url }
            let proof = try DPoPProof(parsing: field)
            try proof.check(
                DPoPRequest(method: request.method.rawValue, target: target, accessToken: accessToken),
                at: environment.now()
            )
            return proof
        } catch {
            throw .invalidDPoPProof(error, isAccess: accessToken != nil)
        }
    }
}

/// A proof that came with a request and fits it, not used yet.
///
/// What it came for is granted in the same step that uses it: so that nobody without a password, a code, a key or a token
/// makes the server remember anything, and of two requests with one proof one is granted at most.
final class PresentedProof: Sendable {
    /// The name of the key that made it.
    let key: KeyID
    /// The thumbprint of that key.
    var thumbprint: Digest256 { key.digest }
    private let mark: Digest256
    private let isAccess: Bool
    private let memory: ProofMemory
    private let answer = Mutex<ProofMemory.Outcome?>(nil)

    fileprivate init(_ proof: DPoPProof, isAccess: Bool, _ memory: ProofMemory) {
        key = proof.key
        mark = proof.mark
        self.isAccess = isAccess
        self.memory = memory
    }

    /// The key, for the unit of work that grants something for the proof.
    var presented: PresentedKey { PresentedKey(thumbprint: thumbprint) { [self] in try use() } }

    /// Uses the proof up, right before what the caller has shown to be theirs is granted.
    ///
    /// Said again by the same request it is the same use: a unit of work may run twice.
    /// - Throws: ``APIError/invalidDPoPProof(_:isAccess:)`` if another request has used it;
    ///   ``APIError/rateLimited(for:by:)``.
    func use() throws(APIError) {
        let answer = answer.withLock { answer in
            let noted = answer ?? memory.note(mark)
            answer = noted
            return noted
        }
        switch answer {
        case .new: return
        case .used: throw .invalidDPoPProof(.replayed, isAccess: isAccess)
        case .full(let wait): throw .rateLimited(for: wait, by: .dpopProofs)
        }
    }
}

/// The proofs that were used, for as long as the daemon runs.
package struct UsedProofs: Sendable {
    /// Proofs in four minutes: four thousand requests a second.
    package static let capacity = 1_048_576

    /// Those of good access and refresh tokens, and of the authorization server's codes; apart from the rest, so that no number of sign-ins keeps anybody out who
    /// has one.
    package let withTokens: ProofMemory
    /// Those of sign-ins that came to something.
    package let withoutTokens: ProofMemory

    /// `capacity`: for how many with tokens there is one in a turn; for a quarter as many without.
    package init(environment: Environment, capacity: Int = Self.capacity) {
        withTokens = ProofMemory(capacity: capacity, lifetime: DPoPRequest.memory, environment: environment)
        withoutTokens = ProofMemory(capacity: capacity / 4, lifetime: DPoPRequest.memory, environment: environment)
    }
}
