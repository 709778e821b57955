import HTTPTypes
import Operations
import SignIn

// The answers of the gate and of the readers of tokens.
extension APIError {
    /// The request lacks the proof that its route needs, or the proof is not valid.
    ///
    /// What to do: Send the proof that the message and `WWW-Authenticate` name. Refresh the access token once, else
    /// sign in again.
    static func unauthorized(_ lack: Unproven) -> APIError {
        APIError(
            "unauthorized",
            lack.message,
            status: .unauthorized,
            headers: lack.headers,
            counted: lack.event.map(Counted.event)
        )
    }

    var isUnauthorized: Bool { code == APIError.unauthorized(.noToken).code }

    /// The session is valid, and the sign-in is too old or too weak for this request.
    ///
    /// What to do: Sign in again by the means that the message names, then repeat the request. Do not refresh the
    /// tokens.
    ///
    /// After a 401, apps would refresh the session to no effect, and then sign the person out.
    static let stepUpRequired = APIError(
        "step_up_required",
        "Sign in again: this needs a sign-in that is less than ten minutes old. To add a passkey or a face where the "
            + "account has one, sign in with that. To replace a key, a face or a proven address, "
            + "or to add a known device’s first key, use a mailed code, the old key, or a key or face that is a day old.",
        status: .forbidden,
        counted: .event(.stepUpRequired)
    )

    /// The access token lacks the scope that the route needs.
    ///
    /// What to do: Ask the authorization server for a token with the scope that `WWW-Authenticate` names.
    ///
    /// `isBound`: Whether the token came with a DPoP proof of its key.
    static func insufficientScope(_ scope: String, isBound: Bool) -> APIError {
        let challenge = #"error="insufficient_scope", scope="\#(scope)""#
        return APIError(
            "insufficient_scope",
            "This token lacks the scope \(scope). Ask for a token that has it.",
            status: .forbidden,
            // RFC 6750 §3.1, RFC 9449 §7.1.
            headers: [.wwwAuthenticate: isBound ? dpopChallenge(challenge) : "\(TokenScheme.bearer) \(challenge)"]
        )
    }

    /// Returns the value of `WWW-Authenticate` for DPoP (RFC 9449 §7.1).
    static func dpopChallenge(_ error: String? = nil) -> String {
        let error = error.map { "\($0), " } ?? ""
        return "\(TokenScheme.dpop) \(error)algs=\"\(DPoPGate.algorithms)\""
    }

    /// The proof that is missing from a request which is answered 401.
    ///
    /// Each value is declared beside the feature that requires the proof.
    struct Unproven: Sendable {
        let message: String
        /// The header fields that name the scheme of a 401 (RFC 9110 §15.5.2).
        let headers: HTTPFields
        /// The event as which the refusal is counted; `nil` if the operation's own row records it.
        let event: TalliedEvent?

        init(_ message: String, challenge: String = TokenScheme.bearer, event: TalliedEvent?) {
            self.message = message
            headers = [.wwwAuthenticate: challenge]
            self.event = event
        }

        /// The challenge for an invalid bearer token (RFC 6750 §3.1).
        static let invalidTokenChallenge = #"Bearer error="invalid_token""#
        /// The challenges of both schemes, for routes that accept both (RFC 9449 §7.1).
        ///
        /// They share one field, with the older scheme first: a client that knows only that one reads up to the comma.
        static let bothChallenges = "Bearer, \(dpopChallenge())"
    }
}

extension APIError.Unproven {
    /// The request has no access token.
    static let noToken = Self(
        "Sign in first: this needs an access token.",
        challenge: bothChallenges,
        event: .notSignedIn
    )
    /// The access token is invalid: it is another server's, has expired, or its session or account has ended.
    static let badToken = Self(
        "This access token is not valid or has expired. Sign in again.",
        challenge: invalidTokenChallenge,
        event: .notSignedIn
    )
    /// The access token is bound to a key, and came as a bearer token without a proof of that key.
    static let boundToken = Self(
        "This token is bound to a key: send it with the scheme DPoP, and with a proof of that key.",
        challenge: APIError.dpopChallenge(#"error="invalid_token""#),
        event: .notSignedIn
    )
}
