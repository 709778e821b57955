import TokenReading

extension DPoPRefusal {
    /// What the client is told to mend; it made the proof itself.
    var message: String { "The DPoP proof is not good: \(fault)" }

    private var fault: String {
        switch self {
        case .missing: "there is none."
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
