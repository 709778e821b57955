import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import SignIn
import Synchronization
import TokenReading

/// Admits requests by the DPoP proofs that they present (RFC 9449), each once.
struct DPoPGate: Sendable {
    /// The algorithms that a client may sign with, as a challenge lists them.
    static let algorithms = DPoPProof.algorithms.map(\.rawValue).joined(separator: " ")

    /// The URL that clients use, whatever name a proxy uses for this server.
    let publicURL: String
    /// All routes share it.
    let used: UsedProofs
    let environment: Environment

    /// Whether the request presents a proof, valid or not.
    static func hasProof(_ request: Request) -> Bool { !request.headers.values(our: .dpop).isEmpty }

    /// Returns the proof that a sign-in binds its tokens to; `nil` if the request presents none.
    ///
    /// The proof is valid and not used yet: see ``PresentedProof/use()``.
    /// - Throws: ``APIError/invalidDPoPProof(_:isAccess:)``.
    func signIn(_ request: Request) throws(APIError) -> PresentedProof? {
        try presented(request, remembering: used.withoutTokens)
    }

    /// Returns the proof beside a correctly signed refresh token, as ``signIn(_:)`` does.
    func refresh(_ request: Request) throws(APIError) -> PresentedProof? {
        try presented(request, remembering: used.withTokens)
    }

    /// Returns the key that a token request of an OAuth client binds its tokens to; `nil` for bearer tokens.
    ///
    /// Callers read it before they use anything up, since an invalid proof refuses the request. A proof counts once for
    /// its address (RFC 9449 §11.1), which codes and refresh tokens share. A code or a refresh token proves a finished
    /// sign-in, so that both use the memory that attempts to sign in do not fill.
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, also for a client that must send a proof and does not (RFC 9449
    ///   §5.2); ``APIError`` if the memory is full.
    func tokenKey(_ request: Request, of client: OAuthClient) throws -> PresentedKey? {
        let proof = try presented(request, remembering: used.withTokens)
        guard proof != nil || !client.tokens.requiresDPoP else {
            throw OAuthError(.invalidDPoPProof, "This client has to send a DPoP proof with each token request.")
        }
        return proof?.presented
    }

    private func presented(_ request: Request, remembering memory: ProofMemory) throws(APIError) -> PresentedProof? {
        guard Self.hasProof(request) else { return nil }
        return PresentedProof(try checked(request, accessToken: nil), isAccess: false, memory)
    }

    /// Returns the proof beside an access token; the caller uses it once the token is valid and bound to its key.
    func proof(_ request: Request, accessToken: String) throws(APIError) -> PresentedProof {
        PresentedProof(try checked(request, accessToken: accessToken), isAccess: true, used.withTokens)
    }

    private func checked(_ request: Request, accessToken: String?) throws(APIError) -> DPoPProof {
        let fields = request.headers.values(our: .dpop)
        do throws(DPoPError) {
            guard let field = fields.first else { throw .missing }
            // RFC 9449 §4.3 step 1.
            guard fields.count == 1 else { throw .malformed }
            guard let target = TargetURI(publicURL + request.uri.path) else { throw .url }
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

/// A proof that fits its request and is not used yet.
///
/// One step uses the proof and grants the request. So a caller without a password, code, key or token fills no memory,
/// and of two requests with one proof at most one is granted.
final class PresentedProof: Sendable {
    /// The id of the key that signed the proof.
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

    /// Uses the proof up, right before the request is granted.
    ///
    /// A second call by the same request counts as the same use, since a unit of work may run twice.
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

/// The proofs that were used since the process started.
package struct UsedProofs: Sendable {
    /// The number of proofs in four minutes: four thousand requests a second.
    package static let capacity = 1_048_576

    /// The proofs of valid access and refresh tokens, and of authorization codes.
    ///
    /// They are apart from the rest, so that no number of sign-ins keeps out a caller who has a token.
    package let withTokens: ProofMemory
    /// The proofs of successful sign-ins.
    package let withoutTokens: ProofMemory

    /// `capacity` is the number of proofs with tokens in one generation; without tokens it is a quarter.
    package init(environment: Environment, capacity: Int = Self.capacity) {
        withTokens = ProofMemory(capacity: capacity, lifetime: DPoPRequest.memory, environment: environment)
        withoutTokens = ProofMemory(capacity: capacity / 4, lifetime: DPoPRequest.memory, environment: environment)
    }
}
