import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import SignIn
import TokenReading

/// Checks the DPoP proofs of requests (RFC 9449), each of which is accepted once.
struct DPoPGate: Sendable {
    /// The signature algorithms that clients may use, in the form of a challenge.
    static let algorithms = DPoPProof.algorithms.map(\.rawValue).joined(separator: " ")

    /// The URL that clients use, even if a proxy calls this server by another name.
    let publicURL: String
    /// The proofs that this process saw used, shared by all routes.
    let used: UsedProofs
    /// The proofs that granted something, shared by all daemons of the database.
    let marks: any UsedMarkStore
    let environment: Environment

    /// Returns whether the request presents a proof, valid or not.
    static func hasProof(_ request: Request) -> Bool { !request.headers.values(our: .dpop).isEmpty }

    /// Returns the proof of the key to which a sign-in binds its tokens; `nil` if the request presents none.
    ///
    /// The proof is valid but not used yet: see ``PresentedProof/use(in:)``.
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
        return PresentedProof(try checked(request, accessToken: nil), marks: marks, memory: memory)
    }

    /// Returns the proof that comes with an access token, not used yet.
    ///
    /// The caller uses it once the token is known to be valid and bound to the proof's key.
    func proof(_ request: Request, accessToken: String) throws(APIError) -> AccessProof {
        AccessProof(try checked(request, accessToken: accessToken), memory: used.withTokens)
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
