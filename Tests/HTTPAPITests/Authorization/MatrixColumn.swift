/// The credentials of a request of the matrix: some must not get it in, and others must.
enum MatrixColumn: String, CaseIterable, Sendable {
    case noToken = "no token"
    /// A refresh token instead of an access token, or the other way round.
    case wrongType = "wrong type"
    case expired
    /// A valid credential of another person.
    case otherAccount = "other account"
    /// A valid credential of the same account, of another session on another device.
    case otherDevice = "other device"
    /// A valid credential of the same account, of a session with another client of the config.
    case otherClient = "another client of ours"
    case revoked = "revoked session"
    case disabled = "disabled account"
    /// A token for an audience that belongs to no client of the config.
    case foreignAudience = "foreign audience"
    /// A token for another client of the config than the one that it was issued to.
    case wrongAudience = "wrong audience"
    /// Another kind of token that the same key signs.
    case wrongTyp = "wrong typ"
    /// A token of a valid session with a valid signature, of a client that is not the operator's.
    case thirdParty = "third party"
    /// A valid token, but limited to a scope: it permits less than the account may.
    case limited = "limited to a scope"
    /// A valid token, but bound to a key without proof (RFC 9449): an access token as bearer, or a refresh token
    /// without a proof.
    case unprovenKey = "bound, without proof"
    /// A valid token, of a sign-in longer ago than ten minutes.
    case stale = "stale auth_time"
    /// The right credential, and an invalid access token beside it.
    case besideBad = "right beside a bad token"
    case right
}

/// The expected outcome of a cell.
enum MatrixExpectation: Equatable {
    case granted
    case refused
    case refusedWith(Int)
}

/// The outcome of a cell.
struct MatrixOutcome: Equatable {
    let status: Int
    /// Whether the request received what the route guards.
    let isGranted: Bool

    /// The status; with a dash for a success that gave nothing away.
    var text: String { isGranted || status >= 400 ? "\(status)" : "\(status) –" }

    func meets(_ expectation: MatrixExpectation) -> Bool {
        switch expectation {
        case .granted: isGranted && status < 400
        case .refused: !isGranted && status < 500
        case .refusedWith(let code): !isGranted && status == code
        }
    }
}
