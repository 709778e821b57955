import HTTPTypes
import Operations
import SignIn
import TokenReading

// The errors of refreshes and of proofs of keys.
extension APIError {
    /// The DPoP proof is missing, or a check of it fails (RFC 9449 §4.3).
    ///
    /// What to do: Make a new proof as the message says. A proof is good for one request.
    ///
    /// `isAccess` tells whether the proof came with an access token.
    static func invalidDPoPProof(_ fault: DPoPError, isAccess: Bool) -> APIError {
        APIError(
            "invalid_dpop_proof",
            "The DPoP proof is not valid: \(fault.sentence)",
            status: isAccess ? .unauthorized : .badRequest,
            headers: [.wwwAuthenticate: dpopChallenge(#"error="invalid_dpop_proof""#)],
            counted: .event(isAccess ? .notSignedIn : .proofRefused),
            proofError: fault
        )
    }
}

extension APIError {
    /// The account has no session of that id.
    ///
    /// What to do: List the sessions again.
    static let sessionNotFound = APIError(
        "session_not_found",
        "You have no such session. List your sessions again.",
        status: .notFound
    )
}

extension APIError.Unproven {
    /// The request has no refresh token.
    static let noRefreshToken = Self(
        "The refresh token is missing. Send it as a bearer token, or in the cookie.",
        event: .refreshRefused
    )
    /// The refresh token is invalid: it is another server's, expired or replaced, or its session or account has ended.
    static let badRefreshToken = Self(
        "This refresh token is not valid or has expired. Sign in again.",
        challenge: invalidTokenChallenge,
        event: .refreshRefused
    )
    /// The refresh token is valid, but the signature of the device's key is missing or invalid.
    static let deviceProof = Self(
        "This session is bound to its device: sign the refresh with the device’s key.",
        event: .refreshRefused
    )
    /// The refresh token is valid, but the proof of the key to which its session is bound is missing.
    static let boundKeyProof = Self(
        "This session is bound to a key: refresh it with a DPoP proof of that key.",
        challenge: APIError.dpopChallenge(),
        event: .refreshRefused
    )
}

extension SessionEndedError: APIErrorConvertible {
    var apiError: APIError { .unauthorized(.badToken) }
}

extension DPoPError {
    /// The sentence that tells the client's developers how to correct the proof.
    fileprivate var sentence: String {
        switch self {
        case .missing: "it is missing."
        case .malformed:
            "send one header with one signed JWT of at most \(DPoPProof.maximumLength) bytes, without “crit”."
        case .type: "“typ” has to be dpop+jwt."
        case .algorithm: "“alg” has to be one of \(DPoPGate.algorithms)."
        case .key: "“jwk” has to be the public key, of the kind that “alg” says."
        case .privateKey: "“jwk” holds a private key. Don’t use that key any more."
        case .signature: "the key in “jwk” did not sign it."
        case .claims:
            "“jti” (a text of at most \(DPoPProof.longestID) bytes), “htm”, “htu” and “iat” (a number of seconds) "
                + "have to be there."
        case .method: "“htm” is not the method of this request."
        case .url: "“htu” is not the URL of this request, as clients are to write it: publicURL and the path."
        case .time:
            "“iat” is more than two minutes off. Make a proof for each request, and see that the clock is right."
        case .tokenHash: "“ath” is not the SHA-256 of the access token, in base64url."
        case .otherKey: "the access token is not bound to this key."
        case .replayed: "it was used before. Make one for each request."
        }
    }
}
