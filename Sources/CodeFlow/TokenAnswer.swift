package import Kernel

/// The tokens from an authorization server's answer.
///
/// Other members of the answer are dropped.
package struct GrantedTokens: Sendable, Equatable {
    package let accessToken: Secret
    /// The refresh token; `nil` if the answer has none, so that a previous one may stay valid.
    package let refreshToken: Secret?
    /// The access token's lifetime in seconds; `nil` if the server states none or an invalid one.
    package let expiresIn: Int?
    package let scope: String?

    package init(accessToken: Secret, refreshToken: Secret?, expiresIn: Int?, scope: String? = nil) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        self.scope = scope
    }

    /// The only accepted token type.
    ///
    /// This server or the app would use an unknown type wrongly (RFC 6749 §7.1).
    package static let type = "Bearer"
}

/// The answer of a token endpoint (RFC 6749 §5).
package enum TokenAnswer: Sendable, Equatable {
    case tokens(GrantedTokens)
    /// An HTTP 200 whose body has no tokens.
    case noTokens
    /// A refusal. `error` may be any text; it is `nil` for a body without an error code.
    case refused(status: Int, error: String?)
    /// The server has failed or is too busy.
    case outage(status: Int)
    case unexpected(status: Int)

    /// Reads an answer.
    ///
    /// Members in a form other than the protocol's are not accepted.
    ///
    /// With `isLoose`, the token type may be missing, tokens may contain spaces, and the lifetime may be a text.
    package init(status: Int, body: [UInt8], isLoose: Bool) {
        switch status {
        case 200: self = GrantedTokens(body, isLoose: isLoose).map { .tokens($0) } ?? .noTokens
        case 429, 500...599: self = .outage(status: status)
        case 400..<500:
            guard case .object(let members)? = try? JSONReader.read(body), case .string(let error)? = members["error"]
            else {
                self = .refused(status: status, error: nil)
                return
            }
            self = .refused(status: status, error: error)
        default: self = .unexpected(status: status)
        }
    }
}

extension GrantedTokens {
    /// The longest accepted lifetime, a year.
    ///
    /// A longer one is a mistake in the server's units.
    private static let longestLifetime: Int64 = 366 * 86_400

    fileprivate init?(_ body: [UInt8], isLoose: Bool) {
        guard case .object(let members)? = try? JSONReader.read(body) else { return nil }
        let least: UInt8 = isLoose ? 0x20 : 0x21
        guard let access = members["access_token"]?.text(from: least),
            (members["token_type"]?.text(from: 0x20) ?? (isLoose ? Self.type : "")).lowercased() == "bearer"
        else { return nil }
        let refresh = members["refresh_token"]?.text(from: least)
        guard refresh != nil || members["refresh_token"]?.isNull ?? true else { return nil }
        var seconds = members["expires_in"]?.integer
        if isLoose, case .string(let text)? = members["expires_in"] { seconds = Int64(text) }
        self.init(
            accessToken: Secret(access),
            refreshToken: refresh.map { Secret($0) },
            expiresIn: seconds.flatMap { (1...Self.longestLifetime).contains($0) ? Int($0) : nil },
            scope: members["scope"]?.text(from: 0x20)
        )
    }
}

extension JSONValue {
    /// Returns a string of 1 to 8192 printable ASCII characters, as tokens and error codes are (RFC 6749 appendix A).
    fileprivate func text(from least: UInt8) -> String? {
        guard case .string(let text) = self, (1...8192).contains(text.utf8.count),
            text.utf8.allSatisfy({ (least...0x7E).contains($0) })
        else { return nil }
        return text
    }
}
