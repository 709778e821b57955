extension APIError {
    /// What a 401 lacks.
    package enum Unproven: Sendable, Equatable {
        /// What ties an operation to its caller.
        case operation
        /// An e-mail address and its password.
        case credentials
        /// An access token.
        case noToken
        /// One that is good: it is none of ours, has expired, or its session or account is over.
        case badToken
        /// A refresh token.
        case noRefreshToken
        /// One that is good: it is none of ours, has expired or was replaced, or its session or account is over.
        case badRefreshToken
        /// The signature of the device's key, beside a refresh token that is good.
        case deviceProof
        /// The proof of the key that an access token is bound to: it came as a bearer token.
        case boundToken
        /// The proof of the key that a session is bound to, beside a refresh token that is good.
        case boundKeyProof
        /// The code that was sent by mail.
        case badCode
        /// A signature of the device's key over its open challenge.
        case badSignature
        /// A passkey of an account that can sign in: it is disabled.
        case passkey
    }
}
