import Operations

extension RefusalLog {
    /// Counts an answer that turned somebody away, unless what made it has been on record before.
    ///
    /// Here alone, where answers are made: a token that is no good is none on routes for everybody, and no refusal.
    func count(_ problem: APIError) {
        switch problem {
        case .rateLimited(_, by: let limit): if let limit { count(limit) }
        case .stepUpRequired: count(TalliedEvent.stepUpRequired)
        case .wrongPassword: count(TalliedEvent.wrongPassword)
        case .originNotAllowed: count(TalliedEvent.originNotAllowed)
        case .passkeyRefused, .unknownPasskey, .paymentProofRefused: count(TalliedEvent.wrongSignature)
        case .unauthorized(let lack): if let event = lack.event { count(event) }
        case .invalidDPoPProof(_, isAccess: true): count(TalliedEvent.notSignedIn)
        case .invalidDPoPProof(_, isAccess: false): count(TalliedEvent.proofRefused)
        default: return
        }
    }
}

extension APIError.Unproven {
    /// What it is in the tally; `nil` where the operation that it is about has a row.
    fileprivate var event: TalliedEvent? {
        switch self {
        case .operation: nil
        case .credentials: .wrongPassword
        case .noToken, .badToken, .boundToken: .notSignedIn
        case .noRefreshToken, .badRefreshToken, .deviceProof, .boundKeyProof: .refreshRefused
        case .badCode: .wrongCode
        case .badSignature, .passkey: .wrongSignature
        }
    }
}
