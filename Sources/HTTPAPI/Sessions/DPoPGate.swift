import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import SignIn
import Synchronization
import TokenReading

/// Checks the DPoP proofs of requests (RFC 9449), each of which is accepted once.
struct DPoPGate: Sendable {
    /// The signature algorithms that clients may use, in the form of a challenge.
    static let algorithms = DPoPProof.algorithms.map(\.rawValue).joined(separator: " ")

    /// The URL that clients use, even if a proxy calls this server by another name.
    let publicURL: String
    /// The proofs that were used, shared by all routes.
    let used: UsedProofs
    let environment: Environment

    /// Returns whether the request presents a proof, valid or not.
    static func hasProof(_ request: Request) -> Bool { !request.headers.values(our: .dpop).isEmpty }

    /// Returns the proof of the key to which a sign-in binds its tokens; `nil` if the request presents none.
    ///
    /// The proof is valid but not used yet: see ``PresentedProof/use()``.
    /// - Throws: ``APIError/invalidDPoPProof(_:isAccess:)``.
    func signIn(_ request: Request) throws(APIError) -> PresentedProof? {
        try presented(request, remembering: used.withoutTokens)
    }

    /// Returns the proof that comes with a correctly signed refresh token, as ``signIn(_:)`` does.
    func refresh(_ request: Request) throws(APIError) -> PresentedProof? {
        try presented(request, remembering: used.withTokens)
    }

    /// Returns the key to which a token request of an OAuth client binds its tokens; `nil` for bearer tokens.
    ///
    /// Callers check it before they use up a code or token, because an invalid proof refuses the request. A proof is
    /// accepted once for its address (RFC 9449 §11.1), which requests with codes and refresh tokens share. Both prove a
    /// finished sign-in, so they use the proof memory that attempts to sign in cannot fill.
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, also for a missing proof that the client must send (RFC 9449
    ///   §5.2). ``APIError`` if the proof memory is full.
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

    /// Returns the proof that comes with an access token, not used yet.
    ///
    /// The caller uses it once the token is known to be valid and bound to the proof's key.
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
/// The proof is used in the same step that grants the request. So a caller without a password, code, key or token fills
/// no memory. Of two requests with the same proof at most one is granted.
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

    /// The key, for a unit of work that uses the proof and grants the request.
    var presented: PresentedKey { PresentedKey(thumbprint: thumbprint) { [self] in try use() } }

    /// Uses up the proof, right before the request is granted.
    ///
    /// Further calls for the same request count as the same use: a unit of work may run several times.
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
    /// The number of proofs within four minutes, which allows four thousand requests a second.
    package static let capacity = 1_048_576

    /// The proofs that came with valid access tokens, refresh tokens and authorization codes.
    ///
    /// They are kept apart from the rest, so that no number of sign-ins locks out a caller who has a token.
    package let withTokens: ProofMemory
    /// The proofs of successful sign-ins.
    package let withoutTokens: ProofMemory

    /// `capacity`: The number of proofs with tokens in one generation; without tokens a quarter of it.
    package init(environment: Environment, capacity: Int = Self.capacity) {
        withTokens = ProofMemory(capacity: capacity, lifetime: DPoPRequest.memory, environment: environment)
        withoutTokens = ProofMemory(capacity: capacity / 4, lifetime: DPoPRequest.memory, environment: environment)
    }
}
