/// What a request of the matrix brings: credentials that must not get it in, and those that must.
enum MatrixColumn: String, CaseIterable, Sendable {
    case noToken = "no token"
    /// A refresh token in the place of an access token, or the other way round.
    case wrongType = "wrong type"
    case expired
    /// Somebody else's, and good.
    case otherAccount = "other account"
    /// The same account's, of another session on another device, and good.
    case otherDevice = "other device"
    /// The same account's, of a session with another client of ours, and good.
    case otherClient = "another client of ours"
    case revoked = "revoked session"
    case disabled = "disabled account"
    /// For somebody who is no client of ours.
    case foreignAudience = "foreign audience"
    /// For another client of ours than the one that it was given to.
    case wrongAudience = "wrong audience"
    /// Another kind of token that the same key signs.
    case wrongTyp = "wrong typ"
    /// A good session's and a good signature, of a client that is not the operator's.
    case thirdParty = "third party"
    /// Good, but limited to a scope: for less than all that the account may.
    case limited = "limited to a scope"
    /// Good, but bound to a key that nothing is proven of (RFC 9449): an access token as bearer, a refresh token without a
    /// proof.
    case unprovenKey = "bound, without proof"
    /// Good, of a sign-in longer ago than ten minutes.
    case stale = "stale auth_time"
    /// What opens the route, and a bad access token beside it.
    case besideBad = "right beside a bad token"
    case right
}

/// What has to come of a cell.
enum MatrixExpectation: Equatable {
    case granted
    case refused
    case refusedWith(Int)
}

/// What came of a cell.
struct MatrixOutcome: Equatable {
    let status: Int
    /// Whether the request got what the route guards.
    let isGranted: Bool

    /// The status; with a dash where it is a success that gave nothing away.
    var text: String { isGranted || status >= 400 ? "\(status)" : "\(status) –" }

    func meets(_ expectation: MatrixExpectation) -> Bool {
        switch expectation {
        case .granted: isGranted && status < 400
        case .refused: !isGranted && status < 500
        case .refusedWith(let code): !isGranted && status == code
        }
    }
}
